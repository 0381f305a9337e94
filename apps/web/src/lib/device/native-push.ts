import type { PushMessage } from '@nearhand/contract/talk/notifications';
import { session } from '../session.ts';
import { nativeKind } from './platform.ts';

type Permission = 'prompt' | 'prompt-with-rationale' | 'granted' | 'denied';
type Received = { title?: string; body?: string; data?: unknown };
type Handle = { remove: () => Promise<void> };

/** The parts of the phone's push plugin that are used; tests replace it. */
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
  /** Registers this device with the server; returns its id. */
  add: (device: { kind: 'android' | 'ios'; token: string; label: string }) => Promise<{ id: string }>;
  remove: (deviceId: string) => Promise<unknown>;
  /** A push was tapped: the caller checks its path. */
  onTap: (path: string, notificationId: string) => void;
  /** One arrived while the app is open, when phones show nothing themselves. */
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

/**
 * Push of the native app (spec §7, Other): after a sign-in it asks for permission, registers with the phone and sends the token to the
 * server; a tap opens its screen; a sign-out ends it, before the session ends. Returns a function to end it.
 */
export async function keepNativePush(
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
      // No push service on this phone: only push is missing.
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
        // The next start of the app sends it again.
        () => {},
      );
    }),
    bridge.addListener('registrationError', () => {
      registeredFor = null;
    }),
    bridge.addListener('pushNotificationReceived', (push) => {
      const read = readPush(push);
      if (read.title && session.user()) parts.onShown(read);
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

/** Without Firebase, Android's plugin ends the app when it registers. `npm run mobile -- sync` sets this where the app has Firebase. */
const androidPush = (): boolean => import.meta.env.VITE_ANDROID_PUSH === 'true';

/** The phone's plugin; loaded only in the native shell. Null elsewhere, and in an Android app built without push. */
export async function nativePushBridge(): Promise<{ bridge: PushBridge; kind: 'android' | 'ios' } | null> {
  const kind = nativeKind();
  if (kind === null || (kind === 'android' && !androidPush())) return null;
  const { PushNotifications } = await import('@capacitor/push-notifications');
  // Wrapped: the bridge returns a proxy that looks like a promise to `await`.
  return { kind, bridge: PushNotifications as unknown as PushBridge };
}

/** Whether the phone allows push for this app; `off` until asked. */
export async function nativePushState(
  bridge: Pick<PushBridge, 'checkPermissions'>,
): Promise<'on' | 'off' | 'denied'> {
  const { receive } = await bridge.checkPermissions();
  return receive === 'granted' ? 'on' : receive === 'denied' ? 'denied' : 'off';
}
