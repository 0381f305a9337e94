import { dayMs } from '@nearhand/contract/durations';
import type { Side } from '@nearhand/contract/sides';
import type { Report, ReportCase } from '@nearhand/contract/trust/reports';
import { type ReportKind, type ReportReason, reportLimits } from '@nearhand/contract/trust/reports.rules';
import { type Insertable, type RawBuilder, sql } from 'kysely';
import { viewJob } from '../../hiring/jobs/job-views.ts';
import { businessProfile } from '../../people/businesses/businesses.ts';
import { findRole } from '../../people/businesses/members.sql.ts';
import { findOwnFile } from '../../people/files/files.ts';
import { workerProfile } from '../../people/profiles/profiles.ts';
import { type FormerMember, withoutWords } from '../../platform/anonymise.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';
import type { Reports } from '../../platform/tables.gen.ts';
import { findPublishedSides } from '../reviews/review-views.ts';

type CaseStatus = 'open' | 'actioned' | 'dismissed';
const subjectColumn = {
  job: 'job_id',
  business: 'business_id',
  worker: 'worker_id',
  review: 'review_id',
} as const;

/** Locks the open case about a subject, or opens one; a concurrent decision is seen. */
async function openCase(
  tx: Tx,
  of: { id: string; kind: ReportKind; subjectId: string; at: Date; dueAt: Date },
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into report_cases (id, kind, ${sql.ref(subjectColumn[of.kind])}, status, opened_at, due_at)
    values (${of.id}, ${of.kind}, ${of.subjectId}, 'open', ${of.at}, ${of.dueAt})
    on conflict (coalesce(job_id, business_id, worker_id, review_id)) where status = 'open' do update set kind = excluded.kind
    returning id`.execute(tx);
  return rows[0]?.id as string;
}

async function saveReport(tx: Tx, row: Insertable<Reports> & { accountId: string }): Promise<string> {
  const { id } = await tx
    .insertInto('reports')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['caseId', 'accountId']).doUpdateSet({ reason: row.reason, note: row.note }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  emitRecord(tx, 'report', { id, workerId: row.accountId });
  return id;
}

async function addReportFiles(tx: Tx, reportId: string, fileIds: readonly string[]): Promise<void> {
  if (fileIds.length === 0) return;
  await sql`insert into report_files (file_id, report_id, place)
    select added.id, ${reportId}, added.place + (select count(*) from report_files where report_id = ${reportId})
    from unnest(${[...fileIds]}::uuid[]) with ordinality as added (id, place)`.execute(tx);
}

async function areFilesReported(db: Db, fileIds: readonly string[]): Promise<boolean> {
  if (fileIds.length === 0) return false;
  const row = await db
    .selectFrom('report_files')
    .select('fileId')
    .where('fileId', 'in', [...fileIds])
    .executeTakeFirst();
  return row !== undefined;
}

async function countReports(db: Db, accountId: string, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('reports')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('accountId', '=', accountId)
    .where('at', '>', since)
    .executeTakeFirstOrThrow();
  return count;
}

const subjects = sql`report_cases reported
  left join jobs job on job.id = reported.job_id
  left join reviews review on review.id = reported.review_id
  left join businesses business on business.id = coalesce(reported.business_id, job.business_id, review.business_id)
  left join accounts worker on worker.id = coalesce(reported.worker_id, review.worker_id)`;
const subjectId = sql<string>`coalesce(reported.job_id, reported.business_id, reported.worker_id, reported.review_id) as subject_id`;
/** A review shows the business, which both sides and its readers know. */
const subjectName = sql<string>`case reported.kind when 'review' then business.name
  else coalesce(job.title, worker.name, business.name) end as subject_name`;

type ReportRow = {
  id: string;
  kind: ReportKind;
  subjectId: string;
  subjectName: string;
  reason: ReportReason;
  at: Date;
  status: CaseStatus;
  answer: string | null;
  decidedAt: Date | null;
};

async function findOwnReports(
  db: Db,
  accountId: string,
  page: { only?: string; after: readonly [string, string] | null; limit: number },
): Promise<ReportRow[]> {
  const { only, after, limit } = page;
  const { rows } = await sql<ReportRow>`
    select report.id, reported.kind, ${subjectId}, ${subjectName}, report.reason, report.at, reported.status, reported.answer,
      reported.decided_at
    from reports report join ${subjects} on reported.id = report.case_id
    where report.account_id = ${accountId}
      ${only === undefined ? sql`` : sql`and report.id = ${only}`}
      ${after ? sql`and (report.at, report.id) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : sql``}
    order by report.at desc, report.id desc limit ${limit}`.execute(db);
  return rows;
}

export type CaseRow = {
  id: string;
  kind: ReportKind;
  status: CaseStatus;
  subjectId: string;
  subjectName: string;
  subjectText: string;
  subjectStatus: string;
  businessId: string | null;
  businessName: string | null;
  workerId: string | null;
  workerName: string | null;
  work: ReportCase['work'];
  authorSide: Side | null;
  openedAt: Date;
  dueAt: Date;
  reporters: number;
  answer: string | null;
  decidedAt: Date | null;
};

const isoOf = (at: RawBuilder<unknown>) =>
  sql`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const cases = sql`select reported.id, reported.kind, reported.status, ${subjectId}, ${subjectName},
    case reported.kind when 'job' then job.description when 'business' then business.description
      when 'review' then concat_ws(E'\\n\\n', review.stars || ' of 5', nullif(review.body, ''), 'Reply: ' || review.reply)
      else coalesce(profile.bio, '') end as subject_text,
    case reported.kind when 'job' then job.status when 'business' then business.status
      when 'review' then review.state else '' end as subject_status,
    business.id as business_id, business.name as business_name, worker.id as worker_id, worker.name as worker_name,
    (select jsonb_build_object('engagementId', work.id, 'title', coalesce(work.terms ->> 'title', ''), 'startsAt', ${isoOf(sql`work.starts_at`)},
        'endsAt', ${isoOf(sql`work.ends_at`)}, 'timeZone', work.terms ->> 'timeZone')
      from engagements work where work.id = review.engagement_id) as work, review.author_side, reported.opened_at, reported.due_at,
    (select count(*)::integer from reports report where report.case_id = reported.id) as reporters, reported.answer, reported.decided_at
  from ${subjects} left join profiles profile on profile.account_id = reported.worker_id`;

export async function findCase(db: Db, caseId: string): Promise<CaseRow | undefined> {
  const { rows } = await sql<CaseRow>`${cases} where reported.id = ${caseId}`.execute(db);
  return rows[0];
}

/** Locks a case, to serialize reports and the decision. */
export async function lockCase(tx: Tx, caseId: string): Promise<CaseRow | undefined> {
  await tx
    .selectFrom('report_cases')
    .select('id')
    .where('id', '=', caseId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return findCase(tx, caseId);
}

export async function findReportsOf(db: Db, caseId: string, limit: number) {
  const rows = await db
    .selectFrom('reports')
    .innerJoin('accounts', 'accounts.id', 'reports.accountId')
    .select(['reports.id', 'accountId', 'accounts.name', 'reason', 'note', 'at'])
    .where('caseId', '=', caseId)
    .orderBy('at')
    .orderBy('reports.id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, reason: row.reason as ReportReason }));
}

export async function findReportFiles(db: Db, caseId: string) {
  const rows = await db
    .selectFrom('report_files')
    .innerJoin('reports', 'reports.id', 'report_files.reportId')
    .innerJoin('files', 'files.id', 'report_files.fileId')
    .select(['reportId', 'files.id', 'files.accountId', 'purpose', 'files.name', 'mediaType', 'bytes'])
    .where('caseId', '=', caseId)
    .orderBy('place')
    .execute();
  return rows;
}

export async function findReporters(db: Db, caseId: string): Promise<{ id: string; accountId: string }[]> {
  return db.selectFrom('reports').select(['id', 'accountId']).where('caseId', '=', caseId).execute();
}

export const isReporter = async (db: Db, caseId: string, accountId: string): Promise<boolean> =>
  (await db
    .selectFrom('reports')
    .select('id')
    .where('caseId', '=', caseId)
    .where('accountId', '=', accountId)
    .executeTakeFirst()) !== undefined;

/** Closes an open case; returns false if it was decided before. */
export async function updateDecided(
  tx: Tx,
  caseId: string,
  decision: { status: 'actioned' | 'dismissed'; answer: string; by: string; at: Date },
  reporters: readonly { id: string; accountId: string }[],
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('report_cases')
    .set({
      status: decision.status,
      answer: decision.answer,
      decidedBy: decision.by,
      decidedAt: decision.at,
    })
    .where('id', '=', caseId)
    .where('status', '=', 'open')
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  for (const { id, accountId: workerId } of reporters) emitRecord(tx, 'report', { id, workerId });
  return true;
}

/** Deletes a removed account's texts; its reports stay. */
export async function eraseReported(tx: Tx, member: FormerMember): Promise<void> {
  const { accountId } = member;
  await sql`delete from report_files where report_id in (select id from reports where account_id = ${accountId})`.execute(
    tx,
  );
  await sql`update reports set note = '' where account_id = ${accountId}`.execute(tx);
  await sql`update reports set note = ${withoutWords('note', member)} where case_id in
    (select id from report_cases where worker_id = ${accountId} or review_id in
      (select id from reviews where worker_id = ${accountId} or author_id = ${accountId}))`.execute(tx);
  await sql`update report_cases set answer = ${withoutWords('answer', member)} where worker_id = ${accountId}
    or id in (select case_id from reports where account_id = ${accountId})`.execute(tx);
}

type Written = {
  kind: ReportKind;
  subjectId: string;
  reason: ReportReason;
  note: string;
  fileIds: string[];
};

/**
 * Reports a job, business, worker or review that the caller can see; one open case per subject. A repeat updates it.
 * @throws job/not-found, business/not-found, profile/not-found, review/not-found,
 * report/own, report/too-many (data: limit), file/not-found, file/wrong-type
 */
export async function createReport(tx: Tx, scope: Scope, input: Written): Promise<Report> {
  const { accountId } = scope.actor;
  const { kind, subjectId, reason, note, fileIds } = input;
  const now = scope.clock.now();
  if (await isOwn(tx, scope, { kind, subjectId })) throw new AppError('report/own');
  const limit = reportLimits.perDay;
  if ((await countReports(tx, accountId, new Date(now.getTime() - dayMs))) >= limit)
    throw new AppError('report/too-many', { limit });
  for (const fileId of new Set(fileIds)) await findOwnFile(tx, accountId, fileId, 'report');
  if (new Set(fileIds).size < fileIds.length || (await areFilesReported(tx, fileIds)))
    throw new AppError('file/not-found');
  const dueAt = new Date(now.getTime() + reportLimits.targetDays * dayMs);
  const caseId = await openCase(tx, { id: newId(now), kind, subjectId, at: now, dueAt });
  const id = await saveReport(tx, {
    id: newId(now),
    caseId,
    accountId,
    reason,
    note,
    at: now,
  });
  await addReportFiles(tx, id, fileIds);
  const [row] = await findOwnReports(tx, accountId, { only: id, after: null, limit: 1 });
  return viewReport(row as ReportRow);
}

/**
 * @throws job/not-found, business/not-found, profile/not-found, review/not-found if the caller can't see the subject
 */
async function isOwn(
  db: Db,
  scope: Scope,
  { kind, subjectId }: { kind: ReportKind; subjectId: string },
): Promise<boolean> {
  const { accountId } = scope.actor;
  if (kind === 'job') return (await viewJob(db, accountId, subjectId)).member !== null;
  if (kind === 'worker') {
    if (subjectId === accountId) return true;
    await workerProfile(db, scope, { workerId: subjectId });
    return false;
  }
  if (kind === 'review') return isAuthor(db, scope, subjectId);
  await businessProfile(db, scope, { businessId: subjectId });
  return (await findRole(db, subjectId, accountId)) !== null;
}

/** A review about a business is public, one about a worker is not. */
async function isAuthor(db: Db, scope: Scope, reviewId: string): Promise<boolean> {
  const { accountId } = scope.actor;
  const review = await findPublishedSides(db, reviewId);
  if (!review) throw new AppError('review/not-found');
  const { workerId, businessId } = review;
  const isMember = (await findRole(db, businessId, accountId)) !== null;
  if (review.authorSide === 'worker') return workerId === accountId;
  if (workerId !== accountId && !isMember)
    await workerProfile(db, scope, { workerId }).catch((error: unknown) => {
      throw error instanceof AppError ? new AppError('review/not-found') : error;
    });
  return isMember;
}

/** Lists the caller's reports with their outcome, newest first. @throws request/bad-cursor */
export async function myReports(
  db: Db,
  scope: Scope,
  input: { cursor?: string; limit: number },
): Promise<{ items: Report[]; nextCursor: string | null }> {
  const after = decodeCursor(input.cursor, newestCursor);
  const rows = await findOwnReports(db, scope.actor.accountId, { after, limit: input.limit + 1 });
  const page = cutPage(rows, input.limit, (row) => [row.at.toISOString(), row.id]);
  return { items: page.items.map(viewReport), nextCursor: page.nextCursor };
}

const viewReport = (row: ReportRow): Report => ({
  ...row,
  subject: { kind: row.kind, id: row.subjectId, name: row.subjectName },
  at: row.at.toISOString(),
  outcome: row.status === 'open' ? null : row.status,
  decidedAt: row.decidedAt?.toISOString() ?? null,
});
