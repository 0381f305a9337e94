import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { AppError } from '../app-error.ts';
import type { Clock } from '../clock.ts';
import { errorBody } from './error-mapper.ts';
import { createFirstPages, type FirstCalls } from './inline-initial-data.ts';
import { limitNetworks, networkLimit } from './overload/caller-limits.ts';

type WebAppParts = {
  perMinute: number;
  /** True if browsers keep the app for offline use (ADR 103). */
  offline: boolean;
  clock: Clock;
  firstCalls: FirstCalls;
};

/** Unknown API and file paths are a 404: HTML for a missing script looks like a broken app (ADR 103). */
export async function registerWebApp(
  app: FastifyInstance,
  folder: string,
  { perMinute, offline, clock, firstCalls }: WebAppParts,
): Promise<void> {
  const limit = networkLimit(perMinute);
  limitNetworks(app, limit);
  const index = join(folder, 'index.html');
  const built = existsSync(index);
  if (built) {
    const files = { preCompressed: true, cacheControl: false };
    const keepFor = (rule: string) => (reply: FastifyReply) => void reply.header('cache-control', rule);
    // Looked up per request, since a build may add files while the server runs.
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
      // Explore's page is served at `/`.
      index: false,
      globIgnore: ['assets/**', 'pages/**', 'operator.html*', 'service-worker*'],
      setHeaders: keepFor('no-cache'),
    });
  }
  if (built) {
    const worker = offline ? 'service-worker.js' : 'service-worker-off.js';
    app.get('/service-worker.js', (_request, reply) =>
      existsSync(join(folder, worker))
        ? reply.header('cache-control', 'no-cache').sendFile(worker)
        : reply.callNotFound(),
    );
  }
  if (built)
    for (const url of ['/operator', '/operator/*'])
      app.get(url, (_request, reply) =>
        existsSync(join(folder, 'operator.html'))
          ? reply.headers(consoleHeaders).sendFile('operator.html')
          : reply.callNotFound(),
      );
  const sendFirstPage = createFirstPages(app, clock);
  app.setNotFoundHandler({ preHandler: limit }, (request, reply) => {
    // Link previews accept anything (`*/*`) or send no header.
    const wantsPage =
      /^(GET|HEAD)$/.test(request.method) && /text\/html|\*\/\*/.test(request.headers.accept ?? '*/*');
    const [path = ''] = request.url.split('?');
    const isPage =
      !/^\/(api|dev|sandbox|health|metrics|assets|\.well-known)(\/|$)/.test(path) && !fileName.test(path);
    if (built && wantsPage && isPage) {
      if (existsSync(index)) {
        const prerendered = drawnPage(folder, request.url);
        const calls = firstCalls(request.url, request.headers.cookie ?? '');
        if (prerendered || calls.length > 0)
          return sendFirstPage(request, reply, join(folder, prerendered ?? 'index.html'), calls);
        return reply.header('cache-control', 'no-cache').sendFile('index.html');
      }
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

/** A page prerendered at build (ADR 221); never with a query, which the build doesn't know. */
function drawnPage(folder: string, url: string): string | null {
  const path = url === '/' ? '/tabs/menu/explore' : url;
  if (!/^(\/[a-z-]+)+$/.test(path)) return null;
  const page = join('pages', `${path.slice(1).replaceAll('/', '~')}.html`);
  return existsSync(join(folder, page)) ? page : null;
}

/** A last segment with an extension, or hidden such as `.git/config`: no page has either. */
const fileName = /(\.|%2e)[a-z0-9]{1,12}$|\/(\.|%2e)/i;

/** The operators' console is a separate app without map, worker and other origins (ADR 176). */
const consoleHeaders = {
  'cache-control': 'no-cache',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    // A PDF of a case in the browser's own viewer, from bytes that the console has fetched (ADR 415).
    'frame-src blob:',
    'object-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-robots-tag': 'noindex, nofollow',
};

/** Shown while a build replaces the files; reloads itself. */
const between = `<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="3">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>Nearhand</title>
<p>A new version of Nearhand is being put in place. This page loads again by itself.</p>`;
