import type { Side } from '@nearhand/contract/sides';
import type { FullReportCase, Report, ReportCase } from '@nearhand/contract/trust/reports';
import type { ReportKind, ReportReason } from '@nearhand/contract/trust/reports.rules';
import { type Insertable, sql } from 'kysely';
import { type FormerMember, withoutWords } from '../../platform/anonymise.ts';
import { type Db, isoText, type Tx } from '../../platform/db.ts';
import { andBefore } from '../../platform/http/paging.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';
import type { Reports } from '../../platform/tables.gen.ts';

type CaseStatus = 'open' | 'actioned' | 'dismissed';
const subjectColumn = {
  job: 'job_id',
  business: 'business_id',
  worker: 'worker_id',
  review: 'review_id',
} as const;

/** Locks the open case about a subject, or opens one; a concurrent decision is seen. */
export async function openReportCase(
  tx: Tx,
  report: { id: string; kind: ReportKind; subjectId: string; at: Date; dueAt: Date },
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into report_cases (id, kind, ${sql.ref(subjectColumn[report.kind])}, status, opened_at, due_at)
    values (${report.id}, ${report.kind}, ${report.subjectId}, 'open', ${report.at}, ${report.dueAt})
    on conflict (coalesce(job_id, business_id, worker_id, review_id)) where status = 'open' and contested_id is null
    do update set kind = excluded.kind
    returning id`.execute(tx);
  return rows[0]?.id as string;
}

/** Opens the case that contests a dismissed one, or returns the case that another reporter opened. */
export async function openContestCase(
  tx: Tx,
  contest: { id: string; caseId: string; at: Date; dueAt: Date },
): Promise<{ id: string; status: CaseStatus }> {
  const { rows } = await sql<{ id: string; status: CaseStatus }>`
    insert into report_cases (id, kind, job_id, business_id, worker_id, review_id, status, opened_at, due_at, contested_id, contested_by)
    select ${contest.id}, kind, job_id, business_id, worker_id, review_id, 'open', ${contest.at}, ${contest.dueAt}, id, decided_by
    from report_cases where id = ${contest.caseId}
    on conflict (contested_id) do update set kind = excluded.kind
    returning id, status`.execute(tx);
  return rows[0] as { id: string; status: CaseStatus };
}

/**
 * Stores a report and returns its id. A second report by the same person about the case updates the first.
 */
export async function saveReport(tx: Tx, row: Insertable<Reports> & { accountId: string }): Promise<string> {
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

export async function addReportFiles(tx: Tx, reportId: string, fileIds: readonly string[]): Promise<void> {
  if (fileIds.length === 0) return;
  await sql`insert into report_files (file_id, report_id, place)
    select added.id, ${reportId}, added.place + (select count(*) from report_files where report_id = ${reportId})
    from unnest(${[...fileIds]}::uuid[]) with ordinality as added (id, place)`.execute(tx);
}

export async function areFilesReported(db: Db, fileIds: readonly string[]): Promise<boolean> {
  if (fileIds.length === 0) return false;
  const row = await db
    .selectFrom('report_files')
    .select('fileId')
    .where('fileId', 'in', [...fileIds])
    .executeTakeFirst();
  return row !== undefined;
}

/** Counts an account's reports since a time, without those that contest a dismissal. Index: `reports_account`. */
export async function countReports(db: Db, accountId: string, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('reports')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('accountId', '=', accountId)
    .where('at', '>', since)
    .where(
      sql<boolean>`not exists (select from report_cases contest where contest.id = case_id and contest.contested_id is not null)`,
    )
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

export type ReportRow = {
  id: string;
  kind: Report['subject']['kind'];
  subjectId: string;
  subjectName: string;
  reason: Report['reason'];
  at: Date;
  status: CaseStatus;
  answer: string | null;
  decidedAt: Date | null;
  /** Null for a chat report. */
  caseId: string | null;
  /** The case in which this or another reporter contests the dismissal. */
  contestStatus: CaseStatus | null;
  contestWords: string | null;
  contestAt: Date | null;
  contestAnswer: string | null;
  contestDecidedAt: Date | null;
};

const chatStatus = (report: string) => sql`case when ${sql.ref(`${report}.decision`)} is null then 'open'
  when ${sql.ref(`${report}.decision`)} = 'dismiss' then 'dismissed' else 'actioned' end`;

/**
 * Reads a page of each table before the joins, chat reports too. A contested dismissal stays part of its report.
 * Indexes: `reports_account`, `chat_reports_account`.
 */
export async function findOwnReports(
  db: Db,
  accountId: string,
  page: { only?: string; after: readonly [string, string] | null; limit: number },
): Promise<ReportRow[]> {
  const { only, after, limit } = page;
  const order = sql`order by report.at desc, report.id desc limit ${limit}`;
  const inPage = sql`report.account_id = ${accountId} ${only === undefined ? sql`` : sql`and report.id = ${only}`}
    ${andBefore(sql`report.at, report.id`, after)} ${order}`;
  const { rows } = await sql<ReportRow>`
    select * from (
      select report.id, reported.kind, ${subjectId}, ${subjectName}, report.reason, report.at, reported.status, reported.answer,
        reported.decided_at, report.case_id, contest.status as contest_status, words.note as contest_words, words.at as contest_at,
        contest.answer as contest_answer, contest.decided_at as contest_decided_at
      from (select * from reports report where not exists (
        select from report_cases contest where contest.id = report.case_id and contest.contested_id is not null) and ${inPage}) report
      join (${subjects}) on reported.id = report.case_id
      left join report_cases contest on contest.contested_id = reported.id
      left join reports words on words.case_id = contest.id and words.account_id = report.account_id
      union all
      select report.id, case when report.seq is null then 'conversation' else 'message' end, report.conversation_id,
        case report.side when 'worker' then business.name else worker.name end, report.reason, report.at,
        ${chatStatus('report')}, report.decision_reason, report.decided_at,
        null, case when contest.id is not null then ${chatStatus('contest')} end, contest.note, contest.at,
        contest.decision_reason, contest.decided_at
      from (select * from chat_reports report where report.contested_id is null and ${inPage}) report
      left join chat_reports contest on contest.contested_id = report.id
      join conversations conversation on conversation.id = report.conversation_id
      join businesses business on business.id = conversation.business_id
      join accounts worker on worker.id = conversation.worker_id
    ) report ${order}`.execute(db);
  return rows;
}

export type ReportCaseRow = {
  id: string;
  kind: ReportKind;
  status: CaseStatus;
  subjectId: string;
  subjectName: string;
  subjectText: string;
  subjectStatus: ReportCase['subject']['status'];
  businessId: string | null;
  businessName: string | null;
  workerId: string | null;
  workerName: string | null;
  work: (NonNullable<ReportCase['work']> & { jobId: string; workerId: string }) | null;
  authorSide: Side | null;
  openedAt: Date;
  dueAt: Date;
  reporters: number;
  answer: string | null;
  decidedAt: Date | null;
  contestedId: string | null;
  contestedBy: string | null;
};

const engagementColumns = sql`work.id, work.job_id, work.worker_id, work.terms ->> 'title' as title, work.starts_at, work.ends_at,
  work.terms ->> 'timeZone' as time_zone`;
const conversationColumns = sql`null::uuid as id, chat.job_id, chat.worker_id, about.title, about.starts_at, about.ends_at, about.time_zone`;
const byReporters = sql`by.case_id in (reported.id, reported.contested_id)`;
const lastBefore = sql`order by (work.starts_at > reported.opened_at) is true, work.starts_at desc nulls last, work.id desc limit 1`;

/** The work of a reviewed engagement, or between a reporter and the reported side; without any, the last job they wrote about. */
const workBetween = sql`
  select ${engagementColumns} from engagements work where work.id = review.engagement_id
  union all (select ${engagementColumns} from reports by join business_members member on member.account_id = by.account_id
    join engagements work on work.business_id = member.business_id and work.worker_id = reported.worker_id
    where ${byReporters} ${lastBefore})
  union all (select ${engagementColumns} from reports by join engagements work on work.worker_id = by.account_id
    and work.business_id = business.id and (job.id is null or work.job_id = job.id)
    where ${byReporters} and reported.kind in ('job', 'business') ${lastBefore})
  union all (select ${conversationColumns} from reports by join business_members member on member.account_id = by.account_id
    join conversations chat on chat.business_id = member.business_id and chat.worker_id = reported.worker_id
    join jobs about on about.id = chat.job_id where ${byReporters} order by chat.last_at desc limit 1)
  union all (select ${conversationColumns} from reports by join conversations chat on chat.worker_id = by.account_id
    and chat.business_id = business.id and (job.id is null or chat.job_id = job.id)
    join jobs about on about.id = chat.job_id
    where ${byReporters} and reported.kind in ('job', 'business') order by chat.last_at desc limit 1)`;

const cases = sql`select reported.id, reported.kind, reported.status, ${subjectId}, ${subjectName},
    case reported.kind when 'job' then job.description when 'business' then business.description
      when 'review' then concat_ws(E'\\n\\n', review.stars || ' of 5', nullif(review.body, ''), 'Reply: ' || review.reply)
      else coalesce(profile.bio, '') end as subject_text,
    case reported.kind when 'job' then job.status when 'business' then business.status
      when 'review' then review.state end as subject_status,
    business.id as business_id, business.name as business_name, worker.id as worker_id, worker.name as worker_name,
    (select jsonb_build_object('engagementId', work.id, 'title', coalesce(work.title, ''), 'startsAt', ${isoText(sql`work.starts_at`)},
        'endsAt', ${isoText(sql`work.ends_at`)}, 'timeZone', work.time_zone, 'jobId', work.job_id, 'workerId', work.worker_id)
      from (${workBetween}) work limit 1) as work, review.author_side, reported.opened_at, reported.due_at,
    (select count(*)::integer from reports report where report.case_id = reported.id) as reporters, reported.answer, reported.decided_at,
    reported.contested_id, reported.contested_by
  from ${subjects} left join profiles profile on profile.account_id = reported.worker_id`;

export async function findReportCase(db: Db, caseId: string): Promise<ReportCaseRow | undefined> {
  const { rows } = await sql<ReportCaseRow>`${cases} where reported.id = ${caseId}`.execute(db);
  return rows[0];
}

/** Finds the facts of a reported job, and of the business that is reported, posted it or wrote the reported review. */
export async function findReportedFacts(
  db: Db,
  {
    kind,
    subjectId,
    businessId,
    authorSide,
  }: Pick<ReportCaseRow, 'kind' | 'subjectId' | 'businessId' | 'authorSide'>,
): Promise<Pick<FullReportCase, 'job' | 'company'>> {
  if (kind === 'worker' || (kind === 'review' && authorSide !== 'business'))
    return { job: null, company: null };
  const { rows } = await sql<Pick<FullReportCase, 'job' | 'company'>>`
    select (select jsonb_build_object('payMinor', pay_minor, 'payUnit', pay_unit, 'currency', currency,
        'startsAt', ${isoText(sql`starts_at`)}, 'endsAt', ${isoText(sql`ends_at`)}, 'area', area, 'headCount', head_count,
        'hiredCount', hired_count) from jobs where id = ${kind === 'job' ? subjectId : null}) as job,
      (select jsonb_build_object('legalName', legal_name, 'registrationNumber', registration_number, 'countryCode', country_code,
        'status', status, 'createdAt', ${isoText(sql`created_at`)},
        'openJobs', (select count(*) from jobs where jobs.business_id = businesses.id and jobs.status = 'open'),
        'owners', coalesce((select jsonb_agg(account.name order by account.name) from business_members member
          join accounts account on account.id = member.account_id
          where member.business_id = businesses.id and member.role = 'owner'), '[]'))
        from businesses where id = ${businessId}) as company`.execute(db);
  return rows[0] ?? { job: null, company: null };
}

/** Locks a case, to serialize reports and the decision. */
export async function lockReportCase(tx: Tx, caseId: string): Promise<ReportCaseRow | undefined> {
  await tx
    .selectFrom('report_cases')
    .select('id')
    .where('id', '=', caseId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return findReportCase(tx, caseId);
}

/** The dismissed case that another one contests. */
export async function findDismissal(
  db: Db,
  caseId: string,
): Promise<{ answer: string; by: string; decidedAt: Date } | undefined> {
  const { rows } = await sql<{ answer: string | null; by: string; decidedAt: Date | null }>`
    select dismissed.answer, decider.name as by, dismissed.decided_at from report_cases dismissed
    join accounts decider on decider.id = dismissed.decided_by where dismissed.id = ${caseId}`.execute(db);
  const [row] = rows;
  return row?.decidedAt ? { answer: row.answer ?? '', by: row.by, decidedAt: row.decidedAt } : undefined;
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

/**
 * The report of each account in the given cases, as `findOwnReports` lists it: for a case that contests a dismissal, the
 * dismissed report.
 */
export async function findReporters(
  db: Db,
  caseIds: readonly string[],
): Promise<{ id: string; accountId: string }[]> {
  const { rows } = await sql<{ id: string; accountId: string }>`
    select distinct coalesce(contested.id, report.id) as id, report.account_id
    from reports report join report_cases reported on reported.id = report.case_id
    left join reports contested on contested.case_id = reported.contested_id and contested.account_id = report.account_id
    where report.case_id = any(${[...caseIds]}::uuid[]) order by report.account_id`.execute(db);
  return rows;
}

export const isReporter = async (db: Db, caseIds: readonly string[], accountId: string): Promise<boolean> =>
  (await db
    .selectFrom('reports')
    .select('id')
    .where('caseId', 'in', [...caseIds])
    .where('accountId', '=', accountId)
    .executeTakeFirst()) !== undefined;

/** Closes an open case; returns false if it was decided before. */
export async function decideReports(
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
  const { rows } = await sql<{ id: string; workerId: string }>`
    update reports set note = case when account_id = ${accountId} then '' else ${withoutWords('note', member)} end
    where account_id = ${accountId} or case_id in
      (select id from report_cases where worker_id = ${accountId} or review_id in
        (select id from reviews where worker_id = ${accountId} or author_id = ${accountId}))
    returning id, account_id as worker_id`.execute(tx);
  for (const row of rows) emitRecord(tx, 'report', row);
  await sql`update report_cases set answer = ${withoutWords('answer', member)} where worker_id = ${accountId}
    or id in (select case_id from reports where account_id = ${accountId})`.execute(tx);
}
