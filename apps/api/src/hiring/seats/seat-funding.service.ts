import type { MoneyScope } from '../../money/holds/holds.service.ts';
import { setSeats } from '../../money/holds/seat-holds.service.ts';
import type { Tx } from '../../platform/db.ts';
import { findJob } from '../jobs/job-states.service.ts';
import { possibleTerms } from './seat-terms.service.ts';
import { freeSeatsOf } from './seats.service.ts';

/**
 * Makes the funded seats of a job of instant hire as many as are free, on its terms of now; those of any other job, or of one that is not open, go back to the
 * balance (ADR 0075). The job must be locked.
 * @param all every free seat or none: whoever publishes, reopens or edits is refused; a seat that freed by itself is funded if it can be
 * @throws payment/balance-short (data: missingMinor, currency) where `all` are wanted
 */
export async function fundSeats(
  tx: Tx,
  scope: MoneyScope,
  jobId: string,
  { all }: { all: boolean },
): Promise<{ missing: number }> {
  const job = await findJob(tx, jobId);
  const hires = job.instant_hire && job.status === 'open';
  return setSeats(tx, scope, {
    jobId,
    businessId: job.business_id,
    wanted: hires ? freeSeatsOf(job) : 0,
    terms: hires ? possibleTerms(scope, job) : null,
    all,
  });
}
