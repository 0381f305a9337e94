import { paidMinutes } from '../work/timesheets.rules.ts';
import type { JobFacts, OptionalText } from './jobs.rules.ts';

/** A shift with fewer paid minutes needs a reason. */
export const shortShiftMinutes = 15;

/** The texts that give a reason for an unusual term, which publishing requires. */
export const unusualTerms = ['payReason', 'shortReason'] as const satisfies readonly OptionalText[];
export type UnusualTerm = (typeof unusualTerms)[number];

/** Terms that need a reason: hourly pay below `floorMinor` (null if there is none), and less than 15 paid minutes. */
export function unusualTermsOf(
  job: Pick<JobFacts, 'kind' | 'payMinor' | 'startsAt' | 'endsAt' | 'breakMinutes' | 'breakPaid'>,
  floorMinor: number | null,
): UnusualTerm[] {
  if (job.kind !== 'shift') return [];
  const terms: UnusualTerm[] = [];
  if (floorMinor !== null && job.payMinor !== null && job.payMinor < floorMinor) terms.push('payReason');
  if (job.startsAt && job.endsAt) {
    const minutes = paidMinutes(job.startsAt, job.endsAt, job.breakMinutes, job.breakPaid);
    // A break as long as the shift is impossible anyway.
    if (minutes > 0 && minutes < shortShiftMinutes) terms.push('shortReason');
  }
  return terms;
}
