import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGzip, gunzip, gzip } from 'node:zlib';
import { addMs, dayMs } from '@nearhand/contract/durations';
import { publicPages } from '@nearhand/contract/hiring/public-pages';
import {
  isSourceCode,
  listQueryMax,
  publicBusinessPath,
  publicJobPath,
  shortIdIn,
  shortIdPattern,
  signedInCookie,
  sourceParameter,
} from '@nearhand/contract/hiring/public-pages.rules';
import { isId } from '@nearhand/contract/ids';
import { type CategoryId, categoryIds } from '@nearhand/contract/people/taxonomy';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ReadDb } from '../../platform/db.ts';
import { read } from '../../platform/http/bind.ts';
import { limitNetworks, networkLimit } from '../../platform/http/overload/caller-limits.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { createGate } from '../../platform/process/concurrency-limit.ts';
import { sha256 } from '../../platform/sign.ts';
import { pageFonts } from './fonts/page-fonts.ts';
import { applyPath, gonePage, jobPage, picturePath, unknownJobPage } from './job-page.ts';
import { businessPage, jobsPage, townPage } from './list-pages.ts';
import { pagePolicy } from './page-layout.ts';
import { type PageView, viewFor } from './page-view.ts';
import { addressedJob, allJobs, type OpenJob, publicBusiness, publicJob, townJobs } from './public-pages.ts';
import { listSitemap, robotsText, sitemapFile, sitemapIndex } from './sitemaps.ts';

type Page = { status: number; path: string | null; etag: string; zipped: Buffer };
type PageDraft = { status: number; path: string | null; text: string };

type PageCache = { get(key: string, make: () => Promise<PageDraft>): Promise<Page> };

const zip = promisify(gzip);
const unzip = promisify(gunzip);

async function toPage({ status, path, text }: PageDraft): Promise<Page> {
  const etag = `W/"${sha256(text).slice(0, 16)}"`;
  return { status, path, etag, zipped: await zip(text) };
}

const pageText = async (page: Page): Promise<string> => (await unzip(page.zipped)).toString();

/** A closed job disappears everywhere within a minute, including the 30 s of other caches. */
export const pageKeptMs = 20_000;

/** A least-recently-used cache of at most `maxEntries`. */
function createLru<Value>(maxEntries: number) {
  const entries = new Map<string, Value>();
  const set = (key: string, value: Value) => {
    entries.delete(key);
    entries.set(key, value);
    if (entries.size > maxEntries) entries.delete(entries.keys().next().value ?? '');
  };
  return {
    set,
    get(key: string): Value | undefined {
      const value = entries.get(key);
      if (value !== undefined) set(key, value);
      return value;
    },
    /** Drops the entry unless another one took its place. */
    drop(key: string, value: Value): void {
      if (entries.get(key) === value) entries.delete(key);
    },
  };
}

/** Concurrent requests share one page. Unknown addresses are not cached. */
export function createPageCache(clock: Clock, maxEntries: number): PageCache {
  const pages = createLru<{ at: number; page: Promise<Page> }>(maxEntries);
  return {
    get(key, make) {
      const now = clock.now().getTime();
      const cached = pages.get(key);
      if (cached && Math.abs(now - cached.at) < pageKeptMs) return cached.page;
      const entry = { at: now, page: make().then(toPage) };
      pages.set(key, entry);
      const drop = () => pages.drop(key, entry);
      entry.page.then((page) => page.status === 404 && drop(), drop);
      return entry.page;
    },
  };
}

const picturesMax = 200;
/** Drawing takes about 100 ms of CPU, so pictures are drawn one at a time. */
const picturesWaiting = 20;

/** The drawing code is loaded with the first picture (ADR 254). */
async function drawPicture(job: OpenJob): Promise<Buffer> {
  const { jobPicture } = await import('./job-picture.ts');
  return jobPicture(job);
}

