// @vitest-environment node
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { howToAnswer, type StoredStepFile, serveOffline } from './serve-offline.ts';
import type { WorkerScope } from './worker-scope.ts';

const origin = 'https://nearhand.example';
const list: StoredStepFile[] = [
  { url: '/index.html', revision: 'a1' },
  { url: '/start.js', revision: 'b2' },
  { url: '/assets/app-lock-one.js', revision: null },
  { url: '/assets/app-one.js', revision: null },
];
const first = ['/index.html', '/start.js', '/assets/app-one.js'];

describe('howToAnswer', () => {
  const cachedPaths = new Set(['/index.html', '/start.js']);
  const responseFor = (url: string, mode = 'cors', method = 'GET') =>
    howToAnswer({ url: new URL(url, origin).href, mode, method }, origin, cachedPaths);

  it.each([
    ['/', 'navigate', 'page'],
    ['/tabs/menu/my-work?tab=today', 'navigate', 'page'],
    ['/job-desc/x', 'navigate', 'page'],
    ['/jobsearch', 'navigate', 'page'],
    ['/assets/app-one.js', 'cors', 'kept-file'],
    ['/assets/app-one.js', 'navigate', 'kept-file'],
    ['/start.js', 'no-cors', 'fresh-file'],
    ['/', 'cors', null],
    ['/favicon-32.png', 'no-cors', null],
  ])('%s requested as %s: %s', (url, mode, expected) => {
    expect(responseFor(url, mode)).toBe(expected);
  });

  it.each([
    '/api/engagements',
    '/api',
    '/operator',
    '/operator/cases',
    '/j/barista-abc',
    '/jobs/utrecht/cafe',
    '/sandbox/pay',
    '/.well-known/security.txt',
    '/health/ready',
    'https://elsewhere.example/assets/app-one.js',
  ])('leaves %s to the browser, for any kind of request', (url) => {
    expect(responseFor(url, 'navigate')).toBeNull();
    expect(responseFor(url)).toBeNull();
  });

  it('never handles a write', () => {
    expect(responseFor('/tabs/menu/my-work', 'navigate', 'POST')).toBeNull();
  });
});

