export const inbox = '/notifications';
export const noticeParameter = 'notice';

export type ShownPush = { title: string; body: string; tag: string; path: string; notificationId: string };

const text = (value: unknown, max: number): string =>
  typeof value === 'string' ? [...value].slice(0, max).join('').trim() : '';

/** Returns a path of this app, or the inbox for any other value: only a push's texts are trusted. */
export function insideOnly(path: unknown, origin: string): string {
  if (typeof path !== 'string' || !/^\/(?![/\\])/.test(path) || path.length > 1_000) return inbox;
  try {
    const url = new URL(path, origin);
    return url.origin === origin && !url.pathname.startsWith('/api/') ? url.pathname + url.search : inbox;
  } catch {
    return inbox;
  }
}

/** Browsers revoke push from apps that show nothing, so there is always a text. */
export function readPush(raw: string | undefined, origin: string): ShownPush {
  let data: Record<string, unknown> = {};
  try {
    const parsed: unknown = JSON.parse(raw ?? '');
    if (typeof parsed === 'object' && parsed !== null) data = parsed as Record<string, unknown>;
  } catch {
    // An empty push, or one that is not ours.
  }
  const path = insideOnly(data.path, origin);
  const notificationId = text(data.notificationId, 100);
  return {
    title: text(data.title, 200) || 'Nearhand',
    body: text(data.body, 500),
    tag: text(data.tag, 200) || notificationId || path,
    path,
    notificationId: /^[\w-]+$/.test(notificationId) ? notificationId : '',
  };
}

export function tapAddress({ path, notificationId }: ShownPush, origin: string): string {
  const url = new URL(insideOnly(path, origin), origin);
  if (notificationId) url.searchParams.set(noticeParameter, notificationId);
  return url.href;
}
