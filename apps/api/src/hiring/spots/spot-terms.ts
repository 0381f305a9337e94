import { maxMinor } from '@nearhand/contract/arithmetic';
import type { Currency } from '@nearhand/contract/currencies';
import { jobCost } from '@nearhand/contract/hiring/job-cost';
import { plannedFundingFor } from '@nearhand/contract/money/funding';
import type { CategoryId } from '@nearhand/contract/people/taxonomy';
import { confirmByFor } from '@nearhand/contract/work/confirm.rules';
import type { JobRelation } from '@nearhand/contract/work/pay.rules';
import type { Terms } from '@nearhand/contract/work/terms';
import { paidMinutes } from '@nearhand/contract/work/timesheets.rules';
import { dayEndsAt } from '@nearhand/contract/zoned-time';
import { AppError } from '../../platform/app-error.ts';
import type { ClockConfigScope } from '../../platform/http/scope.ts';
import { confirmHours, fundingSettings } from '../../work/engagements/engagement-actions.rules.ts';
import type { JobRow } from '../jobs/jobs.columns.ts';
import { requirePossiblePay } from '../jobs/jobs.ts';

const offeredJob = (row: JobRow): OfferedJob => ({
  kind: row.kind,
  title: row.title,
  category: row.category as CategoryId,
  payMinor: row.payMinor,
  payUnit: row.payUnit,
  hourlyPayMinor: row.payUnit === 'hour' ? row.payMinor : row.payHourMinor,
  currency: row.currency,
  businessFeeBasisPoints: row.businessFeeBasisPoints,
  workerFeeBasisPoints: row.workerFeeBasisPoints,
  startsAt: row.startsAt,
  endsAt: row.endsAt,
  breakMinutes: row.breakMinutes,
  breakPaid: row.breakPaid,
  relation: row.relation,
  dueOn: row.dueOn,
  timeZone: row.timeZone,
  address: row.address,
  area: row.area,
  lat: row.lat,
  lng: row.lng,
});

/** The start of a shift, the end of a task's due date; null for a task without a due date. */
export const workDeadline = (job: Pick<JobRow, 'startsAt' | 'dueOn' | 'timeZone'>): Date | null =>
  job.startsAt ?? (job.dueOn === null ? null : new Date(dayEndsAt(job.timeZone, job.dueOn)));

/**
 * Returns the terms that a new offer would have.
 * @throws offer/terms-missing, offer/pay-below-job, offer/starts-in-past, request/invalid
 */
export function requireTerms(scope: ClockConfigScope, row: JobRow, payMinor?: number): Terms {
  const job = offeredJob(row);
  const missing = missingTerms(job, payMinor);
  const base = basePay(job);
  const pay = payMinor ?? base;
  if (missing.length > 0 || pay === null) throw new AppError('offer/terms-missing', { missing });
  if (base !== null && pay < base) throw new AppError('offer/pay-below-job', { payMinor: base });
  const unit = job.kind === 'task' ? 'fixed' : 'hour';
  requirePossiblePay({ ...job, payMinor: pay }, unit, row.currency);
  const until = workDeadline(row);
  if (until !== null && until <= scope.clock.now()) throw new AppError('offer/starts-in-past');
  const terms = termsOf(job, pay);
  if (!fitsMoney(terms))
    throw new AppError('request/invalid', {
      issues: [{ path: 'payMinor', message: 'a pay whose whole is a possible amount' }],
    });
  const startsAt = job.kind === 'shift' ? job.startsAt : null;
  const confirmBy = confirmByFor(startsAt, job.timeZone, confirmHours(scope.config), scope.clock.now());
  const { paidMinutes: planned } = terms;
  return {
    ...terms,
    minimumMinutes: planned === null ? null : Math.min(planned, scope.config.SENT_HOME_MINUTES),
    confirmBy: confirmBy?.toISOString() ?? null,
    // Only the shifts of a series are funded later: all of them at once would be weeks of money (ADR 399). The spots of
    // an instant hire are funded at publishing (ADR 75).
    plannedFunding:
      row.seriesId === null || row.instantHire
        ? null
        : plannedFundingFor(startsAt, fundingSettings(scope.config), scope.clock.now()),
  };
}

/** The pay that a job posts, hourly for a shift and total for a task. Null if it is in words only. */
export const jobPay = (row: JobRow): number | null => basePay(offeredJob(row));

/** Null if no automatic offer can be made, which is not the caller's error. */
export function possibleTerms(scope: ClockConfigScope, row: JobRow): Terms | null {
  try {
    return requireTerms(scope, row);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** Pay in minor units; `hourlyPayMinor` makes units comparable (ADR 7). */
export type OfferedJob = {
  kind: 'shift' | 'task';
  title: string;
  category: CategoryId;
  payMinor: number | null;
  payUnit: string;
  hourlyPayMinor: number | null;
  currency: Currency;
  businessFeeBasisPoints: number;
  workerFeeBasisPoints: number;
  startsAt: Date | null;
  endsAt: Date | null;
  breakMinutes: number;
  breakPaid: boolean;
  relation: JobRelation | null;
  dueOn: string | null;
  timeZone: string;
  address: string;
  area: string;
  lat: number;
  lng: number;
};

/** Hourly for a shift (imported daily or yearly pay is converted), the total for a task. */
export const basePay = (job: OfferedJob): number | null => {
  if (job.kind === 'task') return job.payUnit === 'fixed' ? job.payMinor : null;
  return job.hourlyPayMinor;
};

/** An imported posting may have its hours in words only. */
export function missingTerms(job: OfferedJob, payMinor: number | undefined): string[] {
  const missing: string[] = [];
  if (payMinor === undefined && basePay(job) === null) missing.push('payMinor');
  if (job.kind === 'shift' && job.startsAt === null) missing.push('startsAt');
  if (job.kind === 'shift' && job.endsAt === null) missing.push('endsAt');
  return missing;
}

/** The terms frozen into an offer: times, pay, fees and hold for one spot. Minor units. */
export function termsOf(job: OfferedJob, payMinor: number): Terms {
  const minutes =
    job.kind === 'shift' && job.startsAt && job.endsAt
      ? paidMinutes(job.startsAt, job.endsAt, job.breakMinutes, job.breakPaid)
      : null;
  const cost = jobCost({
    kind: job.kind,
    payMinor,
    paidMinutes: minutes ?? 0,
    headCount: 1,
    businessFeeBasisPoints: job.businessFeeBasisPoints,
    workerFeeBasisPoints: job.workerFeeBasisPoints,
  });
  return {
    kind: job.kind,
    title: job.title,
    category: job.category,
    payMinor,
    currency: job.currency,
    paidMinutes: minutes,
    payTotalMinor: cost.payEachMinor,
    workerGetsMinor: cost.workerGetsMinor,
    businessFeeBasisPoints: job.businessFeeBasisPoints,
    workerFeeBasisPoints: job.workerFeeBasisPoints,
    holdMinor: cost.totalMinor,
    startsAt: job.startsAt?.toISOString() ?? null,
    endsAt: job.endsAt?.toISOString() ?? null,
    breakMinutes: job.breakMinutes,
    breakPaid: job.breakPaid,
    relation: job.relation,
    dueOn: job.dueOn,
    timeZone: job.timeZone,
    place: { address: job.address, area: job.area, lat: job.lat, lng: job.lng },
  };
}

/** Returns whether the hold is within the largest amount that the ledger accepts. */
export const fitsMoney = (terms: Terms): boolean => terms.holdMinor <= maxMinor;
