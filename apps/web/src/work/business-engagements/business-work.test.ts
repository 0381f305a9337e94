import { i18n } from '@lingui/core';
import type { EngagementCard, HoursClaim } from '@nearhand/contract/work/engagements';
import { beforeAll, describe, expect, it } from 'vitest';
import { businessWorkLine, businessWorkText, isLate } from '../engagements/business-work.labels.ts';
import { statusLabel } from '../engagements/engagement-move.api.ts';
import { sampleEngagement, sampleTerms, sampleWork } from '../engagements/engagements.fixtures.ts';
import {
  businessClaimOf,
  compareHours,
  plotOf,
  roundsSoFar,
  workerClaimOf,
} from '../timesheets/hours-compare.rules.ts';
import { openActions } from './business-acts.tsx';
import { groupWork } from './job-groups.rules.ts';

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));

const claim = (change: Partial<HoursClaim> = {}): HoursClaim => ({
  id: '0193aaaa-0000-7000-8000-0000000000f1',
  round: 1,
  by: 'worker',
  startsAt: '2026-11-21T07:00:00Z',
  endsAt: '2026-11-21T13:30:00Z',
  breakMinutes: 0,
  paidMinutes: 390,
  amountMinor: 11_700,
  note: '',
  at: '2026-11-21T13:40:00Z',
  flags: [],
  ...change,
});
const offered = claim({
  id: '0193aaaa-0000-7000-8000-0000000000f2',
  by: 'business',
  endsAt: '2026-11-21T12:30:00Z',
});

describe('hours beside each other', () => {
  it('shows only the plan without other data', () => {
    const rows = compareHours(sampleEngagement());
    expect(rows.map(({ kind }) => kind)).toEqual(['planned']);
    expect(rows[0]).toMatchObject({ paidMinutes: 360, amountMinor: 10_800, overMinutes: 0, overMinor: 0 });
  });

  it('shows time and money over and under the plan', () => {
    const rows = compareHours(
      sampleEngagement({
        checkedInAt: '2026-11-21T07:10:00Z',
        checkedOutAt: '2026-11-21T13:00:00Z',
        claims: [claim(), offered],
      }),
    );
    expect(rows.map(({ kind, overMinutes, overMinor }) => [kind, overMinutes, overMinor])).toEqual([
      ['planned', 0, 0],
      ['recorded', -10, -300],
      ['claimed', 30, 900],
      ['proposed', -30, -900],
    ]);
  });

  it('has no end without a check-out', () => {
    const rows = compareHours(sampleEngagement({ checkedInAt: '2026-11-21T07:10:00Z' }));
    expect(rows[1]).toMatchObject({ kind: 'recorded', endsAt: null, paidMinutes: null, overMinor: null });
  });

  it('has nothing to compare for a task', () => {
    expect(compareHours(sampleEngagement({ terms: sampleTerms({ startsAt: null, endsAt: null }) }))).toEqual(
      [],
    );
    expect(plotOf([])).toEqual({ bars: [], marks: [] });
  });

  it("takes each side's latest claim and counts the rounds", () => {
    const work = sampleEngagement({ claims: [claim(), offered, claim({ by: 'timer', note: 'last' })] });
    expect(workerClaimOf(work)?.note).toBe('last');
    expect(businessClaimOf(work)?.id).toBe(offered.id);
    expect(roundsSoFar(work)).toBe(1);
  });

  it('draws all bars on one time line with at most five marks', () => {
    const { bars, marks } = plotOf(compareHours(sampleEngagement({ claims: [claim()] })));
    expect(bars).toHaveLength(2);
    const pieces = bars.flatMap((bar) => bar.pieces);
    expect(pieces.every(({ from, to }) => from >= 0 && to <= 1 && from < to)).toBe(true);
    expect(marks.length).toBeLessThanOrEqual(5);
  });

  it('draws current work up to now, and a missing check-out no further than the line', () => {
    const rows = compareHours(
      sampleEngagement({ status: 'checked_in', checkedInAt: '2026-11-21T07:00:00Z' }),
    );
    const recorded = (now: Date | null) => plotOf(rows, now).bars[1]?.pieces[0];
    expect(recorded(new Date('2026-11-21T10:00:00Z'))).toMatchObject({ from: 0, to: 0.5 });
    expect(recorded(new Date('2026-11-21T20:00:00Z'))).toMatchObject({ to: 1 });
    expect(recorded(null)).toMatchObject({ to: 0.01 });
  });

  it('cuts breaks out of the bars: at their recorded times, and planned or entered ones in the middle', () => {
    const work = sampleEngagement({
      terms: sampleTerms({ breakMinutes: 60 }),
      checkedInAt: '2026-11-21T07:00:00Z',
      checkedOutAt: '2026-11-21T13:00:00Z',
    });
    const at = (kind: 'break_start' | 'break_end', time: string) =>
      ({ kind, at: `2026-11-21T${time}:00Z` }) as (typeof work.attendance)[number];
    const breaks = [at('break_start', '08:30'), at('break_end', '10:00')];
    const { bars } = plotOf(compareHours(work), null, breaks);
    const [planned, recorded] = bars.map(({ pieces }) => pieces);
    expect(recorded).toEqual([
      { from: 0, to: 0.25 },
      { from: 0.5, to: 1 },
    ]);
    expect(planned).toHaveLength(2);
    expect(plotOf(compareHours(work)).bars[1]?.pieces).toEqual([{ from: 0, to: 1 }]);
    expect(planned?.[0]?.to).toBeCloseTo(1 - (planned?.[1]?.from ?? 0));
  });
});

