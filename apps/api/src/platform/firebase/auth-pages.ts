import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../app-error.ts';
import type { Config } from '../config/config.ts';
import { errorBody } from '../http/error-mapper.ts';
import { limitNetworks, networkLimit } from '../http/overload/caller-limits.ts';
import { authDomain } from './firebase-app.ts';

const timeoutMs = 10_000;
const bytesMax = 1_048_576;

const forwardedHeaders = ['content-type', 'cache-control', 'location'];

/** Proxies Firebase's pages, for browsers that block third-party storage. Forwards no cookies. */
export function registerAuthPages(
  app: FastifyInstance,
  config: Config,
  ask: (url: URL, init: RequestInit) => Promise<Response> = fetch,
): void {
  if (config.IDENTITY_PROVIDER !== 'firebase') return;
  const host = `https://${authDomain(config)}`;

  const forward = async (request: FastifyRequest, reply: FastifyReply) => {
    // The raw URL: `..` and other hosts can't leave these paths.
    const url = new URL(request.raw.url ?? '', host);
    if (url.origin !== host || !/^\/__\/(auth|firebase)\//.test(url.pathname))
      return notFound(request, reply);
    let answer: Response;
    try {
      answer = await ask(url, {
        method: request.method,
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
        headers: { accept: request.headers.accept ?? '*/*', ...formHeader(request) },
        body: request.method === 'POST' ? String(request.body ?? '') : undefined,
      });
    } catch (error) {
      request.log.error({ err: error }, "Firebase's sign-in pages could not be reached");
      return reply.code(502).type('text/plain').send('Sign-in is not available right now. Try again later.');
    }
    const body = Buffer.from(await answer.arrayBuffer());
    if (body.length > bytesMax) return reply.code(502).type('text/plain').send('The answer was too large.');
    for (const name of forwardedHeaders) {
      const value = answer.headers.get(name);
      if (value !== null) reply.header(name, value);
    }
    // Our policy would stop their scripts; only our own pages may frame them.
    reply.header('content-security-policy', "frame-ancestors 'self'");
    reply.raw.removeHeader('x-frame-options');
    return reply.code(answer.status).send(body);
  };

  app.register(async (pages) => {
    // Limited, because each request calls Firebase.
    limitNetworks(pages, networkLimit(config.READS_PER_MINUTE));
    pages.removeAllContentTypeParsers();
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 65_536 },
      (_request, body, done) => done(null, body),
    );
    for (const path of ['/__/auth/*', '/__/firebase/*']) {
      pages.get(path, forward);
      pages.post(path, forward);
    }
  });
}

const formHeader = (request: FastifyRequest): Record<string, string> =>
  request.method === 'POST' ? { 'content-type': 'application/x-www-form-urlencoded' } : {};

function notFound(request: FastifyRequest, reply: FastifyReply) {
  const error = new AppError('request/unknown-operation');
  return reply.code(404).send(errorBody(error, request.id));
}
