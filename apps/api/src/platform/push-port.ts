/** Where a push goes: a browser's subscription, or an app's token. */
export type PushTarget =
  | { kind: 'web'; endpoint: string; p256dh: string; auth: string }
  | { kind: 'android' | 'ios'; token: string };

/** What a device shows. `tag` collapses: a later one with the same takes the place of the one before. */
export type Push = {
  title: string;
  body: string;
  /** Where a tap leads inside the app. */
  path: string;
  tag: string;
  notificationId: string;
};

/** How long a push is worth delivering, and whether it may wake a sleeping device. */
export type PushPace = { ttlSeconds: number; urgency: 'low' | 'normal' | 'high' };

/**
 * - `sent`: the service took it.
 * - `gone`: there is no such device any more; it is to be forgotten.
 * - `later`: not now, after so many seconds where it said so.
 * - `refused`: it will never take this one.
 * - `not-set-up`: this server cannot reach devices of that kind.
 */
export type PushOutcome =
  | { outcome: 'sent' | 'gone' | 'not-set-up' }
  | { outcome: 'later'; why: string; afterSeconds: number | null }
  | { outcome: 'refused'; why: string };

/** Push to devices, web and native alike; called from tasks only. It never throws for what a service answers. */
export type PushPort = { send(target: PushTarget, push: Push, pace: PushPace): Promise<PushOutcome> };

/** What a push service's status means to us; both kinds answer alike. */
export function outcomeOf(status: number, retryAfter: string | null): PushOutcome {
  if (status >= 200 && status < 300) return { outcome: 'sent' };
  if (status === 404 || status === 410) return { outcome: 'gone' };
  if (status === 408 || status === 413 || status === 429 || status >= 500)
    return { outcome: 'later', why: `status ${status}`, afterSeconds: secondsOf(retryAfter) };
  return { outcome: 'refused', why: `status ${status}` };
}

/** A number of seconds, at most a day; a date is not worth reading for this. */
const secondsOf = (retryAfter: string | null): number | null =>
  retryAfter !== null && /^\d{1,6}$/.test(retryAfter) ? Math.min(Number(retryAfter), 86_400) : null;
