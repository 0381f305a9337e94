import type { MoneyScope } from '../../money/holds/holds.ts';
import { setSeats } from '../../money/holds/seat-holds.ts';
import type { Tx } from '../../platform/db.ts';
import { findJob } from '../jobs/job-states.ts';
import { possibleTerms } from './seat-terms.ts';
import { freeSeatsOf } from './seats.ts';

/**
 * Adjusts the funded seats of an instant-hire job to its free ones, on its current terms; for any other job, or one that is not open,
 * refunds them to the balance (ADR 75). The job must be locked.
 * @param all every free seat or none: publishing, reopening and editing are refused; a seat that was freed is funded if possible
 * @throws payment/balance-short (data: missingMinor, currency) where `all` are wanted
 */
export async function fundSeats(
  tx: Tx,
  scope: MoneyScope,
  jobId: string,
  { all }: { all: boolean },
): Promise<{ missing: number }> {
  const job = await findJob(tx, jobId);
  const hires = job.instantHire && job.status === 'open';
  return setSeats(tx, scope, {
    jobId,
    businessId: job.businessId,
    wanted: hires ? freeSeatsOf(job) : 0,
    terms: hires ? possibleTerms(scope, job) : null,
    all,
  });
}
