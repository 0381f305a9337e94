import { type FastifyBaseLogger, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import type { Log } from '../log.ts';
import { callerNetwork } from './caller-network.ts';

/** Omits query strings (positions, searches). Redacts long segments, which may be mistyped secrets. */
export class OneLineLog extends LogController {
  readonly #answers: Log;

  constructor(log: Log) {
    super();
    // Its fields contain no secrets, and looking for them takes as long as writing the line.
    this.#answers = log.child({}, { redact: [] }) as Log;
  }

  override incomingRequest(): void {}

  override requestCompleted(
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    if (request.server.warming?.on) return;
    const { config, url } = request.routeOptions;
    const [requestPath = ''] = request.url.split('?', 1);
    const path = config?.secretPath ? url : requestPath.replace(secretLike, '…');
    const line = {
      method: request.method,
      path,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      account: request.actor?.accountId,
      code: request.failure?.code,
      network: request.failure?.refused ? callerNetwork(request.ip) : undefined,
    };
    if (error) request.log.error({ ...line, err: error }, 'failed');
    else this.#answers.info({ reqId: request.id, ...line }, 'answered');
  }
}

/** A log that names its request in each line. Its logger is made with the first line, since few requests write one. */
export class RequestLog {
  readonly #parent: FastifyBaseLogger;
  readonly #bindings: object;
  #own: FastifyBaseLogger | undefined;

  constructor(parent: FastifyBaseLogger, bindings: object) {
    this.#parent = parent;
    this.#bindings = bindings;
  }

  get #log(): FastifyBaseLogger {
    this.#own ??= this.#parent.child(this.#bindings);
    return this.#own;
  }

  get level(): string {
    return this.#parent.level;
  }

  child(...given: Parameters<FastifyBaseLogger['child']>): FastifyBaseLogger {
    return this.#log.child(...given);
  }
  fatal(...line: unknown[]): void {
    this.#log.fatal(...(line as [string]));
  }
  error(...line: unknown[]): void {
    this.#log.error(...(line as [string]));
  }
  warn(...line: unknown[]): void {
    this.#log.warn(...(line as [string]));
  }
  info(...line: unknown[]): void {
    this.#log.info(...(line as [string]));
  }
  debug(...line: unknown[]): void {
    this.#log.debug(...(line as [string]));
  }
  trace(...line: unknown[]): void {
    this.#log.trace(...(line as [string]));
  }
  silent(): void {}
}

/** Longer than any id, or an id with a signature. */
const secretLike = /[\w%-]{40,}|[\w%-]{36}\.[\w%.-]+/g;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Logs the route's pattern instead of its secret path. */
    secretPath?: boolean;
  }
}
