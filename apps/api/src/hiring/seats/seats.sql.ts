import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { emitRow } from '../../platform/emit-records.ts';

/** Changes seat counts. The constraint `jobs_seats` refuses more than there are. */
export async function moveSeats(
  tx: Tx,
  jobId: string,
  by: { offered?: number; hired?: number },
): Promise<void> {
  const updated = await tx
    .updateTable('jobs')
    .set({
      offered_count: sql<number>`offered_count + ${by.offered ?? 0}::integer`,
      hired_count: sql<number>`hired_count + ${by.hired ?? 0}::integer`,
    })
    .where('id', '=', jobId)
    .returning(['id', 'business_id'])
    .executeTakeFirst();
  emitRow(tx, 'job', updated);
}

/** Whether a job was paused when its last seat was hired. */
export async function wasPausedWhenFilled(db: Db, jobId: string): Promise<boolean> {
  const filled = await db
    .selectFrom('job_moves')
    .select('from_status')
    .where('job_id', '=', jobId)
    .where('action', '=', 'fill')
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return filled?.from_status === 'paused';
}
