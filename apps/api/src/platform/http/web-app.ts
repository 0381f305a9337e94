import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, preHandlerHookHandler } from 'fastify';
import { AppError } from '../app-error.ts';
import type { Clock } from '../clock.ts';
import { limitNetworks } from './caller-network.ts';
import { errorBody } from './error-mapper.ts';
import { createFirstPages, type FirstCalls } from './inline-initial-data.ts';

type WebAppParts = {
  perMinute: number;
  /** True if browsers keep the app to start it without a network (ADR 103). */
  offline: boolean;
  clock: Clock;
  firstCalls: FirstCalls;
};

/**
 * Serves the built web app: hashed files cached forever, `index.html` never cached and served for every page path, since routes are
 * client-side. Unknown API and file paths are an uncached 404: an HTML page in place of a missing script or picture would look like a broken
 * app (ADR 103).
 */
export async function registerWebApp(
  app: FastifyInstance,
  folder: string,
  { perMinute, offline, clock, firstCalls }: WebAppParts,
): Promise<void> {
  await limitNetworks(app, perMinute);
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
      // The page of `/` is Explore's.
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
  const limit = app.rateLimit() as preHandlerHookHandler;
  const sendFirstPage = createFirstPages(app, clock);
  app.setNotFoundHandler({ preHandler: limit }, (request, reply) => {
    // Link previews ask for anything (`*/*`), or do not say what they want.
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

/** The file of a page that was drawn at build (ADR 221), if there is one. Without a query only: what it says then is not known at build. */
function drawnPage(folder: string, url: string): string | null {
  const path = url === '/' ? '/tabs/menu/explore' : url;
  if (!/^(\/[a-z-]+)+$/.test(path)) return null;
  const page = join('pages', `${path.slice(1).replaceAll('/', '~')}.html`);
  return existsSync(join(folder, page)) ? page : null;
}

/** Matches a last segment with an extension, or a hidden one such as `.git/config`: no page of the app has either. */
const fileName = /(\.|%2e)[a-z0-9]{1,12}$|\/(\.|%2e)/i;

/**
 * The operators' console is an app of its own (ADR 182): it needs no map, no worker and no other origin, and no search engine shows it.
 */
const consoleHeaders = {
  'cache-control': 'no-cache',
  'content-security-policy': [
    ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "font-src 'self'"],
    ...["img-src 'self' data: blob:", "connect-src 'self'", "base-uri 'none'", "form-action 'none'"],
    "frame-ancestors 'none'",
  ].join('; '),
  'x-robots-tag': 'noindex, nofollow',
};

/** Page shown between two builds; it reloads itself. */
const between = `<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="3">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>Nearhand</title>
<p>A new version of Nearhand is being put in place. This page loads again by itself.</p>`;
