import type { Db, Tx } from '../../platform/db.ts';
import { countRunningJobsOf, updateBusinessName } from './jobs.sql.ts';

/** A business changed its name: its jobs are found by the new one. */
export const renameBusinessInJobs = (tx: Tx, businessId: string, name: string): Promise<void> =>
  updateBusinessName(tx, businessId, name);

/** How many jobs keep a business from closing. */
export const countRunningJobs = (db: Db, businessId: string): Promise<number> =>
  countRunningJobsOf(db, businessId);