function registerPageFiles(site: FastifyInstance, { db, scope }: { db: ReadDb; scope: Scope<null> }): void {
  for (const { path, bytes } of Object.values(pageFonts))
    site.get(path, (_request, reply) =>
      reply
        .headers({ 'content-type': 'font/woff2', 'cache-control': 'public, max-age=31536000, immutable' })
        .send(bytes),
    );

  const gate = createGate(1, picturesWaiting);
  const pictures = createLru<Promise<Buffer>>(picturesMax);
  const onRequest = networkLimit(Math.ceil(scope.config.PUBLIC_PAGES_PER_MINUTE / 10));
  site.get<{ Params: { file: string } }>('/pictures/:file', { onRequest }, async (request, reply) => {
    const [, shortId = '', version] = /^job-(.{10})-(\d{1,9})\.png$/.exec(request.params.file) ?? [];
    const page = shortIdPattern.test(shortId) ? await publicJob(db, scope, shortId) : null;
    if (page?.kind !== 'open') throw new AppError('request/unknown-operation');
    if (String(page.job.version) !== version) return reply.redirect(picturePath(page.job), 302);
    const etag = `"${shortId}-${version}"`;
    const headers = { 'content-type': 'image/png', 'cache-control': 'public, max-age=86400', etag };
    if (request.headers['if-none-match'] === etag) return reply.headers(headers).code(304).send();
    const picture = pictures.get(etag) ?? gate(() => drawPicture(page));
    pictures.set(etag, picture);
    picture.catch(() => pictures.drop(etag, picture));
    const bytes = await picture;
    return reply.headers({ ...headers, 'cross-origin-resource-policy': 'cross-origin' }).send(bytes);
  });
}

export type PublicPagesParts = { db: ReadDb; scope: Scope<null> };

type PageKey = readonly (string | boolean | undefined)[];
type MakePage = () => Promise<PageDraft>;
type PageOf = (key: PageKey, make: MakePage) => Promise<Page>;
type InView = (view: PageView, key: PageKey, make: MakePage) => Promise<Page>;
type Named = { Params: { name: string }; Querystring: Record<string, unknown> };
type Listing = { Params: { town?: string; category?: string }; Querystring: Record<string, unknown> };

const pagesMax = 2_000;
/** Renders about a hundred pages a second; requests beyond the queue get a 503, which crawlers respect. */
const pagesAtOnce = 1;
const pagesWaiting = 50;
const restBetweenPagesMs = 5;
const filesAtOnce = 2;

/**
 * Pages for people and search engines, outside the contract. They never read a session: a cookie that names nobody
 * sends verified users to the app (ADR 153).
 */
export async function registerPublicPages(
  site: FastifyInstance,
  { db, scope }: PublicPagesParts,
): Promise<void> {
  const { config } = scope;
  const publicUrl = config.PUBLIC_URL;
  const cache = createPageCache(scope.clock, pagesMax);
  const gate = createGate(pagesAtOnce, pagesWaiting, restBetweenPagesMs);
  // JSON distinguishes `?after=undefined` from a missing `after`.
  const pageOf: PageOf = (key, make) => cache.get(JSON.stringify(key), () => gate(make));
  const inView: InView = (view, key, make) => pageOf([view.language, view.languageInAddress, ...key], make);

  limitNetworks(site, networkLimit(config.PUBLIC_PAGES_PER_MINUTE));
  registerJobPage(site, { db, scope }, inView);
  registerBusinessPage(site, { db, scope }, inView);
  registerListings(site, { db, scope }, inView);
  registerPageFiles(site, { db, scope });
  registerSitemaps(site, { db, publicUrl, perFile: config.SITEMAP_FILE_ROWS, pageOf });
  registerWellKnown(site, publicUrl, scope.clock);
}

function registerJobPage(site: FastifyInstance, { db, scope }: PublicPagesParts, inView: InView): void {
  site.get<Named>('/j/:name', async (request, reply) => {
    const shortId = shortIdIn(request.params.name);
    const view = requestedView(request);
    const page = await (shortId === null
      ? toPage(notFound(view, 'job'))
      : inView(view, ['j', shortId], async () => {
          const job = await publicJob(db, scope, shortId);
          if (job === null) return notFound(view, 'job');
          if (job.kind === 'gone') {
            const text = gonePage(view, job, `/j/${shortId}`);
            return { status: 410, path: null, text };
          }
          const text = jobPage(view, job, {
            publicUrl: scope.config.PUBLIC_URL,
            decideByDays: scope.config.DECIDE_BY_DAYS,
            now: scope.clock.now(),
          });
          return { status: 200, path: publicJobPath(job.job), text };
        }));
    const { [sourceParameter]: sourceText } = request.query;
    const source = isSourceCode(sourceText) ? sourceText : null;
    if (shortId !== null && page.status !== 404 && isSignedIn(request)) {
      const { jobId } = await addressedJob(db, scope, { shortId });
      return reply.headers({ 'cache-control': 'private, no-store' }).redirect(`/job-desc/${jobId}`, 302);
    }
    if (redirectToCanonical(request, reply, page, source)) return reply;
    return sendPage(
      request,
      reply,
      page.status === 200 && source !== null ? await fromSource(page, source) : page,
    );
  });
}

