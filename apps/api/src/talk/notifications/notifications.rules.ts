import { addMs, minuteMs } from '@nearhand/contract/durations';
import {
  choiceOf,
  isQuiet,
  quietUntil,
  type Reader,
} from '@nearhand/contract/talk/notification-settings.rules';
import type { Topic } from '@nearhand/contract/talk/topics/topic';
import { escalatesToMail, isLocked } from '@nearhand/contract/talk/topics/topics';
import { nextAt } from '@nearhand/contract/zoned-time';

/** Minutes between a push and its mail, and the hour of the daily mail. */
export type Pace = { escalateMinutes: number; messageMailMinutes: number; digestHour: number };

export type DeliveryReason =
  | 'off'
  | 'looking'
  | 'seen'
  | 'not-waiting'
  | 'pushed'
  | 'quiet-hours'
  | 'unless-seen'
  | 'email-not-verified'
  | 'email-refused'
  | 'account-disabled'
  | 'device-gone'
  | 'not-set-up'
  | 'gave-up';

/** One channel of one notice: when it is due, or why it is not sent. */
export type Way = {
  channel: 'push' | 'email';
  deviceId: string | null;
  state: 'queued' | 'suppressed';
  reason: DeliveryReason | null;
  dueAt: Date;
  daily: boolean;
};

const addMinutes = (at: Date, minutes: number): Date => addMs(at, minutes * minuteMs);

const wayToAddress: Record<Reader['email'], DeliveryReason | null> = {
  ok: null,
  'not-verified': 'email-not-verified',
  refused: 'email-refused',
  disabled: 'account-disabled',
};

/**
 * Plans the channels of a topic (product.md, Notification; ADR 95). Mail is sent at once if nothing
 * is pushed, later after a push, or with the daily mail. Quiet hours hold both, unless urgent.
 */
export function planWays(topic: Topic, reader: Reader, pace: Pace, now: Date): Way[] {
  if (reader.email === 'disabled') return [suppressedWay('email', 'account-disabled', now)];
  const open = topic.urgent ? now : quietUntil(reader.quiet, now);
  const pushes = pushWays(topic, reader, open, now);
  const pushed = pushes.some(({ state }) => state === 'queued');
  return [...pushes, mailWay(topic, reader, pace, { open, now, pushed })];
}

const queuedWay = (channel: Way['channel'], dueAt: Date, rest: Partial<Way> = {}): Way => ({
  channel,
  deviceId: null,
  state: 'queued',
  reason: null,
  dueAt,
  daily: false,
  ...rest,
});
const suppressedWay = (channel: Way['channel'], reason: DeliveryReason, now: Date): Way =>
  queuedWay(channel, now, { state: 'suppressed', reason });

const heldUntil = (open: Date, now: Date) => (open > now ? 'quiet-hours' : null);

function pushWays(topic: Topic, reader: Reader, open: Date, now: Date): Way[] {
  if (reader.devices.length === 0) return [];
  if (choiceOf(topic, 'push', reader.choices) === 'off') return [suppressedWay('push', 'off', now)];
  if (reader.looking) return [suppressedWay('push', 'looking', now)];
  const reason = heldUntil(open, now);
  return reader.devices.map((deviceId) => queuedWay('push', open, { deviceId, reason }));
}

function mailWay(
  topic: Topic,
  reader: Reader,
  pace: Pace,
  { open, now, pushed }: { open: Date; now: Date; pushed: boolean },
): Way {
  const unreachable = wayToAddress[reader.email];
  if (unreachable) return suppressedWay('email', unreachable, now);
  const choice = choiceOf(topic, 'email', reader.choices);
  if (choice === 'off') return suppressedWay('email', 'off', now);
  if (choice === 'daily') {
    const next = nextAt(reader.quiet.timeZone, pace.digestHour * 60, now);
    return queuedWay('email', quietUntil(reader.quiet, next), { daily: true });
  }
  const atOnce = queuedWay('email', open, { reason: heldUntil(open, now) });
  if (isLocked(topic, 'email')) return atOnce;
  const isMessage = topic.group === 'messages';
  if (isMessage || (pushed && escalatesToMail(topic))) {
    const earliest = addMinutes(open, isMessage ? pace.messageMailMinutes : pace.escalateMinutes);
    const dueAt = topic.urgent ? earliest : quietUntil(reader.quiet, earliest);
    return queuedWay('email', dueAt, { reason: 'unless-seen' });
  }
  return pushed ? suppressedWay('email', 'pushed', now) : atOnce;
}

/**
 * Decides about a due delivery, since the reader may have seen or done it.
 * @returns `send`, a later time, or why not
 */
export function recheckWay(
  topic: Topic,
  reader: Omit<Reader, 'looking'>,
  way: Pick<Way, 'channel' | 'deviceId'>,
  { seen, over }: { seen: boolean; over: boolean },
  now: Date,
): 'send' | Date | DeliveryReason {
  if (reader.email === 'disabled') return 'account-disabled';
  const locked = isLocked(topic, way.channel);
  if (!locked && seen) return 'seen';
  if (!locked && over) return 'not-waiting';
  if (way.channel === 'push' && !(way.deviceId && reader.devices.includes(way.deviceId)))
    return 'device-gone';
  if (way.channel === 'email') {
    const unreachable = wayToAddress[reader.email];
    if (unreachable) return unreachable;
  }
  if (choiceOf(topic, way.channel, reader.choices) === 'off') return 'off';
  if (!topic.urgent && isQuiet(reader.quiet, now)) return quietUntil(reader.quiet, now);
  return 'send';
}

/** Attempts per delivery, and the delay after each: eight and a half hours in total. */
export const triesMax = 10;
/** Exponential backoff: 1, 2, 4 minutes and so on, at most 6 hours. */
export const retryMinutes = (attempts: number): number => Math.min(2 ** (attempts - 1), 360);

/** The values that are the same in all of these, for one notice about several shifts; empty without any. */
export function sharedValues<Values extends object>(list: readonly Values[]): Partial<Values> {
  const [first, ...rest] = list;
  const entries = Object.entries(first ?? {}) as [keyof Values, unknown][];
  return Object.fromEntries(
    entries.filter(([name, value]) => rest.every((values) => values[name] === value)),
  ) as Partial<Values>;
}
