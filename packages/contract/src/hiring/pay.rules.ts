import { shareOfAmount } from '../arithmetic.ts';
import type { Terms } from '../work/terms.ts';
import type { Pay } from './jobs.ts';

/** The worker's pay after their fee, in minor units: for the whole job if its hours are known, otherwise per unit. */
export function workerGetsMinor(pay: Pick<Pay, 'minor' | 'totalMinor' | 'workerFeeBasisPoints'>): number {
  const gross = pay.totalMinor ?? pay.minor;
  return gross - shareOfAmount(gross, pay.workerFeeBasisPoints);
}

/** Converts the terms of an offer or engagement to the pay of a job, so that screens show both alike. */
export const payOfTerms = (terms: Terms): Pay => ({
  minor: terms.payMinor,
  maxMinor: null,
  currency: terms.currency,
  unit: terms.kind === 'task' ? 'fixed' : 'hour',
  paidMinutes: terms.paidMinutes,
  totalMinor: terms.payTotalMinor,
  businessFeeBasisPoints: terms.businessFeeBasisPoints,
  workerFeeBasisPoints: terms.workerFeeBasisPoints,
});
