import { limits } from '@nearhand/contract/limits';
import { isNative } from './platform.ts';

const scriptPath = '/service-worker.js';

type Settings = {
  production: boolean;
  native: boolean;
  workers: Pick<ServiceWorkerContainer, 'register'> | undefined;
};

const ofThisApp = (): Settings => ({
  production: import.meta.env.PROD,
  native: isNative(),
  workers: 'serviceWorker' in navigator ? navigator.serviceWorker : undefined,
});

/**
 * Registers the service worker once the app has been stable for 30,000 ms (spec §7, §9): visible, without an uncaught error. A hidden page
 * or an error restarts the time. Only in production builds on the web, never in the native shell, which has its own push.
 */
export function registerWhenStable({ production, native, workers }: Settings = ofThisApp()): void {
  if (!production || native || !workers) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const begin = () => {
    clearTimeout(timer);
    if (!document.hidden) timer = setTimeout(whenIdle, limits.serviceWorkerDelayMs);
  };
  const register = () => {
    document.removeEventListener('visibilitychange', begin);
    globalThis.removeEventListener('error', begin);
    globalThis.removeEventListener('unhandledrejection', begin);
    // Refused in some private windows: only push is missing there.
    workers.register(scriptPath, { scope: '/', updateViaCache: 'none' }).catch(() => {});
  };
  const whenIdle = () => {
    if (typeof requestIdleCallback === 'function') requestIdleCallback(register, { timeout: 5_000 });
    else register();
  };
  document.addEventListener('visibilitychange', begin);
  globalThis.addEventListener('error', begin);
  globalThis.addEventListener('unhandledrejection', begin);
  begin();
}
