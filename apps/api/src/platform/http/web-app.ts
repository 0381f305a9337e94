import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { AppError } from '../app-error.ts';
import { errorBody } from './error-mapper.ts';

/**
 * Serves the built web app: hashed files cached forever, `index.html` never cached and served for every page path, since routes are
 * client-side. Unknown API and file paths are an uncached 404: an HTML page in place of a missing script would look like a broken app (ADR
 * 0120).
 */
export async function registerWebApp(app: FastifyInstance, folder: string): Promise<void> {
  const index = join(folder, 'index.html');
  const built = existsSync(index);
  if (built) {
    const files = { preCompressed: true, cacheControl: false };
    const keepFor = (rule: string) => (reply: FastifyReply) => void reply.header('cache-control', rule);
    // Looked up per request: a build under a running server adds names.
    await app.register(fastifyStatic, {
      ...files,
      root: join(folder, 'assets'),
      prefix: '/assets/',
      decorateReply: false,
      setHeaders: keepFor('public, max-age=31536000, immutable'),
    });
    await app.register(fastifyStatic, {
      ...files,
      root: folder,
      wildcard: false,
      globIgnore: ['assets/**'],
      setHeaders: keepFor('no-cache'),
    });
  }
  app.setNotFoundHandler((request, reply) => {
    const wantsPage = request.method === 'GET' && (request.headers.accept ?? '').includes('text/html');
    const isPage = !/^\/(api|dev|sandbox|health|metrics|assets)(\/|$)/.test(request.url);
    if (built && wantsPage && isPage) {
      if (existsSync(index)) return reply.header('cache-control', 'no-cache').sendFile('index.html');
      const headers = {
        'cache-control': 'no-store',
        'retry-after': '3',
        'content-type': 'text/html; charset=utf-8',
      };
      return reply.code(503).headers(headers).send(between);
    }
    const error = new AppError('request/unknown-operation');
    return reply.code(404).header('cache-control', 'no-store').send(errorBody(error, request.id));
  });
}

/** For the seconds between two builds; reloads itself. */
const between = `<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="3">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>Nearhand</title>
<p>A new version of Nearhand is being put in place. This page loads again by itself.</p>`;
