import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const live = () => Response.json({ status: 'live' });
const portal = () => new Response('<h1>Welcome to Hotel Wifi</h1>', { status: 200 });
const lost = async (): Promise<Response> => {
  throw new TypeError('Failed to fetch');
};

const network = vi.fn<(url: string) => Response | Promise<Response>>();
const probes = () => network.mock.calls.filter(([url]) => url.endsWith('/health/live')).length;
let hidden = false;
const spies: { mockRestore: () => void }[] = [];
let forget = () => {};

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  spies.push(
    vi.spyOn(Math, 'random').mockReturnValue(0.5),
    vi.spyOn(document, 'hidden', 'get').mockImplementation(() => hidden),
  );
  hidden = false;
  network.mockReset().mockImplementation(live);
  vi.stubGlobal('fetch', async (target: Request | string, { signal }: RequestInit = {}) => {
    const aborted = new Promise<never>((_, reject) =>
      signal?.addEventListener('abort', () => reject(signal.reason)),
    );
    const url = typeof target === 'string' ? target : target.url;
    return Promise.race([network(url), aborted]);
  });
});
afterEach(() => {
  // Stops the previous test's module from probing.
  forget();
  delete document.documentElement.dataset.kept;
  vi.unstubAllGlobals();
  for (const spy of spies.splice(0)) spy.mockRestore();
  vi.useRealTimers();
});

const settle = () => vi.advanceTimersByTimeAsync(0);

async function start() {
  const online = await import('./online.ts');
  forget = online.reportAnswer;
  const { api } = await import('../api/api.ts');
  const { queryClient } = await import('../api/query.ts');
  const back = vi.fn();
  online.onBackOnline(back);
  const read = () => api.settings.get().catch((error: { code: string }) => error.code);
  return { ...online, read, back, queryClient };
}

async function unreached() {
  const device = await start();
  network.mockImplementation(lost);
  await device.read();
  await settle();
  expect(device.isOnline()).toBe(false);
  return device;
}

