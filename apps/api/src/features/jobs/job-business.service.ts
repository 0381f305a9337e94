import type { Tx } from '../../platform/db.ts';
import { updateBusinessName } from './jobs.sql.ts';

/** Called by the businesses slice when a business changes its name: the words of its jobs follow. */
export async function renameBusinessInJobs(tx: Tx, businessId: string, name: string): Promise<void> {
  await updateBusinessName(tx, businessId, name);
}
