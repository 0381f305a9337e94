import type { MoneyScope } from '../../money/holds/holds.ts';
import { setSeats } from '../../money/holds/seat-holds.ts';
import type { Tx } from '../../platform/db.ts';
import { findJob } from '../jobs/job-states.ts';
import { possibleTerms } from './seat-terms.ts';
import { freeSeatsOf } from './seats.ts';

/**
 * Funds or refunds seats of an instant-hire job (ADR 75). The job must be locked.
 * @throws payment/balance-short if `all` is required
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
