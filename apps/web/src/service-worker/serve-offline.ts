import { howToAnswer } from './offline-answers.rules.ts';
import type { WorkerFetch, WorkerScope } from './worker-scope.ts';

/** After this long without an answer the page comes from the device: the network is there in name only. */
const patienceMs = 4_000;
const page = '/index.html';

/** A file that the worker keeps. `revision` is null where the name carries the content. */
export type KeptFile = { url: string; revision: string | null };

type Files = {
  /** The files to keep, all of this build. */
  list: readonly KeptFile[];
  /** The kept file of a path. */
  find: (path: string) => Promise<Response | undefined>;
  fetch: typeof fetch;
};

/**
 * Starts the app without a network from the files that the worker keeps (ADR 103). Whatever the network answers in time is shown instead, so a visitor with a
 * network never sees an old app; an answer that says the server is down is not better than the app, which says so itself.
 */
export function serveOffline(worker: WorkerScope, { list, find, fetch }: Files): void {
  const cachedPaths = new Set(list.filter(({ revision }) => revision !== null).map(({ url }) => url));
  const { origin } = worker.location;

  async function fromDeviceFirst(request: Request, path: string): Promise<Response> {
    return (await find(path)) ?? fetch(request);
  }

  /** The kept page says that the network did not answer: the app starts as offline (ADR 103). */
  async function findMarked(path: string): Promise<Response | undefined> {
    const file = await find(path);
    if (!file || path !== page) return file;
    const headers = new Headers(file.headers);
    // Of the body as it was sent.
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
      // An error comes from our side: there is a network.
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
    // Pages are asked for while the worker starts, so it costs no time.
    event.waitUntil(worker.registration.navigationPreload?.enable() ?? Promise.resolve()),
  );
  worker.addEventListener('message', (event) => {
    if (event.data === 'which-app') event.ports[0]?.postMessage(appScript(list));
    if (event.data === 'take-over') event.waitUntil(worker.skipWaiting());
  });
}

/** Every answer of the server has it, and no page of a hotel's network. */
const ownHeader = 'x-request-id';

/** Whether this is a page of ours, or leads to another. A proxy in front of the server may have dropped the header; then the page itself tells. */
async function isOurPage(response: Response): Promise<boolean> {
  if (response.type === 'opaqueredirect' || response.headers.has(ownHeader)) return true;
  return (await response.clone().text()).includes('<div id="root"');
}

/** None of the files is a page. */
const isOurFile = async ({ headers }: Response): Promise<boolean> =>
  headers.has(ownHeader) || !headers.get('content-type')?.startsWith('text/html');

/** The first script of the app in these files, whose name is a hash of it. */
export const appScript = (list: readonly KeptFile[]): string | undefined =>
  list.find(({ url }) => /^\/assets\/app-[^/]+\.js$/.test(url))?.url;