describe('who is on shift', () => {
  const at = new Date('2026-11-21T07:42:00Z');

  it('is late after the start without a check-in', () => {
    expect(isLate(sampleWork(), at)).toBe(true);
    expect(businessWorkLine(sampleWork(), at)).toMatch(/^42\smin late, due at 8\sAM/);
    expect(isLate(sampleWork({ status: 'checked_in' }), at)).toBe(false);
    expect(isLate(sampleWork(), new Date('2026-11-21T06:59:00Z'))).toBe(false);
  });

  it('shows when they arrived, and that they were late', () => {
    const here = sampleWork({ status: 'checked_in', checkedInAt: '2026-11-21T07:12:00Z', lateMinutes: 12 });
    expect(businessWorkLine(here, at)).toMatch(/^On site since 8:12\sAM/);
    expect(businessWorkText(here).label).toBe('On site, arrived late');
    expect(businessWorkText({ ...here, onBreak: true }).label).toBe('On break');
  });

  it('groups work by day and job, in arrival order', () => {
    const cardOf = (id: string, jobId: string): EngagementCard => sampleWork({ id, jobId });
    const days = groupWork([cardOf('a', 'x'), cardOf('b', 'y'), cardOf('c', 'x')], ({ id }) =>
      id === 'b' ? '2' : '1',
    );
    expect(days.map(({ day, jobs }) => [day, jobs.map(({ work }) => work.map(({ id }) => id))])).toEqual([
      ['1', [['a', 'c']]],
      ['2', [['b']]],
    ]);
  });

  it("shows only the server's actions, approval first", () => {
    expect(openActions({ actions: ['dispute', 'check-in', 'counter', 'approve'] })).toEqual([
      'approve',
      'counter',
      'dispute',
    ]);
    expect(openActions({ actions: [] })).toEqual([]);
  });
});

describe('a status as each side reads it', () => {
  it('has labels for both, and none for unknown ones', () => {
    expect(statusLabel('submitted', 'worker')).toBe('Hours submitted');
    expect(statusLabel('submitted', 'business')).toBe('Hours to approve');
    expect(statusLabel('with_operator', 'worker')).toBeUndefined();
  });
});
