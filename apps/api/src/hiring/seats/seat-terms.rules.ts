import { jobCost } from '@nearhand/contract/hiring/job-cost';
import { type Currency, maxMinor } from '@nearhand/contract/money';
import type { CategoryId } from '@nearhand/contract/people/taxonomy';
import type { Terms } from '@nearhand/contract/work/terms';
import { paidMinutes } from '@nearhand/contract/work/timesheets.rules';

/** The job's part of an offer's terms. Pay in minor units; `hourlyPayMinor` makes units comparable (ADR 7). */
export type OfferedJob = {
  kind: 'shift' | 'task';
  title: string;
  category: CategoryId;
  payMinor: number | null;
  payUnit: string;
  hourlyPayMinor: number | null;
  currency: Currency;
  merchantFeeBasisPoints: number;
  workerFeeBasisPoints: number;
  startsAt: Date | null;
  endsAt: Date | null;
  breakMinutes: number;
  breakPaid: boolean;
  dueOn: string | null;
  timeZone: string;
  address: string;
  area: string;
  lat: number;
  lng: number;
};

/** What the job pays in an offer's unit: hourly for a shift (imported daily or yearly pay is converted), the total for a task. */
export const basePay = (job: OfferedJob): number | null =>
  job.kind === 'task' ? (job.payUnit === 'fixed' ? job.payMinor : null) : job.hourlyPayMinor;

/** What an offer lacks, by contract field: an imported posting may have its hours in words only. */
export function missingTerms(job: OfferedJob, payMinor: number | undefined): string[] {
  const missing: string[] = [];
  if (payMinor === undefined && basePay(job) === null) missing.push('payMinor');
  if (job.kind === 'shift' && job.startsAt === null) missing.push('startsAt');
  if (job.kind === 'shift' && job.endsAt === null) missing.push('endsAt');
  return missing;
}

/** The terms of an offer made now at this pay, by the same arithmetic as the job's preview; `missingTerms` must be empty. */
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
    merchantFeeBasisPoints: job.merchantFeeBasisPoints,
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
    merchantFeeBasisPoints: job.merchantFeeBasisPoints,
    workerFeeBasisPoints: job.workerFeeBasisPoints,
    holdMinor: cost.totalMinor,
    startsAt: job.startsAt?.toISOString() ?? null,
    endsAt: job.endsAt?.toISOString() ?? null,
    breakMinutes: job.breakMinutes,
    breakPaid: job.breakPaid,
    dueOn: job.dueOn,
    timeZone: job.timeZone,
    place: { address: job.address, area: job.area, lat: job.lat, lng: job.lng },
  };
}

/** Whether the total fits every column and sum: the maximum hourly pay for two days would not. */
export const fitsMoney = (terms: Terms): boolean => terms.holdMinor <= maxMinor;
