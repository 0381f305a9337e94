import { dayMs } from '@nearhand/contract/durations';
import { cleanBusiness } from '@nearhand/contract/hiring/screening.rules';
import type { HiringOutcomes } from '../../hiring/outcomes.ts';
import { findRecord } from './sanctions.sql.ts';

/** Whether a business has earned that its jobs open at once: verified, with completed work, and without a breach for a year (ADR 178). */
export const isCleanBusiness: HiringOutcomes['isCleanBusiness'] = async (tx, { clock }, businessId) => {
  const since = new Date(clock.now().getTime() - cleanBusiness.quietDays * dayMs);
  const { verified, completed, breaches } = await findRecord(tx, businessId, since);
  return verified && completed >= cleanBusiness.completedMin && breaches === 0;
};
