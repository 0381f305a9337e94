import type { JobStatus } from '@nearhand/contract/hiring/jobs';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { emitRecord } from '../../platform/emit-records.ts';
import { closedUnseen } from '../jobs/jobs.columns.ts';

/** Jobs that anyone may see; a paused or suspended one returns to the list when it opens again. */
const shown = ['open', 'filled', 'expired', 'closed'] as const satisfies readonly JobStatus[];

/** Saves a job unless the account has `most`. Answers whether it is saved now. */
export async function insertSaved(
  tx: Tx,
  row: { accountId: string; jobId: string; at: Date },
  most: number,
): Promise<boolean> {
  const { accountId, jobId, at } = row;
  const { rows } = await sql<{ job_id: string }>`
    insert into saved_jobs (account_id, job_id, saved_at)
    select ${accountId}::uuid, ${jobId}::uuid, ${at}::timestamptz
    where (select count(*) from saved_jobs where account_id = ${accountId}) < ${most}
    on conflict (account_id, job_id) do nothing
    returning job_id`.execute(tx);
  if (rows.length > 0) {
    emitRecord(tx, 'saved-job', { id: jobId, workerId: accountId });
    return true;
  }
  // A statement of its own: the insert's snapshot does not see what another device saved at the same time.
  const known = await tx
    .selectFrom('saved_jobs')
    .select('job_id')
    .where('account_id', '=', accountId)
    .where('job_id', '=', jobId)
    .executeTakeFirst();
  return known !== undefined;
}

/** Removes a saved job; a no-op where it is not saved. */
export async function deleteSaved(tx: Tx, accountId: string, jobId: string): Promise<void> {
  const gone = await tx
    .deleteFrom('saved_jobs')
    .where('account_id', '=', accountId)
    .where('job_id', '=', jobId)
    .returning('job_id')
    .executeTakeFirst();
  if (gone) emitRecord(tx, 'saved-job', { id: jobId, workerId: accountId });
}

/** Forgets a job that will not be shown again, for everyone who saved it. */
export async function deleteSavesOf(tx: Tx, jobId: string): Promise<void> {
  const rows = await tx
    .deleteFrom('saved_jobs')
    .where('job_id', '=', jobId)
    .returning('account_id')
    .execute();
  for (const row of rows) emitRecord(tx, 'saved-job', { id: jobId, workerId: row.account_id });
}

export async function findSavedIds(db: Db, accountId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('saved_jobs')
    .select('job_id')
    .where('account_id', '=', accountId)
    .orderBy('saved_at', 'desc')
    .execute();
  return rows.map((row) => row.job_id);
}

export type SavedRow = { job_id: string; saved_at: Date };

/** Saved jobs that may be shown, last saved first, after the row of the cursor. */
export async function findSaved(
  db: Db,
  accountId: string,
  after: readonly [string, string] | null,
  limit: number,
): Promise<SavedRow[]> {
  const [afterTime, afterId] = after ?? [null, null];
  const { rows } = await sql<SavedRow>`
    select saved.job_id, saved.saved_at from saved_jobs saved join jobs job on job.id = saved.job_id
    where saved.account_id = ${accountId} and job.status in (${sql.join([...shown])})
      and not (job.status = 'closed' and ${closedUnseen})
      and (${afterTime}::timestamptz is null or (saved.saved_at, saved.job_id) < (${afterTime}, ${afterId}::uuid))
    order by saved.saved_at desc, saved.job_id desc limit ${limit}`.execute(db);
  return rows;
}

/** Whether anyone saved the job. */
export async function isSaved(db: Db, jobId: string): Promise<boolean> {
  const row = await db
    .selectFrom('saved_jobs')
    .select('job_id')
    .where('job_id', '=', jobId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Accounts that saved the job and have no application to it, by id, after one of them. */
export async function findSavers(
  db: Db,
  jobId: string,
  after: string | null,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    select account_id from saved_jobs saved
    where job_id = ${jobId} and (${after}::uuid is null or account_id > ${after}::uuid)
      and not exists (select from applications where applications.job_id = saved.job_id
        and worker_id = saved.account_id and status <> 'withdrawn')
    order by account_id limit ${limit}`.execute(db);
  return rows.map((row) => row.account_id);
}

/** For a removed account. */
export async function deleteSavedOf(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('saved_jobs').where('account_id', '=', accountId).execute();
}
