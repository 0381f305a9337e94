import type { PushMessage } from '@nearhand/contract/talk/notifications';
import { session } from '../session.ts';
import { nativeKind } from './platform.ts';

type Permission = 'prompt' | 'prompt-with-rationale' | 'granted' | 'denied';
type Received = { title?: string; body?: string; data?: unknown };
type Handle = { remove: () => Promise<void> };

export type PushBridge = {
  checkPermissions: () => Promise<{ receive: Permission }>;
  requestPermissions: () => Promise<{ receive: Permission }>;
  register: () => Promise<void>;
  unregister: () => Promise<void>;
  addListener: {
    (event: 'registration', received: (token: { value: string }) => void): Promise<Handle>;
    (event: 'registrationError', received: (failure: { error: string }) => void): Promise<Handle>;
    (event: 'pushNotificationReceived', received: (push: Received) => void): Promise<Handle>;
    (
      event: 'pushNotificationActionPerformed',
      received: (tap: { notification: Received }) => void,
    ): Promise<Handle>;
  };
};

type Parts = {
  bridge: PushBridge;
  kind: 'android' | 'ios';
  add: (device: { kind: 'android' | 'ios'; token: string; label: string }) => Promise<{ id: string }>;
  remove: (deviceId: string) => Promise<unknown>;
  onTap: (path: string, notificationId: string) => void;
  /** Called for a push that arrives while the app is open: phones don't show those themselves. */
  onShown: (push: Pick<PushMessage, 'title' | 'body' | 'path' | 'notificationId'>) => void;
};

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function readPush({ title, body, data }: Received) {
  const fields = (typeof data === 'object' && data !== null ? data : {}) as Record<string, unknown>;
  return {
    title: text(title) || text(fields.title),
    body: text(body) || text(fields.body),
    path: text(fields.path),
    notificationId: text(fields.notificationId),
  };
}

/** Push of the native app (spec §7, Other): registers the phone and follows taps. Returns a function to end it. */
export async function registerNativePush(
  parts: Parts,
): Promise<{ leave: () => Promise<void>; stop: () => void }> {
  const { bridge, kind } = parts;
  const label = kind === 'ios' ? 'Nearhand on iOS' : 'Nearhand on Android';
  let registeredFor: string | null = null;
  let deviceId: string | null = null;

  const follow = async () => {
    const user = session.user();
    if (!user?.emailVerified) {
      registeredFor = null;
      deviceId = null;
      return;
    }
    if (registeredFor === user.id) return;
    registeredFor = user.id;
    try {
      let { receive } = await bridge.checkPermissions();
      if (receive === 'prompt' || receive === 'prompt-with-rationale')
        ({ receive } = await bridge.requestPermissions());
      if (receive === 'granted') await bridge.register();
    } catch {
      // This phone has no push service; everything else works.
    }
  };

  const handles = await Promise.all([
    bridge.addListener('registration', ({ value }) => {
      const owner = registeredFor;
      if (owner === null) return;
      parts.add({ kind, token: value, label }).then(
        ({ id }) => {
          if (registeredFor === owner) deviceId = id;
        },
        () => {},
      );
    }),
    bridge.addListener('registrationError', () => {
      registeredFor = null;
    }),
    bridge.addListener('pushNotificationReceived', (push) => {
      const message = readPush(push);
      if (message.title && session.user()) parts.onShown(message);
    }),
    bridge.addListener('pushNotificationActionPerformed', ({ notification }) => {
      const { path, notificationId } = readPush(notification);
      parts.onTap(path, notificationId);
    }),
  ]);
  const forget = session.subscribe(() => void follow());
  await follow();

  return {
    leave: async () => {
      const id = deviceId;
      deviceId = null;
      registeredFor = null;
      await Promise.all([
        id === null ? null : parts.remove(id).catch(() => null),
        bridge.unregister().catch(() => {}),
      ]);
    },
    stop: () => {
      forget();
      for (const handle of handles) void handle.remove();
    },
  };
}

/**
 * True if the Android app was built with Firebase, without which its plugin crashes the app on registration.
 * `npm run mobile -- sync` sets this.
 */
const androidPush = (): boolean => import.meta.env.VITE_ANDROID_PUSH === 'true';

/** The phone's plugin; null in browsers and in an Android app built without push. */
export async function nativePushBridge(): Promise<{ bridge: PushBridge; kind: 'android' | 'ios' } | null> {
  const kind = nativeKind();
  if (kind === null || (kind === 'android' && !androidPush())) return null;
  const { PushNotifications } = await import('@capacitor/push-notifications');
  // Wrapped: the bridge returns a proxy that looks like a promise to `await`.
  return { kind, bridge: PushNotifications as unknown as PushBridge };
}

export async function nativePushState(
  bridge: Pick<PushBridge, 'checkPermissions'>,
): Promise<'on' | 'off' | 'denied'> {
  const { receive } = await bridge.checkPermissions();
  if (receive === 'granted') return 'on';
  return receive === 'denied' ? 'denied' : 'off';
}
