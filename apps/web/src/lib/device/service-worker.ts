import { hourMs } from '@nearhand/contract/durations';
import { limits } from '@nearhand/contract/limits';
import { appScript } from '../pages/load-part.ts';
import { isNative } from './platform.ts';

const scriptPath = '/service-worker.js';

type Settings = {
  production: boolean;
  native: boolean;
  workers: Pick<ServiceWorkerContainer, 'register'> | undefined;
  onNewVersion: () => void;
};

const ofThisApp = (): Omit<Settings, 'onNewVersion'> => ({
  production: import.meta.env.PROD,
  native: isNative(),
  workers: 'serviceWorker' in navigator ? navigator.serviceWorker : undefined,
});

/** Registers the worker after 30,000 ms in view without an uncaught error (spec §7, §9), in production on the web. */
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
      // Some private windows refuse it; they have no push and no offline start.
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

const lookAgainMs = hourMs;

/** Activates a new version once no older page is open, or at once if this page already has that version. */
function followUpdates(registration: ServiceWorkerRegistration, onNewVersion: () => void): void {
  const look = async (worker: ServiceWorker | null) => {
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
    if (!document.hidden) registration.update().catch(() => {});
  }, lookAgainMs);
}

function appOf(worker: ServiceWorker): Promise<unknown> {
  const channel = new MessageChannel();
  return new Promise((resolve) => {
    channel.port1.onmessage = ({ data }) => resolve(data);
    worker.postMessage('which-app', [channel.port2]);
  });
}
