import type { Tx } from '../../platform/db.ts';
import { findNextWaiting } from './waitlist.sql.ts';

/**
 * For the offers slice, when a seat of a job has freed: who waits longest on its waitlist, locked; one that another transaction works on is passed over.
 * Who is offered the seat leaves the waitlist by the move `waitlist-offer`.
 */
export async function nextWaiting(
  tx: Tx,
  jobId: string,
): Promise<{ applicationId: string; workerId: string } | undefined> {
  const row = await findNextWaiting(tx, jobId);
  return row && { applicationId: row.id, workerId: row.worker_id };
}
