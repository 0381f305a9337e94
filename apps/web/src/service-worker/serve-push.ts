import { browserLabel } from '../lib/browser-label.ts';
import { keyBytes } from '../lib/push-key.ts';
import { readPush, type ShownPush, tapAddress } from './push-message.rules.ts';
import type { WorkerScope, WorkerWindow } from './worker-scope.ts';

/** A window that does not answer within this is of an old app, or asleep: the address is opened instead. */
const answerWithinMs = 1_500;

/**
 * Push, and nothing else: this worker keeps no copy of the app and answers no request (ADR 0103), so it can never show an old one. What it was told is shown; a
 * tap leads to the screen inside the app; a subscription that the browser changed is told to the server.
 */
export function servePush(worker: WorkerScope): void {
  const { origin } = worker.location;

  worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()));
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
    // Read again: what lies in a notification may be of an older worker.
    const push = readPush(JSON.stringify(event.notification.data ?? {}), origin);
    event.waitUntil(follow(worker, push));
  });

  worker.addEventListener('pushsubscriptionchange', (event) => {
    event.waitUntil(renew(worker, event.oldSubscription?.options.applicationServerKey ?? null));
  });
}

/** The window one looks at, else one that is open; a new one where there is none. */
async function follow(worker: WorkerScope, push: ShownPush): Promise<void> {
  const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const mine = windows.filter(({ url }) => url.startsWith(`${worker.location.origin}/`));
  const best =
    mine.find(({ focused }) => focused) ??
    mine.find(({ visibilityState }) => visibilityState === 'visible') ??
    mine[0];
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
  const answered = new Promise<boolean>((resolve) => {
    channel.port1.onmessage = () => resolve(true);
    setTimeout(() => resolve(false), answerWithinMs);
  });
  window.postMessage({ kind: 'push-tap', path, notificationId }, [channel.port2]);
  const done = await answered;
  channel.port1.close();
  return done;
}

/** Makes the subscription anew with the key it had, and tells the server by the cookie of the session, since no page need be open. */
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
  const answer = await fetch('/api/notifications/settings', { headers });
  if (!answer.ok) return null;
  const { vapidPublicKey } = (await answer.json()) as { vapidPublicKey: string | null };
  return vapidPublicKey === null ? null : keyBytes(vapidPublicKey);
}

async function post<Answer>(
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer | null> {
  const answer = await fetch(path, {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return answer.ok ? await answer.json() : null;
}
