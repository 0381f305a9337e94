import { limits } from '@nearhand/contract/limits';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { registerWhenStable } from './service-worker.ts';

const register = vi.fn(async () => ({}) as ServiceWorkerRegistration);
const web = { production: true, native: false, workers: { register } };

function setHidden(hidden: boolean): void {
  Object.defineProperty(document, 'hidden', { configurable: true, value: hidden });
  document.dispatchEvent(new Event('visibilitychange'));
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('requestIdleCallback', undefined);
  register.mockClear();
});
afterEach(() => {
  // Leftover listeners register now, so that they don't affect the next test.
  setHidden(false);
  vi.runAllTimers();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('registerWhenStable', () => {
  it('waits 30,000 ms, then registers once for the whole app', () => {
    expect(limits.serviceWorkerDelayMs).toBe(30_000);
    registerWhenStable(web);
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
    registerWhenStable(web);
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
    ['a development build', { ...web, production: false }],
    ['the native shell', { ...web, native: true }],
    ['a browser without workers', { ...web, workers: undefined }],
  ])('does nothing in %s', (_, settings) => {
    registerWhenStable(settings);
    vi.advanceTimersByTime(120_000);
    expect(register).not.toHaveBeenCalled();
  });

  it("ignores a browser's refusal", async () => {
    register.mockRejectedValueOnce(new Error('private window'));
    registerWhenStable(web);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(register).toHaveBeenCalledTimes(1);
  });
});
