import type { Db, Tx } from '../../platform/db.ts';
import { countRunningJobsOf, updateBusinessName } from './jobs.sql.ts';

/** Updates a renamed business's jobs, so that search finds them by the new name. */
export const renameBusinessInJobs = (tx: Tx, businessId: string, name: string): Promise<void> =>
  updateBusinessName(tx, businessId, name);

/** How many jobs prevent a business from closing. */
export const countRunningJobs = (db: Db, businessId: string): Promise<number> =>
  countRunningJobsOf(db, businessId);
