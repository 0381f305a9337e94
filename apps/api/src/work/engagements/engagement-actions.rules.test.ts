import { addMs, minuteMs } from '@nearhand/contract/durations';
import { engagementStatuses } from '@nearhand/contract/engagement-statuses';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../platform/config/config.ts';
import {
  amountOf,
  cancellationTerms,
  type EngagementFacts,
  engagementActionsFor,
  lateMinutes,
  nextOf,
} from './engagement-actions.rules.ts';
import { nextEngagementStatus } from './engagements.rules.ts';

const startsAt = new Date('2026-11-26T09:00:00Z');
const settings = readConfig({});
const facts = (options: Partial<EngagementFacts> = {}): EngagementFacts => ({
  kind: 'shift',
  status: 'booked',
  terms: { timeZone: 'Europe/Amsterdam', confirmBy: null },
  startsAt,
  endsAt: new Date('2026-11-26T17:00:00Z'),
  createdAt: new Date('2026-11-21T09:00:00Z'),
  updatedAt: new Date('2026-11-21T09:00:00Z'),
  checkedInAt: null,
  checkedOutAt: null,
  onBreakSince: null,
  lateMinutes: null,
  amountMinor: 14_000,
  nextWhat: null,
  nextAt: null,
  nextMinor: null,
  compensationMinor: null,
  noShowAt: null,
  contest: null,
  claimBy: null,
  ...options,
});
const at = (minutes: number) => addMs(startsAt, minutes * minuteMs);
const actions = (options: Partial<EngagementFacts>, side: 'worker' | 'business' | null, minutes: number) =>
  engagementActionsFor(facts(options), side, at(minutes), settings);

describe('possible actions by time', () => {
  it.each([
    ['worker', -61, ['confirm', 'say-late', 'cancel']],
    ['worker', -60, ['confirm', 'check-in', 'say-late', 'cancel']],
    ['worker', 0, ['check-in', 'say-late', 'submit-hours']],
    ['worker', 480, ['check-in', 'say-late', 'submit-hours']],
    ['worker', 481, ['submit-hours']],
    ['business', -60, ['check-in-for', 'cancel']],
    ['business', 59, ['check-in-for', 'cancel']],
    ['business', 60, ['check-in-for', 'cancel', 'report-no-show']],
    ['business', 480, ['check-in-for', 'report-no-show']],
    [null, 60, []],
  ] as const)('of a booked shift for %s at minute %i', (side, minutes, expected) => {
    expect(actions({}, side, minutes)).toEqual(expected);
  });

  it.each([
    [-10, ['check-in']],
    [0, ['check-in', 'submit-hours']],
    [480, ['check-in', 'submit-hours']],
    [481, ['submit-hours']],
  ] as const)('let someone who checked out continue at minute %i', (minutes, expected) => {
    const left = { status: 'checked_out', checked_in_at: at(-30), checked_out_at: at(-20) } as const;
    expect(actions(left, 'worker', minutes)).toEqual(expected);
  });

  it('include a dispute for seven days', () => {
    const submitted = { status: 'submitted', claim_by: 'worker' } as const;
    const over = 480 + 7 * 24 * 60;
    expect(actions(submitted, 'business', over)).toEqual(['counter', 'approve', 'dispute']);
    expect(actions(submitted, 'business', over + 1)).toEqual(['counter', 'approve']);
  });

  it('follow the table without repeats', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...engagementStatuses),
        fc.constantFrom('shift' as const, 'task' as const),
        fc.constantFrom('worker' as const, 'business' as const),
        fc.integer({ min: -60_000, max: 60_000 }),
        (status, kind, side, minutes) => {
          const spans = kind === 'task' ? { starts_at: null, ends_at: null } : {};
          for (const action of actions({ status, kind, ...spans }, side, minutes)) {
            if (action === 'start-break' || action === 'end-break' || action === 'say-late') continue;
            const to = nextEngagementStatus(kind, status, action, side);
            expect(to).not.toBeNull();
            if (action !== 'submit-hours' || status !== 'submitted') expect(to).not.toBe(status);
          }
        },
      ),
    );
  });
});