describe('a network that does not lead to our server', () => {
  it('counts as offline after a failed call and a failed probe', async () => {
    const { isOnline, read } = await start();
    network.mockImplementation(lost);
    expect(await read()).toBe('network/failed');
    await settle();
    expect(isOnline()).toBe(false);
    expect(navigator.onLine).toBe(true);
    expect(await read()).toBe('network/offline');
  });

  it('counts as offline if every address returns a sign-in page', async () => {
    const { isOnline, read } = await start();
    network.mockImplementation(portal);
    await read();
    await settle();
    expect(isOnline()).toBe(false);
  });

  it('counts as offline if the probe gets no response within five seconds', async () => {
    const { isOnline, read } = await start();
    network.mockImplementation((url) => (url.endsWith('/live') ? new Promise(() => {}) : lost()));
    await read();
    await vi.advanceTimersByTimeAsync(4_900);
    expect(isOnline()).toBe(true);
    await vi.advanceTimersByTimeAsync(200);
    expect(isOnline()).toBe(false);
  });

  it('changes nothing if only one call failed', async () => {
    const { isOnline, read, watchOnline } = await start();
    const changed = vi.fn();
    watchOnline(changed);
    network.mockImplementationOnce(lost);
    expect(await read()).toBe('network/failed');
    await settle();
    expect(probes()).toBe(1);
    expect(isOnline()).toBe(true);
    expect(changed).not.toHaveBeenCalled();
  });

  it('changes nothing if another call succeeded during the probe', async () => {
    const { isOnline, reportAnswer, read } = await start();
    network.mockImplementation((url) => (url.endsWith('/live') ? new Promise(() => {}) : lost()));
    await read();
    reportAnswer();
    await vi.advanceTimersByTimeAsync(6_000);
    expect(isOnline()).toBe(true);
  });

  it('changes nothing while a proxy reports that the server is down', async () => {
    const { isOnline, read } = await start();
    network.mockImplementation(() => new Response('<h1>Bad gateway</h1>', { status: 502 }));
    expect(await read()).toBe('request/unavailable');
    await settle();
    expect(isOnline()).toBe(true);
  });

  it('is probed less and less often, and never while the page is hidden', async () => {
    await unreached();
    expect(probes()).toBe(1);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(probes()).toBe(2);
    await vi.advanceTimersByTimeAsync(3_900);
    expect(probes()).toBe(2);
    await vi.advanceTimersByTimeAsync(200);
    expect(probes()).toBe(3);
    hidden = true;
    await vi.advanceTimersByTimeAsync(600_000);
    expect(probes()).toBe(3);
    hidden = false;
    document.dispatchEvent(new Event('visibilitychange'));
    await settle();
    expect(probes()).toBe(4);
  });

  it.each(['online', 'focus'])('is probed at once on %s, and is offline until we respond', async (event) => {
    const { isOnline, back } = await unreached();
    globalThis.dispatchEvent(new Event(event));
    await settle();
    expect(probes()).toBe(2);
    expect(isOnline()).toBe(false);
    expect(back).not.toHaveBeenCalled();
    network.mockImplementation(live);
    globalThis.dispatchEvent(new Event(event));
    await settle();
    expect(isOnline()).toBe(true);
    expect(back).toHaveBeenCalledTimes(1);
  });

  it('is probed again if a caller asks during a probe on the previous network', async () => {
    const { isOnline, lookAgain } = await unreached();
    network.mockImplementationOnce(() => new Promise(() => {}));
    lookAgain();
    network.mockImplementation(live);
    globalThis.dispatchEvent(new Event('online'));
    await settle();
    expect([probes(), isOnline()]).toEqual([2, false]);
    await vi.advanceTimersByTimeAsync(5_000);
    expect([probes(), isOnline()]).toEqual([3, true]);
  });

  it('is online again when a proxy reports that the server is down, but not for an empty response', async () => {
    const { isOnline, read } = await unreached();
    network.mockImplementation(() => new Response(null, { status: 204 }));
    await read();
    expect(isOnline()).toBe(false);
    network.mockImplementation(() => new Response('<h1>Bad gateway</h1>', { status: 502 }));
    await read();
    expect(isOnline()).toBe(true);
  });

  it('is online again with any response of the server, even an error', async () => {
    const { isOnline, read, back } = await unreached();
    network.mockImplementation(() =>
      Response.json({ code: 'session/required', message: '' }, { status: 401 }),
    );
    await read();
    expect(isOnline()).toBe(true);
    expect(back).toHaveBeenCalledTimes(1);
  });

  it('pauses and resumes the queries', async () => {
    const { queryClient } = await unreached();
    queryClient.mount();
    const { onlineManager } = await import('@tanstack/react-query');
    expect(onlineManager.isOnline()).toBe(false);
    globalThis.dispatchEvent(new Event('online'));
    await settle();
    expect(onlineManager.isOnline()).toBe(false);
    network.mockImplementation(live);
    globalThis.dispatchEvent(new Event('online'));
    await settle();
    expect(onlineManager.isOnline()).toBe(true);
    queryClient.unmount();
  });
});

describe('a page that the service worker started from the device', () => {
  it('is offline from the start, until the probe succeeds', async () => {
    document.documentElement.dataset.kept = '';
    network.mockImplementation(() => new Promise(() => {}));
    const { isOnline, back } = await start();
    expect(isOnline()).toBe(false);
    network.mockImplementation(live);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(isOnline()).toBe(true);
    expect(back).toHaveBeenCalledTimes(1);
  });
});

describe('a device without a network', () => {
  it('follows the browser, and probes nothing', async () => {
    const { isOnline, back, read } = await start();
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    spies.push(onLine);
    network.mockImplementation(lost);
    globalThis.dispatchEvent(new Event('offline'));
    expect(isOnline()).toBe(false);
    expect(await read()).toBe('network/offline');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(probes()).toBe(0);
    onLine.mockReturnValue(true);
    globalThis.dispatchEvent(new Event('online'));
    expect(isOnline()).toBe(true);
    expect(back).toHaveBeenCalledTimes(1);
  });
});
