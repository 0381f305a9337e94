import type { WorkerFetch, WorkerScope } from './worker-scope.ts';

/** The page is served from the cache after this long without a response. */
const patienceMs = 4_000;
const page = '/index.html';

/** A cached file. `revision` is null if the name contains a hash. */
export type StoredStepFile = { url: string; revision: string | null };

type Files = {
  list: readonly StoredStepFile[];
  /** Paths of the files that the page loads first. */
  first: readonly string[];
  find: (path: string) => Promise<Response | undefined>;
  fetch: typeof fetch;
};

/** Starts the app from cached files (ADR 103). A timely response takes precedence, unless it is a 5xx. */
export function serveOffline(worker: WorkerScope, { list, first, find, fetch }: Files): void {
  const cachedPaths = new Set(list.filter(({ revision }) => revision !== null).map(({ url }) => url));
  const { origin } = worker.location;

  async function fromDeviceFirst(request: Request, path: string): Promise<Response> {
    return (await find(path)) ?? fetch(request);
  }

  /** Marks the cached page with `data-kept`, so that the app starts in offline mode (ADR 103). */
  async function findMarked(path: string): Promise<Response | undefined> {
    const file = await find(path);
    if (!file || path !== page) return file;
    const headers = new Headers(file.headers);
    // These headers describe the body as it was sent.
    for (const name of ['content-encoding', 'content-length']) headers.delete(name);
    return new Response((await file.text()).replace('<html', '<html data-kept'), { headers });
  }

  async function fromNetworkFirst(
    answer: Promise<Response>,
    path: string,
    isOurs: (response: Response) => Promise<boolean>,
  ): Promise<Response> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tooLong = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), patienceMs);
    });
    try {
      const first = await Promise.race([answer, tooLong]);
      if (first && first.status < 500 && (await isOurs(first))) return first;
      // A 5xx comes from the server, so there is a network and the page is not marked.
      const file = await (first && first.status >= 500 ? find(path) : findMarked(path));
      return file ?? first ?? (await answer);
    } catch (failure) {
      const file = await findMarked(path);
      if (file) return file;
      throw failure;
    } finally {
      clearTimeout(timer);
    }
  }

  const respond = (event: WorkerFetch): Promise<Response> | null => {
    const { request } = event;
    const { pathname } = new URL(request.url);
    switch (howToAnswer(request, origin, cachedPaths)) {
      case 'kept-file':
        return fromDeviceFirst(request, pathname);
      case 'fresh-file':
        return fromNetworkFirst(fetch(request), pathname, isOurFile);
      case 'page':
        return fromNetworkFirst(
          event.preloadResponse.then((preloaded) => preloaded ?? fetch(request)),
          page,
          isOurPage,
        );
      case null:
        return null;
    }
  };
  worker.addEventListener('fetch', (event) => {
    const response = respond(event);
    if (response) event.respondWith(response);
  });
  worker.addEventListener('activate', (event) =>
    // Page requests then run while the worker starts.
    event.waitUntil(worker.registration.navigationPreload?.enable() ?? Promise.resolve()),
  );
  worker.addEventListener('message', (event) => {
    if (event.data === 'which-app') event.ports[0]?.postMessage(appScript(first));
    if (event.data === 'take-over') event.waitUntil(worker.skipWaiting());
  });
}

/** Every response of the server has this header; a captive portal's page does not. */
const ownHeader = 'x-request-id';

/** A proxy may have dropped the header, so the page itself is checked too. */
async function isOurPage(response: Response): Promise<boolean> {
  if (response.type === 'opaqueredirect' || response.headers.has(ownHeader)) return true;
  return (await response.clone().text()).includes('<div id="root"');
}

const isOurFile = async ({ headers }: Response): Promise<boolean> =>
  headers.has(ownHeader) || !headers.get('content-type')?.startsWith('text/html');

/** A part of the app may begin with `app-` too, so only files that the page names count. */
const appScript = (first: readonly string[]): string | undefined =>
  first.find((url) => /^\/assets\/app-[^/]+\.js$/.test(url));

type Answer = 'kept-file' | 'page' | 'fresh-file' | null;

/** Paths that the server renders or answers itself; the app has no page there. */
const notOfTheApp =
  /^\/(api|dev|sandbox|health|metrics|operator|j|b|r|jobs|page-fonts|pictures|sitemaps|sitemap\.xml|robots\.txt|\.well-known)(\/|$)/;

/** Hashed files come from the cache, pages from the network first. The API, with personal data, is never cached. */
export function howToAnswer(
  { method, mode, url }: { method: string; mode: string; url: string },
  origin: string,
  cachedPaths: ReadonlySet<string>,
): Answer {
  const { origin: targetOrigin, pathname } = new URL(url);
  if (method !== 'GET' || targetOrigin !== origin) return null;
  if (pathname.startsWith('/assets/')) return 'kept-file';
  if (notOfTheApp.test(pathname)) return null;
  if (mode === 'navigate') return 'page';
  return cachedPaths.has(pathname) ? 'fresh-file' : null;
}