describe('the cost of cancelling', () => {
  const terms = (payMinor: number, payTotalMinor: number) => ({ payMinor, payTotalMinor });

  it('is half of the pay and at most four hours of it, in whole minor units', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000_000_000 }),
        fc.integer({ min: 0, max: 24 * 60 }),
        (payMinor, minutes) => {
          const payTotalMinor = Math.round((payMinor * minutes) / 60);
          const { late, compensationMinor } = cancellationTerms(
            facts(),
            terms(payMinor, payTotalMinor),
            'business',
            at(-60),
            settings,
          );
          expect(late).toBe(true);
          expect(Number.isSafeInteger(compensationMinor)).toBe(true);
          expect(compensationMinor).toBeLessThanOrEqual(payMinor * 4);
          expect(compensationMinor * 2).toBeLessThanOrEqual(payTotalMinor + 1);
        },
      ),
    );
  });

  it('is zero for the worker, or in time', () => {
    const pay = terms(1_750, 14_000);
    expect(cancellationTerms(facts(), pay, 'business', at(-24 * 60), settings)).toEqual({
      late: false,
      compensationMinor: 0,
      freeUntil: null,
    });
    expect(cancellationTerms(facts(), pay, 'worker', at(-60), settings)).toEqual({
      late: true,
      compensationMinor: 0,
      freeUntil: null,
    });
    const task = facts({ kind: 'task', startsAt: null, endsAt: null });
    expect(cancellationTerms(task, pay, 'business', at(0), settings)).toMatchObject({
      late: false,
      compensationMinor: 0,
    });
  });

  it('is waived for five minutes after a booking, until the start', () => {
    const pay = terms(1_750, 14_000);
    const freeUntil = (booked: number, now: number) =>
      cancellationTerms(facts({ createdAt: at(booked) }), pay, 'business', at(now), settings).freeUntil;
    expect(freeUntil(-60, -60)).toEqual(at(-55));
    expect(freeUntil(-60, -56)).toEqual(at(-55));
    expect(freeUntil(-60, -55)).toBeNull();
    expect(freeUntil(-2, -1)).toEqual(at(3));
    expect(freeUntil(-2, 0)).toBeNull();
    expect(freeUntil(-25 * 60, -25 * 60)).toBeNull();
  });
});

describe('the next step', () => {
  it('is to confirm, then to submit, then what the row says', () => {
    const next = (options: Partial<EngagementFacts>, minutes: number) =>
      nextOf(facts(options), at(minutes), settings)?.kind ?? null;
    // 36 hours before is 22:00, so the question comes at 21:00.
    expect(next({}, -37 * 60 - 1)).toBe('confirm');
    expect(next({}, -37 * 60)).toBe('auto-submit');
    const terms = { timeZone: 'Europe/Amsterdam', confirmBy: at(-16 * 60).toISOString() };
    expect(next({ terms }, -37 * 60 - 1)).toBe('confirm');
    expect(next({ terms }, -16 * 60 - 1)).toBe('confirm-by');
    expect(next({ terms }, -16 * 60)).toBe('auto-submit');
    expect(next({ terms, status: 'confirmed' }, -17 * 60)).toBe('auto-submit');
    expect(next({ status: 'checked_in' }, 60)).toBe('auto-submit');
    const row = { nextWhat: 'auto-approve', nextAt: at(9_000) };
    expect(next({ status: 'submitted', ...row }, 600)).toBe('auto-approve');
    expect(next({ status: 'completed', ...row }, 600)).toBeNull();
    expect(next({ status: 'no_show_reported', noShowAt: at(60) }, 60 + 24 * 60 - 1)).toBe('contest-over');
    expect(next({ status: 'no_show_reported', noShowAt: at(60) }, 60 + 24 * 60)).toBeNull();
    expect(next({ kind: 'task', startsAt: null, endsAt: null }, 0)).toBeNull();
  });

  it('counts from the last move, for any time limit', () => {
    const row = { nextWhat: 'auto-approve', nextAt: at(600), nextMinor: 4_200, updatedAt: at(540) };
    expect(nextOf(facts({ status: 'submitted', ...row }), at(570), settings)).toEqual({
      kind: 'auto-approve',
      at: at(600).toISOString(),
      since: at(540).toISOString(),
      amountMinor: 4_200,
    });
  });
});

describe('figures', () => {
  it('counts whole minutes late', () => {
    expect(lateMinutes(startsAt, at(-5))).toBe(0);
    expect(lateMinutes(startsAt, addMs(startsAt, 59_999))).toBe(0);
    expect(lateMinutes(startsAt, at(7))).toBe(7);
    expect(lateMinutes(startsAt, null)).toBeNull();
    expect(lateMinutes(null, at(7))).toBeNull();
  });

  it('counts no pay for a no-show, and the compensation for a late cancellation', () => {
    expect(amountOf(facts({ status: 'no_show_reported' }))).toBe(0);
    expect(amountOf(facts({ status: 'cancelled_by_merchant', compensationMinor: 7_000 }))).toBe(7_000);
    expect(amountOf(facts({ status: 'cancelled_by_worker' }))).toBe(0);
    expect(amountOf(facts({ status: 'approved' }))).toBe(14_000);
  });
});
