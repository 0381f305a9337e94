import { browserLabel } from '@nearhand/contract/browser-label';
import { keyBytes } from '../lib/device/push-key.ts';
import { readPush, type ShownPush, tapAddress } from './push-message.rules.ts';
import type { WorkerScope, WorkerWindow } from './worker-scope.ts';

/** A window that does not respond within this is outdated or suspended; a new one is opened instead. */
const answerWithinMs = 1_500;

/** Shows pushes, follows taps into the app, and sends changed subscriptions to the server (ADR 103). */
export function servePush(worker: WorkerScope): void {
  const { origin } = worker.location;

  worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()));

  worker.addEventListener('push', (event) => {
    let raw: string | undefined;
    try {
      raw = event.data?.text();
    } catch {
      raw = undefined;
    }
    const push = readPush(raw, origin);
    const { title, body, tag } = push;
    event.waitUntil(
      worker.registration.showNotification(title, {
        body,
        tag,
        data: push,
        icon: '/favicon-192.png',
        badge: '/favicon-32.png',
      }),
    );
  });

  worker.addEventListener('notificationclick', (event) => {
    event.notification.close();
    // Parsed again: the notification's data may be from an older worker.
    const push = readPush(JSON.stringify(event.notification.data ?? {}), origin);
    event.waitUntil(follow(worker, push));
  });

  worker.addEventListener('pushsubscriptionchange', (event) => {
    event.waitUntil(renew(worker, event.oldSubscription?.options.applicationServerKey ?? null));
  });
}

/** Uses the focused window, otherwise any open one; opens one if there is none. */
async function follow(worker: WorkerScope, push: ShownPush): Promise<void> {
  const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const ownWindows = windows.filter(({ url }) => url.startsWith(`${worker.location.origin}/`));
  const best =
    ownWindows.find(({ focused }) => focused) ??
    ownWindows.find(({ visibilityState }) => visibilityState === 'visible') ??
    ownWindows[0];
  if (best && (await shownIn(best, push))) return;
  await worker.clients.openWindow(tapAddress(push, worker.location.origin));
}

async function shownIn(window: WorkerWindow, { path, notificationId }: ShownPush): Promise<boolean> {
  try {
    await window.focus();
  } catch {
    return false;
  }
  const channel = new MessageChannel();
  const answer = new Promise<boolean>((resolve) => {
    channel.port1.onmessage = () => resolve(true);
    setTimeout(() => resolve(false), answerWithinMs);
  });
  window.postMessage({ kind: 'push-tap', path, notificationId }, [channel.port2]);
  const succeeded = await answer;
  channel.port1.close();
  return succeeded;
}

/** Resubscribes with the same key and notifies the server by the session cookie, since no page need be open. */
async function renew(worker: WorkerScope, key: ArrayBuffer | null): Promise<void> {
  const grant = await post<{ token?: unknown }>('/api/auth/access-token', {});
  if (typeof grant?.token !== 'string') return;
  const headers = { authorization: `Bearer ${grant.token}` };
  const applicationServerKey = key ?? (await serverKey(headers));
  if (!applicationServerKey) return;
  const subscription = await worker.registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey,
  });
  const { endpoint, keys } = subscription.toJSON();
  await post(
    '/api/notifications/devices',
    {
      kind: 'web',
      endpoint,
      keys: { p256dh: keys?.p256dh, auth: keys?.auth },
      label: browserLabel(worker.navigator.userAgent),
    },
    { ...headers, 'idempotency-key': crypto.randomUUID() },
  );
}

async function serverKey(headers: Record<string, string>): Promise<Uint8Array<ArrayBuffer> | null> {
  const response = await fetch('/api/notifications/settings', { headers });
  if (!response.ok) return null;
  const { vapidPublicKey } = (await response.json()) as { vapidPublicKey: string | null };
  return vapidPublicKey === null ? null : keyBytes(vapidPublicKey);
}

async function post<Answer>(
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer | null> {
  const response = await fetch(path, {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return response.ok ? await response.json() : null;
}
