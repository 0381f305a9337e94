import { limits } from '@nearhand/contract/limits';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { registerWhenStable } from './service-worker.ts';

const onNewVersion = vi.fn();
const web = () => ({ production: true, native: false, workers: { register }, onNewVersion });

class FakeChannel {
  port1: { onmessage?: (event: { data: unknown }) => void } = {};
  port2 = { postMessage: (data: unknown) => this.port1.onmessage?.({ data }) };
}

class FakeWorker extends EventTarget {
  state = 'installing';
  tookOver = false;
  private readonly app: string;
  constructor(app: string) {
    super();
    this.app = app;
  }
  postMessage(message: unknown, [port]: MessagePort[] = []): void {
    if (message === 'which-app') port?.postMessage(this.app);
    if (message === 'take-over') this.tookOver = true;
  }
}
class FakeRegistration extends EventTarget {
  active: FakeWorker | null = null;
  waiting: FakeWorker | null = null;
  installing: FakeWorker | null = null;
  update = vi.fn(async () => {});
  install(worker: FakeWorker): void {
    this.installing = worker;
    this.dispatchEvent(new Event('updatefound'));
    worker.state = 'installed';
    worker.dispatchEvent(new Event('statechange'));
  }
}
let registration = new FakeRegistration();
const register = vi.fn(async () => registration as unknown as ServiceWorkerRegistration);

function setHidden(hidden: boolean): void {
  Object.defineProperty(document, 'hidden', { configurable: true, value: hidden });
  document.dispatchEvent(new Event('visibilitychange'));
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('requestIdleCallback', undefined);
  vi.stubGlobal('MessageChannel', FakeChannel);
  register.mockClear();
  onNewVersion.mockClear();
  registration = new FakeRegistration();
});
afterEach(() => {
  // Registers leftover listeners now, so that they don't affect the next test.
  setHidden(false);
  vi.runOnlyPendingTimers();
  vi.clearAllTimers();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('registerWhenStable', () => {
  it('waits 30,000 ms, then registers once for the whole app', () => {
    expect(limits.serviceWorkerDelayMs).toBe(30_000);
    registerWhenStable(web());
    vi.advanceTimersByTime(29_999);
    expect(register).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(register).toHaveBeenCalledExactlyOnceWith('/service-worker.js', {
      scope: '/',
      updateViaCache: 'none',
    });
    setHidden(true);
    setHidden(false);
    vi.advanceTimersByTime(60_000);
    expect(register).toHaveBeenCalledTimes(1);
  });

  it('starts over after a failure, and counts only while the page is visible', () => {
    registerWhenStable(web());
    vi.advanceTimersByTime(20_000);
    globalThis.dispatchEvent(new Event('error'));
    vi.advanceTimersByTime(20_000);
    setHidden(true);
    vi.advanceTimersByTime(60_000);
    expect(register).not.toHaveBeenCalled();
    setHidden(false);
    vi.advanceTimersByTime(29_999);
    expect(register).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(register).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['a development build', { ...web(), production: false }],
    ['the native shell', { ...web(), native: true }],
    ['a browser without workers', { ...web(), workers: undefined }],
  ])('does nothing in %s', (_, settings) => {
    registerWhenStable(settings);
    vi.advanceTimersByTime(120_000);
    expect(register).not.toHaveBeenCalled();
  });

  it("ignores a browser's refusal", async () => {
    register.mockRejectedValueOnce(new Error('private window'));
    registerWhenStable(web());
    await vi.advanceTimersByTimeAsync(30_000);
    expect(register).toHaveBeenCalledTimes(1);
  });
});

describe('a new version', () => {
  const here = '/assets/app-one.js';
  beforeEach(() => {
    const scripts = [{ getAttribute: () => here }] as unknown as NodeListOf<Element>;
    vi.spyOn(document, 'querySelectorAll').mockReturnValue(scripts);
  });
  afterEach(() => vi.mocked(document.querySelectorAll).mockRestore());

  async function registered(): Promise<void> {
    registerWhenStable(web());
    await vi.advanceTimersByTimeAsync(30_000);
  }
  it('is ignored on a first visit', async () => {
    await registered();
    registration.install(new FakeWorker('/assets/app-two.js'));
    await vi.advanceTimersByTimeAsync(0);
    expect(onNewVersion).not.toHaveBeenCalled();
  });

  it('is announced on an older page, and waits', async () => {
    registration.active = new FakeWorker(here);
    await registered();
    const next = new FakeWorker('/assets/app-two.js');
    registration.install(next);
    await vi.waitFor(() => expect(onNewVersion).toHaveBeenCalledTimes(1));
    expect(next.tookOver).toBe(false);
  });

  it('takes over at once when the page already has it', async () => {
    registration.active = new FakeWorker('/assets/app-zero.js');
    registration.waiting = new FakeWorker(here);
    await registered();
    await vi.waitFor(() => expect(registration.waiting?.tookOver).toBe(true));
    expect(onNewVersion).not.toHaveBeenCalled();
  });

  it('is checked every hour', async () => {
    await registered();
    await vi.advanceTimersByTimeAsync(60 * 60_000);
    expect(registration.update).toHaveBeenCalledTimes(1);
  });
});
