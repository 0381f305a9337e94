import { limits } from '@nearhand/contract/limits';
import { isNative } from './platform.ts';

export type LocalBridge = {
  requestPermissions: () => Promise<{ display: string }>;
  schedule: (options: {
    notifications: { id: number; title: string; body: string; schedule: { at: Date }; extra: unknown }[];
  }) => Promise<unknown>;
};

type Words = { title: string; body: string; path: string };
/** The channel used: the phone, the browser or, if neither is allowed, the app itself. */
export type LocalWay = 'phone' | 'browser' | 'in-app';

type Parts = {
  bridge?: () => Promise<LocalBridge>;
  inApp: (words: Words) => void;
};

const demoId = 5_000;

/** The local notification demo (spec §9), five seconds after the tap. Returns the channel at once. */
export async function demoLocalNotice(words: Words, { bridge, inApp }: Parts): Promise<LocalWay> {
  const at = new Date(Date.now() + limits.localNotificationDemoMs);
  const later = (run: () => void) => setTimeout(run, Math.max(0, at.getTime() - Date.now()));
  if (isNative() && bridge) {
    try {
      const phone = await bridge();
      if ((await phone.requestPermissions()).display === 'granted') {
        await phone.schedule({ notifications: [{ id: demoId, ...notificationOf(words), schedule: { at } }] });
        return 'phone';
      }
    } catch {
      // This shell has no plugin; the app shows the notice.
    }
  } else if (await allowedByBrowser()) {
    later(() => void showByBrowser(words).catch(() => inApp(words)));
    return 'browser';
  }
  later(() => inApp(words));
  return 'in-app';
}

const notificationOf = ({ title, body, path }: Words) => ({ title, body, extra: { path } });

async function allowedByBrowser(): Promise<boolean> {
  if (!('Notification' in globalThis)) return false;
  try {
    if (Notification.permission === 'default') await Notification.requestPermission();
  } catch {
    return false;
  }
  return Notification.permission === 'granted';
}

/** Uses the service worker if there is one: mobile browsers allow no other way. */
async function showByBrowser({ title, body, path }: Words): Promise<void> {
  const options = {
    body,
    tag: 'local-demo',
    icon: '/favicon-192.png',
    data: { title, body, path, tag: 'local-demo' },
  };
  const registration = await navigator.serviceWorker?.getRegistration('/');
  if (registration?.active) await registration.showNotification(title, options);
  else new Notification(title, options);
}

export async function localBridge(): Promise<LocalBridge> {
  const { LocalNotifications } = await import('@capacitor/local-notifications');
  return {
    requestPermissions: () => LocalNotifications.requestPermissions(),
    schedule: (options) => LocalNotifications.schedule(options),
  };
}
