import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../app-error.ts';
import { errorBody } from './error-mapper.ts';

/**
 * Serves the built web app: files with a hash in their name for ever, `index.html` never from a cache, and `index.html` for every path of a page,
 * since routes are the client's. Unknown paths of the API and of files stay 404.
 */
export async function registerWebApp(app: FastifyInstance, folder: string): Promise<void> {
  const built = existsSync(join(folder, 'index.html'));
  if (built) {
    await app.register(fastifyStatic, {
      root: folder,
      wildcard: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders(reply, path) {
        reply.header(
          'cache-control',
          /[\\/]assets[\\/]/.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
        );
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    const wantsPage = request.method === 'GET' && (request.headers.accept ?? '').includes('text/html');
    const isPage = !/^\/(api|dev|sandbox|health|metrics|assets)(\/|$)/.test(request.url);
    if (built && wantsPage && isPage) return reply.header('cache-control', 'no-cache').sendFile('index.html');
    const error = new AppError('request/unknown-operation');
    return reply.code(404).send(errorBody(error, request.id));
  });
}
