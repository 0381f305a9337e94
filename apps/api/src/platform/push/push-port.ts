export type PushTarget =
  | { kind: 'web'; endpoint: string; p256dh: string; auth: string }
  | { kind: 'android' | 'ios'; token: string };

/** A later notification with the same `tag` replaces it. */
export type Push = {
  title: string;
  body: string;
  path: string;
  tag: string;
  notificationId: string;
};

export type PushPace = { ttlSeconds: number; urgency: 'low' | 'normal' | 'high' };

/**
 * - `sent`: the service accepted it.
 * - `gone`: the device no longer exists; remove it.
 * - `later`: retry, after so many seconds if given.
 * - `refused`: it will never accept this one.
 * - `not-set-up`: this server can't reach devices of that kind.
 */
export type PushOutcome =
  | { outcome: 'sent' | 'gone' | 'not-set-up' }
  | { outcome: 'later'; why: string; afterSeconds: number | null }
  | { outcome: 'refused'; why: string };

/** Called from tasks only. Never throws for a service's response. */
export type PushPort = { send(target: PushTarget, push: Push, pace: PushPace): Promise<PushOutcome> };

export const pushAnswerMs = 15_000;

export function outcomeOf(status: number, retryAfter: string | null): PushOutcome {
  if (status >= 200 && status < 300) return { outcome: 'sent' };
  if (status === 404 || status === 410) return { outcome: 'gone' };
  if (status === 408 || status === 413 || status === 429 || status >= 500)
    return { outcome: 'later', why: `status ${status}`, afterSeconds: secondsOf(retryAfter) };
  return { outcome: 'refused', why: `status ${status}` };
}

/** Seconds, at most a day; dates are ignored. */
const secondsOf = (retryAfter: string | null): number | null =>
  retryAfter !== null && /^\d{1,6}$/.test(retryAfter) ? Math.min(Number(retryAfter), 86_400) : null;
