import { hourMs, minuteMs, subtractMs } from '@nearhand/contract/durations';
import type { QuietHours } from '@nearhand/contract/talk/notification-settings';
import {
  canChoose,
  choiceOf,
  isQuiet,
  quietUntil,
  type Reader,
} from '@nearhand/contract/talk/notification-settings.rules';
import { type NotificationTopic, notificationTopics } from '@nearhand/contract/talk/notification-topics';
import { canBeDaily, escalatesToMail, isLocked, topics } from '@nearhand/contract/talk/topics/topics';
import { instantOf, isTimeZone, minuteIn, nextAt } from '@nearhand/contract/zoned-time';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { planWays, recheckWay } from './notifications.rules.ts';

const pace = { escalateMinutes: 15, messageMailMinutes: 15, digestHour: 8 };
const zones = [
  'Europe/Amsterdam',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Africa/Casablanca',
  'Pacific/Kiritimati',
  'America/St_Johns',
  'UTC',
];
const never: QuietHours = { on: false, from: '22:00', to: '07:00', timeZone: 'UTC' };
const clockTime = fc
  .integer({ min: 0, max: 1439 })
  .map(
    (minute) => `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`,
  );
const quietHours = fc.record({
  on: fc.boolean(),
  from: clockTime,
  to: clockTime,
  timeZone: fc.constantFrom(...zones),
});
// Half of all times fall in nights when Europe or America changes clocks.
const moment = fc
  .oneof(
    fc.integer({ min: Date.parse('2026-01-01T00:00Z'), max: Date.parse('2027-12-31T00:00Z') }),
    fc
      .tuple(
        fc.constantFrom(
          '2026-03-28T12:00Z',
          '2026-10-24T12:00Z',
          '2026-03-07T18:00Z',
          '2026-10-31T18:00Z',
          '2026-10-03T10:00Z',
        ),
        fc.integer({ min: 0, max: 30 * hourMs }),
      )
      .map(([from, after]) => Date.parse(from) + after),
  )
  .map((at) => new Date(at));
const topicName = fc.constantFrom(...notificationTopics);
const choice = fc.constantFrom('on' as const, 'daily' as const, 'off' as const);
const reader: fc.Arbitrary<Reader> = fc.record({
  choices: fc.record({ app: choice, push: choice, email: choice }, { requiredKeys: [] }),
  quiet: quietHours,
  devices: fc.uniqueArray(fc.uuid(), { maxLength: 3 }),
  email: fc.constantFrom('ok', 'not-verified', 'refused', 'disabled'),
  looking: fc.boolean(),
}) as fc.Arbitrary<Reader>;
const plan = (name: NotificationTopic, who: Reader, now: Date) => planWays(topics[name], who, pace, now);

describe('times of a zone', () => {
  it('show the requested minute, or the first after a skipped one', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: 0, max: 1439 }),
        moment,
        (zone, minute, after) => {
          const next = nextAt(zone, minute, after);
          expect(next.getTime()).toBeGreaterThan(after.getTime());
          expect(next.getTime() - after.getTime()).toBeLessThanOrEqual(49 * hourMs);
          expect(minuteIn(zone, next)).toBeGreaterThanOrEqual(minute);
        },
      ),
      { numRuns: 400 },
    );
  });

  it('skip what clocks skip and take the first of repeated ones', () => {
    const at = (day: string, minute: number) =>
      new Date(instantOf('Europe/Amsterdam', day, minute)).toISOString();
    expect(at('2026-03-29', 150)).toBe('2026-03-29T01:00:00.000Z');
    expect(at('2026-10-25', 150)).toBe('2026-10-25T00:30:00.000Z');
    expect(at('2026-03-29', 480)).toBe('2026-03-29T06:00:00.000Z');
    expect(at('2026-03-28', 480)).toBe('2026-03-28T07:00:00.000Z');
  });
});

describe('quiet hours', () => {
  it('end at the first minute that is not quiet, in every zone and night', () => {
    fc.assert(
      fc.property(quietHours, moment, (quiet, now) => {
        const end = quietUntil(quiet, now);
        expect(isQuiet(quiet, end)).toBe(false);
        if (isQuiet(quiet, now)) expect(isQuiet(quiet, subtractMs(end, 60_000))).toBe(true);
        else expect(end).toEqual(now);
        expect(end.getTime() - now.getTime()).toBeLessThanOrEqual(25 * hourMs);
      }),
      { numRuns: 600 },
    );
  });

  it('of no length never apply', () => {
    expect(isQuiet({ ...never, on: true, from: '08:00', to: '08:00' }, new Date('2026-11-21T08:00Z'))).toBe(
      false,
    );
  });
});

