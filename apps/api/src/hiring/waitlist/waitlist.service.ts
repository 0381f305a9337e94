import type { Tx } from '../../platform/db.ts';
import { findNextWaiting } from './waitlist.sql.ts';

/**
 * For the offers slice, when a seat was freed: the first on the job's waitlist, locked; rows locked elsewhere are skipped. The move
 * `waitlist-offer` removes them from the waitlist.
 */
export async function nextWaiting(
  tx: Tx,
  jobId: string,
): Promise<{ applicationId: string; workerId: string } | undefined> {
  const row = await findNextWaiting(tx, jobId);
  return row && { applicationId: row.id, workerId: row.worker_id };
}
