import { limits } from '@nearhand/contract/limits';
import { isNative } from './platform.ts';

/** What is used of the phone's plugin for local notifications; tests stand in for it. */
export type LocalBridge = {
  requestPermissions: () => Promise<{ display: string }>;
  schedule: (options: {
    notifications: { id: number; title: string; body: string; schedule: { at: Date }; extra: unknown }[];
  }) => Promise<unknown>;
};

type Words = { title: string; body: string; path: string };
/** How it will come: by the phone, by the browser, or, where neither may, inside the app. */
export type LocalWay = 'phone' | 'browser' | 'in-app';

type Parts = {
  bridge?: () => Promise<LocalBridge>;
  /** Shows it inside the app. */
  inApp: (words: Words) => void;
};

const demoId = 5_000;

/**
 * The local notification demo (spec §9): five seconds after the press. Asks for the permission, since it is a press. Answers at once by which way it will come, so
 * that the screen can say so.
 */
export async function demoLocalNotice(words: Words, { bridge, inApp }: Parts): Promise<LocalWay> {
  const at = new Date(Date.now() + limits.localNotificationDemoMs);
  const later = (run: () => void) => setTimeout(run, Math.max(0, at.getTime() - Date.now()));
  if (isNative() && bridge) {
    try {
      const phone = await bridge();
      if ((await phone.requestPermissions()).display === 'granted') {
        await phone.schedule({ notifications: [{ id: demoId, ...shown(words), schedule: { at } }] });
        return 'phone';
      }
    } catch {
      // No plugin in this shell: inside the app then.
    }
  } else if (await allowedByBrowser()) {
    later(() => void showByBrowser(words).catch(() => inApp(words)));
    return 'browser';
  }
  later(() => inApp(words));
  return 'in-app';
}

const shown = ({ title, body, path }: Words) => ({ title, body, extra: { path } });

async function allowedByBrowser(): Promise<boolean> {
  if (!('Notification' in globalThis)) return false;
  try {
    if (Notification.permission === 'default') await Notification.requestPermission();
  } catch {
    return false;
  }
  return Notification.permission === 'granted';
}

/** By the worker where there is one: phones' browsers allow no other way, and a tap is then followed like that of a push. */
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

/** The phone's plugin; loaded in the native shell alone. */
export async function localBridge(): Promise<LocalBridge> {
  const { LocalNotifications } = await import('@capacitor/local-notifications');
  return {
    requestPermissions: () => LocalNotifications.requestPermissions(),
    schedule: (options) => LocalNotifications.schedule(options),
  };
}
