import { browserLabel } from '@nearhand/contract/browser-label';
import { api } from '../api/api.ts';
import { session } from '../session.ts';
import { isNative } from './platform.ts';
import { keyBytes } from './push-key.ts';

/** `home-screen`: iPhones push only to apps on the home screen. `denied`: only the person can change it. */
export type WebPushState = 'on' | 'off' | 'denied' | 'home-screen' | 'unsupported';

type Kept = { accountId: string; deviceId: string; endpoint: string };
const storedKey = 'nearhand-push';

function readStored(): Kept | null {
  try {
    const saved = JSON.parse(localStorage.getItem(storedKey) ?? 'null') as Partial<Kept> | null;
    return saved?.deviceId && saved.accountId && saved.endpoint ? (saved as Kept) : null;
  } catch {
    return null;
  }
}
function storeSubscription(value: Kept | null): void {
  try {
    if (value) localStorage.setItem(storedKey, JSON.stringify(value));
    else localStorage.removeItem(storedKey);
  } catch {
    // Storage is blocked. The server recognizes the subscription when it is added again.
  }
}

const appleTouch = (): boolean =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1);
const onHomeScreen = (): boolean =>
  globalThis.matchMedia?.('(display-mode: standalone)').matches === true ||
  (navigator as { standalone?: boolean }).standalone === true;

const isSupported = (): boolean =>
  !isNative() && 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;

async function findSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration('/');
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** The id of this browser's push subscription; null if another account made it. */
export const ownDeviceId = (): string | null => {
  const saved = readStored();
  return saved?.accountId === session.user()?.id ? (saved?.deviceId ?? null) : null;
};

/** The state of push in this browser. `home-screen`: iOS allows it only in the installed app. */
export async function webPushState(): Promise<WebPushState> {
  if (!isSupported()) return appleTouch() && !onHomeScreen() ? 'home-screen' : 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  if (Notification.permission !== 'granted' || ownDeviceId() === null) return 'off';
  return (await findSubscription().catch(() => null)) ? 'on' : 'off';
}

const sameKey = (subscription: PushSubscription, key: Uint8Array): boolean => {
  const subscribedKey = subscription.options.applicationServerKey;
  return subscribedKey !== null && String(new Uint8Array(subscribedKey)) === String(key);
};

async function sendSubscription(subscription: PushSubscription): Promise<void> {
  const accountId = session.user()?.id;
  const { endpoint = '', keys } = subscription.toJSON();
  const device = await api.devices.add({
    kind: 'web',
    endpoint,
    keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' },
    label: browserLabel(navigator.userAgent),
  });
  if (accountId) storeSubscription({ accountId, deviceId: device.id, endpoint });
}

/** The worker is registered once the app has been stable; an earlier tap waits this long for it. */
const longestWaitMs = 60_000;
export const pushUnreachable = 'push-unreachable';

/**
 * Turns on push; call it on a tap, since browsers require one.
 * @throws ApiError, or `Error(pushUnreachable)`
 */
export async function turnOnWebPush(vapidPublicKey: string): Promise<WebPushState> {
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') return permission === 'denied' ? 'denied' : 'off';
  const registration = await Promise.race([
    navigator.serviceWorker.ready,
    new Promise<null>((resolve) => setTimeout(resolve, longestWaitMs, null)),
  ]);
  if (registration === null) throw new Error(pushUnreachable);
  const applicationServerKey = keyBytes(vapidPublicKey);
  let subscription = await registration.pushManager.getSubscription();
  // A subscription of another server or with old keys can't be used.
  if (subscription && !sameKey(subscription, applicationServerKey)) {
    await subscription.unsubscribe();
    subscription = null;
  }
  try {
    subscription ??= await registration.pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey,
    });
  } catch (failure) {
    throw new Error(pushUnreachable, { cause: failure });
  }
  await sendSubscription(subscription);
  return 'on';
}

/** Ends this browser's push subscription. */
export async function endWebPush(): Promise<void> {
  storeSubscription(null);
  if (!isSupported()) return;
  const subscription = await findSubscription().catch(() => null);
  await subscription?.unsubscribe().catch(() => false);
}

/** Sends the server a subscription that the browser renewed before this start. */
export async function renewWebPush(): Promise<void> {
  const saved = readStored();
  if (!isSupported() || !saved || saved.accountId !== session.user()?.id) return;
  if (Notification.permission !== 'granted') return;
  const subscription = await findSubscription();
  if (subscription && subscription.endpoint !== saved.endpoint) await sendSubscription(subscription);
}

/** Ends push at sign-out: these notifications must not appear to the device's next user. */
export async function unregisterWebPush(): Promise<void> {
  const deviceId = ownDeviceId();
  const removal = deviceId ? api.devices.remove({ deviceId }).catch(() => null) : null;
  await Promise.all([removal, endWebPush()]);
}
