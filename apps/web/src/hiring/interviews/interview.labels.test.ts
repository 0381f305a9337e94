import { i18n } from '@lingui/core';
import { settingDefaults } from '@nearhand/contract/setting-defaults';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  inOwnZone,
  interviewStandingText,
  isAsked,
  isOverInterview,
  movesLeftText,
} from './interview.labels.ts';
import { interviewDays } from './interview-row.tsx';
import { sampleInterview } from './interviews.fixtures.ts';
import { whereProblem, whereSent } from './propose-interview.tsx';

const now = new Date('2026-11-21T12:00:00.000Z');

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));

describe('who is asked', () => {
  it('is the worker for a proposal, and the other side for a reschedule request', () => {
    expect(isAsked(sampleInterview({ status: 'proposed', awaits: 'worker' }))).toBe(true);
    expect(isAsked(sampleInterview({ status: 'proposed', awaits: 'worker', side: 'business' }))).toBe(false);
    const moved = { status: 'reschedule_requested', awaits: 'business' } as const;
    expect(isAsked(sampleInterview(moved))).toBe(false);
    expect(isAsked(sampleInterview({ ...moved, side: 'business' }))).toBe(true);
    expect(isAsked(sampleInterview())).toBe(false);
  });

  it('is the business when an interview ended without an outcome', () => {
    const later = new Date('2026-11-24T09:30:00.000Z');
    expect(isOverInterview(sampleInterview(), now)).toBe(false);
    expect(isOverInterview(sampleInterview(), later)).toBe(true);
    expect(interviewStandingText(sampleInterview({ side: 'business' }), later).tone).toBe('wait');
  });
});

describe('inOwnZone', () => {
  const at = '2026-11-24T23:30:00.000Z';
  it('appears only when the clocks differ', () => {
    expect(inOwnZone(at, 'Europe/Amsterdam', now, 'Europe/Berlin')).toBeNull();
    expect(inOwnZone(at, 'Europe/Amsterdam', now, 'Europe/Athens')).toMatch(/^0?1:30/);
  });
  it('includes the day when that differs too', () => {
    expect(inOwnZone(at, 'Europe/Amsterdam', now, 'Europe/Lisbon')).toMatch(/Tue.*24.*30/);
  });
});

describe('movesLeftText', () => {
  it('shows how often, until when, and when it is too late', () => {
    expect(movesLeftText(sampleInterview(), now, settingDefaults)).toMatch(/2 more times.*Mon.*23/);
    expect(movesLeftText(sampleInterview({ reschedules: 1 }), now, settingDefaults)).toMatch(
      /1 more time until Mon/,
    );
    expect(movesLeftText(sampleInterview({ reschedules: 2 }), now, settingDefaults)).toMatch(
      /can't be rescheduled again/,
    );
    expect(movesLeftText(sampleInterview(), new Date('2026-11-23T22:00:00.000Z'), settingDefaults)).toMatch(
      /too late/,
    );
  });
});

describe('interviewDays', () => {
  it("groups by the day at the job's place", () => {
    const list = ['2026-11-24T09:00:00.000Z', '2026-11-24T22:59:00.000Z', '2026-11-24T23:30:00.000Z'];
    const days = interviewDays(list.map((startsAt) => sampleInterview({ startsAt })));
    expect(days.map(({ day, items }) => [day, items.length])).toEqual([
      ['2026-11-24', 2],
      ['2026-11-25', 1],
    ]);
  });
});

describe('where it is', () => {
  it('accepts phone numbers with a country code, in any format', () => {
    expect(whereProblem('phone', '06 1234 5678', false)).not.toBeNull();
    expect(whereProblem('phone', '+31 (6) 1234-5678', false)).toBeNull();
    expect(whereSent('phone', '0031 6 1234 5678')).toBe('+31612345678');
  });
  it('accepts https links without a name or password', () => {
    for (const link of [
      '',
      'meet.example.org',
      'http://meet.example.org',
      'https://me:pw@meet.example.org',
      'javascript:1',
    ])
      expect(whereProblem('video', link, false), link).not.toBeNull();
    expect(whereProblem('video', 'https://meet.example.org/x', false)).toBeNull();
  });
  it('requires a place only when the job has none', () => {
    expect(whereProblem('in_person', ' ', false)).toBeNull();
    expect(whereSent('in_person', ' ')).toBeUndefined();
    expect(whereProblem('in_person', ' ', true)).not.toBeNull();
  });
});