describe('planWays', () => {
  it('uses no channel twice, and none that is off or missing', () => {
    fc.assert(
      fc.property(topicName, reader, moment, (name, who, now) => {
        const topic = topics[name];
        const ways = plan(name, who, now);
        const keys = ways.map(({ channel, deviceId }) => `${channel}/${deviceId}`);
        expect(new Set(keys).size).toBe(keys.length);
        for (const way of ways.filter(({ state }) => state === 'queued')) {
          expect(choiceOf(topic, way.channel, who.choices)).not.toBe('off');
          expect(way.dueAt.getTime()).toBeGreaterThanOrEqual(now.getTime());
          if (way.channel === 'email') expect(who.email).toBe('ok');
          else expect(who.devices).toContain(way.deviceId);
          if (way.daily) expect(canBeDaily(topic)).toBe(true);
          if (!topic.urgent) expect(isQuiet(who.quiet, way.dueAt)).toBe(false);
        }
        for (const way of ways.filter(({ state }) => state === 'suppressed'))
          expect(way.reason).not.toBeNull();
      }),
      { numRuns: 600 },
    );
  });

  it('reaches everyone with mail who has not turned it off', () => {
    fc.assert(
      fc.property(topicName, reader, moment, (name, who, now) => {
        const topic = topics[name];
        const queued = plan(name, who, now).filter(({ state }) => state === 'queued');
        const mailable = who.email === 'ok' && choiceOf(topic, 'email', who.choices) !== 'off';
        if (mailable) expect(queued.length).toBeGreaterThan(0);
        const mail = queued.find(({ channel }) => channel === 'email');
        const push = queued.find(({ channel }) => channel === 'push');
        if (mailable && push && escalatesToMail(topic)) expect(mail).toBeDefined();
        if (mail && push && !mail.daily && escalatesToMail(topic) && !isLocked(topic, 'email'))
          expect(mail.dueAt.getTime() - push.dueAt.getTime()).toBeGreaterThanOrEqual(15 * minuteMs);
        if (who.email === 'ok' && isLocked(topic, 'email')) expect(mail).toMatchObject({ daily: false });
      }),
      { numRuns: 600 },
    );
  });

  it("doesn't delay urgent ones", () => {
    const quiet = { ...never, on: true, from: '22:00', to: '07:00' };
    const night = new Date('2026-11-21T23:00Z');
    const who: Reader = { choices: {}, quiet, devices: ['d'], email: 'ok', looking: false };
    expect(plan('engagement-cancelled', who, night)[0]?.dueAt).toEqual(night);
    expect(plan('offer-received', who, night).map(({ dueAt }) => dueAt.toISOString())).toEqual([
      '2026-11-22T07:00:00.000Z',
      '2026-11-22T07:15:00.000Z',
    ]);
  });
});

describe('recheckWay', () => {
  it('sends only what would still be planned', () => {
    fc.assert(
      fc.property(topicName, reader, moment, fc.boolean(), (name, who, now, seen) => {
        const topic = topics[name];
        for (const way of plan(name, { ...who, looking: false }, now)) {
          if (way.state !== 'queued') continue;
          const settled = recheckWay(topic, who, way, { seen, over: false }, way.dueAt);
          expect(settled).toBe(seen && !isLocked(topic, way.channel) ? 'seen' : 'send');
        }
      }),
      { numRuns: 400 },
    );
  });

  it("holds in quiet hours set since, and returns why it isn't sent", () => {
    const now = new Date('2026-11-21T23:00Z');
    const way = { channel: 'push', deviceId: 'd' } as const;
    const who = { choices: {}, quiet: { ...never, on: true }, devices: ['d'], email: 'ok' } as const;
    const topic = topics['offer-received'];
    const notice = { seen: false, over: false };
    expect(recheckWay(topic, who, way, notice, now)).toEqual(new Date('2026-11-22T07:00Z'));
    expect(recheckWay(topic, { ...who, devices: [] }, way, notice, now)).toBe('device-gone');
    expect(recheckWay(topic, { ...who, choices: { push: 'off' } }, way, notice, now)).toBe('off');
    expect(recheckWay(topic, { ...who, email: 'disabled' }, way, notice, now)).toBe('account-disabled');
    expect(recheckWay(topic, who, way, { seen: false, over: true }, now)).toBe('not-waiting');
    const locked = recheckWay(
      topics['withdrawal-failed'],
      { ...who, quiet: never },
      { channel: 'email', deviceId: null },
      { seen: false, over: true },
      now,
    );
    expect(locked).toBe('send');
  });
});

describe('choices', () => {
  it("can't turn off locked topics or defer urgent ones to the daily mail", () => {
    expect(canChoose(topics['payout-method-added'], 'email', 'off')).toBe(false);
    expect(canChoose(topics['offer-received'], 'email', 'daily')).toBe(false);
    expect(canChoose(topics['application-received'], 'email', 'daily')).toBe(true);
    expect(canChoose(topics['application-received'], 'push', 'daily')).toBe(false);
    expect(choiceOf(topics['withdrawal-failed'], 'email', { email: 'off' })).toBe('on');
  });
});

it('creates no format to check the zone of a reader again, which takes as long as a query', () => {
  expect([...zones, 'Asia/Kolkata', 'Europe/Atlantis'].map(isTimeZone)).toEqual([
    ...zones.map(() => true),
    true,
    false,
  ]);
  const create = vi.spyOn(Intl, 'DateTimeFormat');
  for (const zone of [...zones, 'Asia/Kolkata']) isTimeZone(zone);
  expect(create).not.toHaveBeenCalled();
  create.mockRestore();
});
