import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../clock.ts';
import { sha256 } from '../sign.ts';

/** API calls of a page's first screen, by path and query and the Cookie header. */
export type FirstCalls = (url: string, cookies: string) => string[];

type Composed = { plain: Buffer; br: Buffer; gzip: Buffer; etag: string; styles: string; scripts: string };

/** Reuse time of a composed page, which bounds searches per place. */
const cacheMs = 1_000;
const pagesMax = 200;
/** Time limit of the calls; the page can repeat them itself. */
const answersWithinMs = 300;

const hashesOf = (html: string, tags: RegExp): string =>
  [...html.matchAll(tags)]
    .map(([, text = '']) => ` 'sha256-${createHash('sha256').update(text).digest('base64')}'`)
    .join('');

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);
// Compressed per composition, not per request: quality 5 takes a millisecond for 30 KB.
const params = { [constants.BROTLI_PARAM_QUALITY]: 5 };

/** Inlines a guest's first responses, and allows the build's inline styles and script by hash (ADR 221). */
export function createFirstPages(app: FastifyInstance, clock: Clock) {
  const cache = new Map<string, { at: number; page: Promise<Composed> }>();

  async function answer(url: string, ip: string): Promise<[string, unknown][]> {
    const { statusCode, payload } = await app.inject({ url, remoteAddress: ip });
    return statusCode === 200 ? [[url, JSON.parse(payload)]] : [];
  }

  async function compose(file: string, calls: readonly string[], ip: string): Promise<Composed> {
    const html = await readFile(file, 'utf8');
    const late = new Promise<[]>((resolve) => setTimeout(resolve, answersWithinMs, []).unref());
    const answersByCall = await Promise.all(calls.map((url) => Promise.race([answer(url, ip), late])));
    const answers = Object.fromEntries(answersByCall.flat());
    const at = clock.now().getTime();
    const data = JSON.stringify({ at, answers }).replaceAll('<', '\\u003c');
    const plain = Buffer.from(
      html.replace('</body>', () => `<script type="application/json" id="answers">${data}</script></body>`),
    );
    return {
      plain,
      br: await brotli(plain, { params }),
      gzip: await gzipped(plain),
      etag: `"${sha256(plain).slice(0, 27)}"`,
      styles: hashesOf(html, /<style>([\s\S]*?)<\/style>/g),
      scripts: hashesOf(html, /<script>([\s\S]*?)<\/script>/g),
    };
  }

  async function composed(file: string, calls: readonly string[], ip: string): Promise<Composed> {
    // A build may change the file while the server runs.
    const { mtimeMs } = await stat(file);
    const key = [file, mtimeMs, ...calls].join(' ');
    const cached = cache.get(key);
    const at = clock.now().getTime();
    if (cached && Math.abs(at - cached.at) < cacheMs) return cached.page;
    const page = compose(file, calls, ip);
    page.catch(() => cache.delete(key));
    cache.delete(key);
    cache.set(key, { at, page });
    const [oldest] = cache.keys();
    if (cache.size > pagesMax && oldest) cache.delete(oldest);
    return page;
  }

  return async (request: FastifyRequest, reply: FastifyReply, file: string, calls: readonly string[]) => {
    const page = await composed(file, calls, request.ip);
    const policy = String(reply.raw.getHeader('content-security-policy') ?? '');
    void reply.code(200).headers({
      'cache-control': 'no-cache',
      'content-type': 'text/html; charset=utf-8',
      vary: 'accept-encoding',
      etag: page.etag,
      ...(policy
        ? {
            'content-security-policy': policy
              .replace(/style-src 'self'/, `$&${page.styles}`)
              .replace(/script-src 'self'/, `$&${page.scripts}`),
          }
        : {}),
    });
    if (request.headers['if-none-match']?.includes(page.etag)) return reply.code(304).send();
    const accepted = String(request.headers['accept-encoding'] ?? '');
    const encoding = (['br', 'gzip'] as const).find((name) => new RegExp(`\\b${name}\\b`).test(accepted));
    if (encoding) reply.header('content-encoding', encoding);
    return reply.send(page[encoding ?? 'plain']);
  };
}
