import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';
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

/** Longer than any id, or an id with a signature. */
const secretLike = /[\w%-]{40,}|[\w%-]{36}\.[\w%.-]+/g;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Logs the route's pattern instead of its secret path. */
    secretPath?: boolean;
  }
}
