import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { callerNetwork } from './caller-network.ts';

/**
 * One line per request, when it is answered: request, result, duration, the caller's account, and of a refusal their network. Without the query string, which contains positions and
 * searches, and without secret paths. An unknown path may be a mistyped secret, or one requested with an unsupported method, so anything
 * as long as a secret is redacted.
 */
export class OneLineLog extends LogController {
  override incomingRequest(): void {}

  override requestCompleted(
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    if (request.server.warming?.on) return;
    const { config, url } = request.routeOptions;
    const [asked = ''] = request.url.split('?', 1);
    const path = config?.secretPath ? url : asked.replace(secretLike, '…');
    const line = {
      method: request.method,
      path,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ...(request.actor ? { account: request.actor.accountId } : {}),
      ...(request.failure ? { code: request.failure.code } : {}),
      ...(request.failure?.refused ? { network: callerNetwork(request.ip) } : {}),
    };
    if (error) request.log.error({ ...line, err: error }, 'failed');
    else request.log.info(line, 'answered');
  }
}

/** Longer than any id, or an id with a signature. */
const secretLike = /[\w%-]{40,}|[\w%-]{36}\.[\w%.-]+/g;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Only those who may use the path know it: the log has its pattern. */
    secretPath?: boolean;
  }
}