describe('serveOffline', () => {
  const network = vi.fn<(request: Request) => Promise<Response>>();
  const received = new Map<string, (event: never) => void>();
  let file = (path: string) => new Response(`kept ${path}`);
  const skipWaiting = vi.fn(async () => {});
  const enable = vi.fn(async () => {});

  beforeEach(() => {
    vi.useFakeTimers();
    received.clear();
    file = (path) => new Response(`kept ${path}`);
    network.mockReset();
    const worker = {
      location: { origin },
      registration: { navigationPreload: { enable } },
      skipWaiting,
      addEventListener: (name: string, listener: (event: never) => void) => received.set(name, listener),
    } as unknown as WorkerScope;
    const find = async (path: string) => (list.some(({ url }) => url === path) ? file(path) : undefined);
    serveOffline(worker, { list, first, find, fetch: network as unknown as typeof fetch });
  });
  afterEach(() => vi.useRealTimers());

  function open(
    path: string,
    mode = 'navigate',
    preloaded?: Promise<Response>,
  ): Promise<Response> | undefined {
    let response: Promise<Response> | undefined;
    const event = {
      request: { url: origin + path, method: 'GET', mode },
      preloadResponse: preloaded ?? Promise.resolve(undefined),
      respondWith: (promise: Promise<Response>) => {
        response = promise;
      },
    };
    received.get('fetch')?.(event as never);
    return response;
  }
  const text = async (response: Promise<Response> | undefined) => (await response)?.text();

  const ours = (body: string) => new Response(body, { headers: { 'x-request-id': 'r1' } });

  it("serves the network's page while there is one, even when the browser asked first", async () => {
    network.mockResolvedValue(ours('fresh'));
    expect(await text(open('/tabs/menu/my-work'))).toBe('fresh');
    const preloaded = Promise.resolve(ours('asked first'));
    expect(await text(open('/tabs/menu/my-work', 'navigate', preloaded))).toBe('asked first');
    expect(network).toHaveBeenCalledTimes(1);
  });

  it('starts from the device without a network, for a server that is down, and after four seconds', async () => {
    network.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    expect(await text(open('/tabs/menu/my-work'))).toBe('kept /index.html');
    network.mockResolvedValueOnce(new Response('bad gateway', { status: 502 }));
    expect(await text(open('/chat/c1'))).toBe('kept /index.html');
    network.mockReturnValueOnce(new Promise(() => {}));
    const slow = text(open('/'));
    await vi.advanceTimersByTimeAsync(4_000);
    expect(await slow).toBe('kept /index.html');
  });

  it('starts from the device for a foreign page, and recognizes ours behind a proxy that drops headers', async () => {
    const html = { headers: { 'content-type': 'text/html; charset=utf-8' } };
    network.mockImplementation(async () => new Response('<h1>Welcome to Hotel Wifi</h1>', html));
    expect(await text(open('/tabs/menu/my-work'))).toBe('kept /index.html');
    expect(await text(open('/start.js', 'no-cors'))).toBe('kept /start.js');
    network.mockImplementation(async () => new Response('<body><div id="root"></div>', html));
    expect(await text(open('/tabs/menu/my-work'))).toBe('<body><div id="root"></div>');
    network.mockImplementation(
      async () => new Response('start()', { headers: { 'content-type': 'text/javascript' } }),
    );
    expect(await text(open('/start.js', 'no-cors'))).toBe('start()');
  });

  it('marks a page that it starts without a network response, and only then', async () => {
    const cachedPage = '<html data-kept lang="en">';
    file = () =>
      new Response('<html lang="en">', {
        headers: {
          'content-type': 'text/html',
          'content-security-policy': "default-src 'self'",
          'content-encoding': 'br',
        },
      });
    network.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    const page = await open('/tabs/menu/my-work');
    expect(await page?.text()).toBe(cachedPage);
    expect([...(page?.headers.keys() ?? [])]).toEqual(['content-security-policy', 'content-type']);
    network.mockResolvedValueOnce(new Response('<h1>Welcome to Hotel Wifi</h1>'));
    expect(await text(open('/tabs/menu/my-work'))).toBe(cachedPage);
    network.mockResolvedValueOnce(new Response('bad gateway', { status: 502 }));
    expect(await text(open('/tabs/menu/my-work'))).toBe('<html lang="en">');
    network.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    expect(await text(open('/start.js', 'no-cors'))).toBe('<html lang="en">');
  });

  it('follows a redirect', async () => {
    const redirect = { type: 'opaqueredirect', status: 0, headers: new Headers() } as Response;
    network.mockResolvedValueOnce(redirect);
    expect(await open('/tabs/menu/my-work')).toBe(redirect);
  });

  it('passes on requests for other files', async () => {
    network.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    await expect(open('/assets/map-view-two.js', 'cors')).rejects.toThrow('Failed to fetch');
    expect(open('/api/engagements', 'cors')).toBeUndefined();
    expect(open('/favicon-32.png', 'no-cors')).toBeUndefined();
  });

  it('never requests a stored file from the network', async () => {
    expect(await text(open('/assets/app-one.js', 'cors'))).toBe('kept /assets/app-one.js');
    expect(network).not.toHaveBeenCalled();
  });

  it("returns its app's version, and takes over on request", async () => {
    const channel = new MessageChannel();
    const said = new Promise((resolve) => {
      channel.port1.onmessage = ({ data }) => resolve(data);
    });
    const message = received.get('message') as ((event: unknown) => void) | undefined;
    message?.({ data: 'which-app', ports: [channel.port2], waitUntil: () => {} });
    expect(await said).toBe('/assets/app-one.js');
    channel.port1.close();
    expect(skipWaiting).not.toHaveBeenCalled();
    message?.({ data: 'take-over', ports: [], waitUntil: () => {} });
    expect(skipWaiting).toHaveBeenCalledTimes(1);
  });
});