function registerBusinessPage(site: FastifyInstance, { db, scope }: PublicPagesParts, inView: InView): void {
  site.get<Named>('/b/:name', async (request, reply) => {
    const shortId = shortIdIn(request.params.name);
    const after = textIn(request.query.after);
    const view = requestedView(request);
    const page = await (shortId === null
      ? toPage(notFound(view, 'business'))
      : inView(view, ['b', shortId, after], async () => {
          const content = await firstOr404(publicBusiness(db, scope, shortId, after));
          if (content === null) return notFound(view, 'business');
          const text = businessPage(view, content, scope.config.PUBLIC_URL, after === undefined);
          return { status: 200, path: publicBusinessPath(content.business), text };
        }));
    return redirectToCanonical(request, reply, page, null) ? reply : sendPage(request, reply, page);
  });
}

function registerListings(site: FastifyInstance, { db, scope }: PublicPagesParts, inView: InView): void {
  const publicUrl = scope.config.PUBLIC_URL;
  site.get<Listing>('/jobs', async (request, reply) => {
    const after = textIn(request.query.after);
    const towns = textIn(request.query.towns);
    const view = requestedView(request);
    const page = await inView(view, ['jobs', after, towns], async () => {
      const content = await firstOr404(allJobs(db, after, towns));
      if (content === null) return notFound(view, 'page');
      return {
        status: 200,
        path: null,
        text: jobsPage(view, content, publicUrl, after === undefined && towns === undefined),
      };
    });
    return sendPage(request, reply, page);
  });

  for (const path of ['/jobs/:town', '/jobs/:town/:category'])
    site.get<Listing>(path, async (request, reply) => {
      const { town = '', category } = request.params;
      const after = textIn(request.query.after);
      const view = requestedView(request);
      const page = await (!isTown(town) || (category !== undefined && !isCategory(category))
        ? toPage(notFound(view, 'page'))
        : inView(view, ['town', town, category, after], async () => {
            const content = await firstOr404(townJobs(db, town, category ?? null, after));
            if (content === null) return notFound(view, 'page');
            return { status: 200, path: null, text: townPage(view, content, publicUrl, after === undefined) };
          }));
      return sendPage(request, reply, page);
    });
}

const securityTextDays = 180;

