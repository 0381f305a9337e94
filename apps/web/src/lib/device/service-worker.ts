import { hourMs } from '@nearhand/contract/durations';
import { limits } from '@nearhand/contract/limits';
import { appScript } from '../pages/app-version.ts';
import { isNative } from './platform.ts';

const scriptPath = '/service-worker.js';

type Settings = {
  production: boolean;
  native: boolean;
  workers: Pick<ServiceWorkerContainer, 'register'> | undefined;
  /** This page is of an older version than the files that have just come. */
  onNewVersion: () => void;
};

const ofThisApp = (): Omit<Settings, 'onNewVersion'> => ({
  production: import.meta.env.PROD,
  native: isNative(),
  workers: 'serviceWorker' in navigator ? navigator.serviceWorker : undefined,
});

/**
 * Registers the service worker once the app has been stable for 30,000 ms (spec §7, §9): visible, without an uncaught error. A hidden page
 * or an error restarts the time. Only in production builds on the web, never in the native shell, which has its own push and its own files.
 */
export function registerWhenStable(settings: Partial<Settings> & Pick<Settings, 'onNewVersion'>): void {
  const { production, native, workers, onNewVersion } = { ...ofThisApp(), ...settings };
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
    workers.register(scriptPath, { scope: '/', updateViaCache: 'none' }).then(
      (registration) => followUpdates(registration, onNewVersion),
      // Refused in some private windows: push and the start without a network are missing there.
      () => {},
    );
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

/** Looks for a new version this often in a page that stays open. */
const lookAgainMs = hourMs;

/**
 * A new version takes over when no page of an older one is open. Where this page is of that version already, it takes over at once; otherwise the page says so,
 * and it takes over with the next start.
 */
function followUpdates(registration: ServiceWorkerRegistration, onNewVersion: () => void): void {
  const look = async (worker: ServiceWorker | null) => {
    // The first one of all has nothing to replace.
    if (!worker || !registration.active) return;
    if ((await appOf(worker)) === appScript()) worker.postMessage('take-over');
    else onNewVersion();
  };
  void look(registration.waiting);
  registration.addEventListener('updatefound', () => {
    const { installing } = registration;
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'installed') void look(installing);
    });
  });
  setInterval(() => {
    // Without a network the next hour finds it.
    if (!document.hidden) registration.update().catch(() => {});
  }, lookAgainMs);
}

/** The first script of the app that a worker keeps. */
function appOf(worker: ServiceWorker): Promise<unknown> {
  const channel = new MessageChannel();
  return new Promise((resolve) => {
    channel.port1.onmessage = ({ data }) => resolve(data);
    worker.postMessage('which-app', [channel.port2]);
  });
}
