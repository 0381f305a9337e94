import type { Insertable, Updateable } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';
import type { JobMoves, Jobs } from '../../platform/tables.gen.ts';
import type { JobRow, NewJob } from '../jobs/jobs.columns.ts';

export type { NewJob };

/** Locks the jobs that a source has posted before, by the source's ids. */
export async function lockImportedJobs(
  tx: Tx,
  source: string,
  postings: readonly { businessId: string; sourceId: string }[],
): Promise<JobRow[]> {
  if (postings.length === 0) return [];
  return tx
    .selectFrom('jobs')
    .selectAll()
    .where('source', '=', source)
    .where('businessId', 'in', [...new Set(postings.map((posting) => posting.businessId))])
    .where('sourceId', 'in', [...new Set(postings.map((posting) => posting.sourceId))])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

export async function insertImportedJobs(
  tx: Tx,
  rows: readonly NewJob[],
  moves: readonly Insertable<JobMoves>[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx
    .insertInto('jobs')
    .values([...rows])
    .execute();
  await tx
    .insertInto('job_moves')
    .values([...moves])
    .execute();
  for (const row of rows) emitRecord(tx, 'job', row);
}

export async function updateImportedJob(tx: Tx, row: JobRow, changes: Updateable<Jobs>): Promise<void> {
  await tx
    .updateTable('jobs')
    .set({ ...changes, version: row.version + 1 })
    .where('id', '=', row.id)
    .execute();
  emitRecord(tx, 'job', row);
}
