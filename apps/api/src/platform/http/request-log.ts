import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';

/**
 * One line for each request, when it is answered: what was asked, what came of it and how long it took. Without the query string, which says where
 * people stand and what they look for, and without a path that is itself a secret. A path that leads nowhere may be such a one mistyped, or asked with a
 * method of a calendar program that is not served: what is as long as a secret is left out of it.
 */
export class OneLineLog extends LogController {
  override incomingRequest(): void {}

  override requestCompleted(
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    const { config, url } = request.routeOptions;
    const [asked = ''] = request.url.split('?', 1);
    const path = config?.secretPath ? url : asked.replace(secretLike, '…');
    const line = {
      method: request.method,
      path,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
    };
    if (error) request.log.error({ ...line, err: error }, 'failed');
    else request.log.info(line, 'answered');
  }
}

/** Longer than any id, or an id with a signature behind it. */
const secretLike = /[\w%-]{40,}|[\w%-]{36}\.[\w%.-]+/g;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The path is known to whoever may use it only: the log names its pattern. */
    secretPath?: boolean;
  }
}