function registerWellKnown(site: FastifyInstance, publicUrl: string, clock: Clock): void {
  // The address that password managers open.
  site.get('/.well-known/change-password', (_request, reply) => reply.redirect('/change-password', 302));

  // RFC 9116 requires an expiry within a year.
  site.get('/.well-known/security.txt', (_request, reply) => {
    const until = addMs(clock.now(), securityTextDays * dayMs).toISOString();
    const lines = [
      `Contact: ${publicUrl}/help-center`,
      `Expires: ${until}`,
      'Preferred-Languages: en',
      `Canonical: ${publicUrl}/.well-known/security.txt`,
    ];
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`);
  });
}

type SitemapParts = {
  db: ReadDb;
  publicUrl: string;
  perFile: number;
  pageOf: (key: PageKey, make: () => Promise<PageDraft>) => Promise<Page>;
};

const xml = { 'content-type': 'application/xml; charset=utf-8', 'cache-control': 'public, max-age=600' };

function registerSitemaps(site: FastifyInstance, { db, publicUrl, perFile, pageOf }: SitemapParts): void {
  site.get('/robots.txt', (_request, reply) =>
    reply
      .headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' })
      .send(robotsText(publicUrl)),
  );

  site.get('/sitemap.xml', async (_request, reply) => {
    const page = await pageOf(['sitemap'], async () => ({
      status: 200,
      path: null,
      text: await sitemapIndex(db, publicUrl, perFile),
    }));
    return reply.headers(xml).send(await pageText(page));
  });

  let streaming = 0;
  site.get<{ Params: { file: string } }>('/sitemaps/:file', (request, reply) => {
    const [, kind, from] =
      /^(jobs|businesses|lists)(?:-([0-9a-f-]{36}))?\.xml$/.exec(request.params.file) ?? [];
    let rows: ReturnType<typeof sitemapFile>;
    if (kind === 'lists' && from === undefined) rows = listSitemap(db, publicUrl, perFile);
    else if ((kind === 'jobs' || kind === 'businesses') && isId(from))
      rows = sitemapFile(db, publicUrl, { kind, from, perFile });
    else throw new AppError('request/unknown-operation');
    if (streaming >= filesAtOnce) throw new AppError('request/unavailable');
    streaming += 1;
    const stream = Readable.from(rows).once('close', () => {
      streaming -= 1;
    });
    if (!zips(request)) return reply.headers(xml).send(stream);
    return reply
      .headers({ ...xml, 'content-encoding': 'gzip', vary: 'accept-encoding' })
      .send(pipeline(stream, createGzip(), ended));
  });
}

type Asking = FastifyRequest<{ Querystring: Record<string, unknown> }>;

const requestedView = ({ query, headers }: Asking): PageView =>
  viewFor(query.lang, headers['accept-language']);

const notFound = (view: PageView, page: Parameters<typeof unknownJobPage>[1]): PageDraft => ({
  status: 404,
  path: null,
  text: unknownJobPage(view, page),
});

const firstOr404 = <Found>(read: Promise<Found>): Promise<Found | null> =>
  read.catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'request/bad-cursor') return null;
    throw error;
  });

const ended = (): void => {};

const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= listQueryMax && !value.includes('\u0000') ? value : undefined;
const isTown = (text: string): boolean => text !== '' && !/[\p{Cc}\s/]/u.test(text);
const isCategory = (text: string): text is CategoryId => (categoryIds as readonly string[]).includes(text);
const isSignedIn = ({ headers }: FastifyRequest): boolean =>
  (headers.cookie ?? '').split(/;\s*/).includes(`${signedInCookie}=1`);
const zips = (request: FastifyRequest): boolean =>
  /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));

// A closed job disappears everywhere within a minute, including this process's cache.
const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'public, max-age=30',
  'content-security-policy': pagePolicy,
  'referrer-policy': 'strict-origin-when-cross-origin',
  vary: 'accept-encoding',
};

function redirectToCanonical(
  request: FastifyRequest,
  reply: FastifyReply,
  { path }: Page,
  source: string | null,
): boolean {
  const [requestedPath = ''] = request.url.split('?');
  if (path === null || requestedPath === path) return false;
  const view = requestedView(request as Asking);
  const to = view.link(source === null ? path : `${path}?${sourceParameter}=${source}`);
  void reply.headers({ 'cache-control': pageHeaders['cache-control'] }).redirect(to, 301);
  return true;
}

async function fromSource(page: Page, source: string): Promise<Page> {
  const text = (await pageText(page)).replace(
    new RegExp(`"(${applyPath('[0-9a-f-]{36}')})(?:\\?(lang=[a-z]+))?"`, 'g'),
    (_link, path: string, lang?: string) =>
      `"${path}?${lang ? `${lang}&amp;` : ''}${sourceParameter}=${source}"`,
  );
  return toPage({ status: page.status, path: page.path, text });
}

async function sendPage(request: FastifyRequest, reply: FastifyReply, page: Page): Promise<FastifyReply> {
  const { language, languageInAddress } = requestedView(request as Asking);
  const vary = languageInAddress ? pageHeaders.vary : `${pageHeaders.vary}, accept-language`;
  reply.headers({ ...pageHeaders, vary, 'content-language': language, etag: page.etag });
  if (page.status === 200 && String(request.headers['if-none-match'] ?? '').includes(page.etag))
    return reply.code(304).send();
  reply.code(page.status);
  return zips(request)
    ? reply.header('content-encoding', 'gzip').send(page.zipped)
    : reply.send(await pageText(page));
}

export const publicPagesRoutes = { job: read(publicPages.job, addressedJob, { recent: true }) };
