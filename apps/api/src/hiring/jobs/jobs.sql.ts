import type { questionKinds } from '@nearhand/contract/hiring/job-posting';
import type { JobStatus } from '@nearhand/contract/hiring/jobs';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';
import type { JobMoves, JobQuestions, Jobs } from '../../platform/tables.gen.ts';
import type { JobRow, NewJob } from './jobs.columns.ts';

/**
 * Doesn't block foreign key references, because inserting an interview under an application's lock could deadlock (ADR
 * 38).
 */
export async function lockJobRow(tx: Tx, jobId: string): Promise<JobRow | undefined> {
  const row = await tx
    .selectFrom('jobs')
    .selectAll()
    .where('id', '=', jobId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row as JobRow | undefined;
}

export async function findJobRow(db: Db, jobId: string): Promise<JobRow | undefined> {
  const row = await db.selectFrom('jobs').selectAll().where('id', '=', jobId).executeTakeFirst();
  return row as JobRow | undefined;
}

export async function findJobOwner(
  db: Db,
  jobId: string,
): Promise<{ businessId: string; status: JobStatus } | undefined> {
  const row = await db
    .selectFrom('jobs')
    .select(['businessId as businessId', 'status'])
    .where('id', '=', jobId)
    .executeTakeFirst();
  return row as { businessId: string; status: JobStatus } | undefined;
}

export async function insertJob(tx: Tx, row: NewJob): Promise<void> {
  await tx.insertInto('jobs').values(row).execute();
  emitRecord(tx, 'job', row);
}

export async function updateJobVersion(
  tx: Tx,
  jobId: string,
  version: number,
  changes: Updateable<Jobs>,
): Promise<boolean> {
  const updated = await tx
    .updateTable('jobs')
    .set({ ...changes, version: version + 1 })
    .where('id', '=', jobId)
    .where('version', '=', version)
    .returning(['id', 'businessId'])
    .executeTakeFirst();
  emitRecord(tx, 'job', updated);
  return updated !== undefined;
}

export async function updateJobStatus(
  tx: Tx,
  jobId: string,
  from: JobStatus,
  changes: Updateable<Jobs> & { status: JobStatus },
): Promise<boolean> {
  const updated = await tx
    .updateTable('jobs')
    .set(changes)
    .where('id', '=', jobId)
    .where('status', '=', from)
    .returning(['id', 'businessId'])
    .executeTakeFirst();
  emitRecord(tx, 'job', updated);
  return updated !== undefined;
}

export async function deleteDraftJob(tx: Tx, jobId: string): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('jobs')
    .where('id', '=', jobId)
    .where('status', '=', 'draft')
    .returning(['id', 'businessId'])
    .executeTakeFirst();
  emitRecord(tx, 'job', deleted);
  return deleted !== undefined;
}

export async function insertJobMove(tx: Tx, row: Insertable<JobMoves>): Promise<void> {
  await tx.insertInto('job_moves').values(row).execute();
}

export async function countOpenJobs(db: Db, businessId: string): Promise<number> {
  const row = await db
    .selectFrom('jobs')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('businessId', '=', businessId)
    .where('status', '=', 'open')
    .executeTakeFirstOrThrow();
  return row.count;
}

type QuestionRow = Omit<Selectable<JobQuestions>, 'kind'> & { kind: (typeof questionKinds)[number] };

export async function findQuestions(db: Db, jobIds: readonly string[]): Promise<QuestionRow[]> {
  if (jobIds.length === 0) return [];
  const rows = await db
    .selectFrom('job_questions')
    .selectAll()
    .where('jobId', 'in', jobIds)
    .orderBy('jobId')
    .orderBy('position')
    .execute();
  return rows as QuestionRow[];
}

export async function replaceQuestions(
  tx: Tx,
  jobId: string,
  rows: readonly Insertable<JobQuestions>[],
): Promise<void> {
  await tx.deleteFrom('job_questions').where('jobId', '=', jobId).execute();
  if (rows.length > 0)
    await tx
      .insertInto('job_questions')
      .values([...rows])
      .execute();
}

export async function findPhotos(db: Db, jobId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('job_photos')
    .select('fileId')
    .where('jobId', '=', jobId)
    .orderBy('position')
    .execute();
  return rows.map(({ fileId }) => fileId);
}

export async function replacePhotos(tx: Tx, jobId: string, fileIds: readonly string[]): Promise<void> {
  await tx.deleteFrom('job_photos').where('jobId', '=', jobId).execute();
  if (fileIds.length === 0) return;
  await tx
    .insertInto('job_photos')
    .values(fileIds.map((fileId, position) => ({ jobId, fileId, position })))
    .execute();
}

export async function renameBusinessInJobs(tx: Tx, businessId: string, name: string): Promise<void> {
  await tx.updateTable('jobs').set({ businessName: name }).where('businessId', '=', businessId).execute();
}

/** The constraint `jobs_seats` rejects taking more seats than there are. */
export async function updateSeats(
  tx: Tx,
  jobId: string,
  by: { offered?: number; hired?: number },
): Promise<void> {
  const updated = await tx
    .updateTable('jobs')
    .set({
      offeredCount: sql<number>`offered_count + ${by.offered ?? 0}::integer`,
      hiredCount: sql<number>`hired_count + ${by.hired ?? 0}::integer`,
    })
    .where('id', '=', jobId)
    .returning(['id', 'businessId'])
    .executeTakeFirst();
  emitRecord(tx, 'job', updated);
}

export async function wasPausedWhenFilled(db: Db, jobId: string): Promise<boolean> {
  const filled = await db
    .selectFrom('job_moves')
    .select('fromStatus')
    .where('jobId', '=', jobId)
    .where('action', '=', 'fill')
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return filled?.fromStatus === 'paused';
}
