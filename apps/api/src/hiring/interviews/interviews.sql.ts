import type { ApplicationStatus } from '@nearhand/contract/hiring/applications';
import {
  type InterviewMode,
  type InterviewOutcome,
  type InterviewStatus,
  liveInterviewStatuses,
} from '@nearhand/contract/hiring/interviews';
import type { MemberRole } from '@nearhand/contract/member-roles';
import type { Side, Step } from '@nearhand/contract/sides';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { type FormerMember, withoutWords } from '../../platform/anonymise.ts';
import { asRecords } from '../../platform/database/column-names.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { recruiters } from '../../platform/members/job-members.ts';
import { emitRecord, emitRows } from '../../platform/realtime/publish-records.ts';
import type { Interviews } from '../../platform/tables.gen.ts';

export type InterviewRow = Omit<
  Selectable<Interviews>,
  'status' | 'mode' | 'outcome' | 'proposedBy' | 'rescheduleBy'
> & {
  status: InterviewStatus;
  mode: InterviewMode;
  outcome: InterviewOutcome | null;
  proposedBy: Side;
  rescheduleBy: Side | null;
};

export type LockedInterview = InterviewRow & {
  applicationStatus: ApplicationStatus;
  workStartsAt: Date | null;
  role: MemberRole | null;
};

type ProposalFacts = {
  workerId: string;
  businessId: string;
  jobId: string;
  role: MemberRole | null;
  address: string;
  live: boolean;
};

/** Reads without a lock, because business and job are locked before the application (ADR 38). */
export async function findProposalPlace(
  db: Db,
  applicationId: string,
  accountId: string,
): Promise<Pick<ProposalFacts, 'workerId' | 'businessId' | 'jobId' | 'role'> | undefined> {
  const { rows } = await sql<Pick<ProposalFacts, 'workerId' | 'businessId' | 'jobId' | 'role'>>`
    select application.worker_id, application.business_id, application.job_id,
      (select role from job_members member
        where member.job_id = application.job_id and member.account_id = ${accountId}::uuid) as role
    from applications application where application.id = ${applicationId}`.execute(db);
  return rows[0];
}

/** Locks the application of a proposal and returns its facts. */
export async function lockForProposal(
  tx: Tx,
  applicationId: string,
): Promise<Pick<ProposalFacts, 'address' | 'live'> | undefined> {
  await sql`select from applications where id = ${applicationId} for update`.execute(tx);
  const { rows } = await sql<Pick<ProposalFacts, 'address' | 'live'>>`
    select case when job.private_address then '' else job.address end as address,
      exists (select from interviews interview
        where interview.application_id = application.id
        and interview.status = any(${[...liveInterviewStatuses]})) as live
    from applications application join jobs job on job.id = application.job_id
    where application.id = ${applicationId}`.execute(tx);
  return rows[0];
}

export async function countProposedSince(db: Db, applicationId: string, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('interviews')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('applicationId', '=', applicationId)
    .where('createdAt', '>', since)
    .executeTakeFirstOrThrow();
  return count;
}

/** Locks an interview. The application must be locked first. */
export async function lockInterview(
  tx: Tx,
  interviewId: string,
  accountId: string | null,
): Promise<LockedInterview | undefined> {
  await sql`select from applications
    where id = (select application_id from interviews where id = ${interviewId}) for update`.execute(tx);
  const { rows } = await sql<LockedInterview>`
    select interview.*, application.status as application_status, job.starts_at as work_starts_at,
      (select role from job_members member
        where member.job_id = interview.job_id and member.account_id = ${accountId}::uuid) as role
    from interviews interview join applications application on application.id = interview.application_id
    join jobs job on job.id = interview.job_id
    where interview.id = ${interviewId} for update of interview`.execute(tx);
  return rows[0];
}

export async function lockLiveOf(tx: Tx, applicationIds: readonly string[]): Promise<InterviewRow[]> {
  const { rows } = await sql<InterviewRow>`
    select * from interviews where application_id = any(${[...applicationIds]}::uuid[]) and status = any(${[...liveInterviewStatuses]})
    order by id for update`.execute(tx);
  return rows;
}

export async function hasLiveInterview(db: Db, applicationId: string): Promise<boolean> {
  const row = await db
    .selectFrom('interviews')
    .select('id')
    .where('applicationId', '=', applicationId)
    .where('status', 'in', [...liveInterviewStatuses])
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertInterview(tx: Tx, row: Insertable<Interviews>): Promise<void> {
  await tx.insertInto('interviews').values(row).execute();
  emitRecord(tx, 'interview', row);
}

export async function updateInterview(
  tx: Tx,
  row: Pick<InterviewRow, 'id' | 'version'>,
  changes: Updateable<Interviews>,
): Promise<boolean> {
  const updated = await tx
    .updateTable('interviews')
    .set({ ...changes, version: row.version + 1 })
    .where('id', '=', row.id)
    .where('version', '=', row.version)
    .returning(['id', 'workerId', 'businessId', 'jobId'])
    .executeTakeFirst();
  emitRecord(tx, 'interview', updated);
  return updated !== undefined;
}

type InterviewMove = {
  id: string;
  interviewId: string;
  actor: string;
  side: Step['by'];
  action: string;
  fromStatus: InterviewStatus | null;
  toStatus: InterviewStatus;
  reason: string | null;
  at: Date;
};

export async function insertInterviewMove(tx: Tx, move: InterviewMove): Promise<void> {
  await tx.insertInto('interview_moves').values(move).execute();
}

export async function cancelInterviews(
  tx: Tx,
  ending: {
    moves: readonly { id: string; interviewId: string; side: Step['by']; fromStatus: InterviewStatus }[];
    actor: string;
    reason: string | null;
    at: Date;
  },
): Promise<void> {
  const { rows } = await sql<{ id: string; workerId: string; businessId: string; jobId: string }>`
    with input as (
      select * from jsonb_to_recordset(${asRecords(ending.moves)}::jsonb)
        as input (id uuid, interview_id uuid, side text, from_status text)
    ), ended as (
      update interviews set status = 'cancelled', version = version + 1, answer_by = null, reschedule_by = null,
        reschedule_reason = null, updated_at = ${ending.at}
      from input where interviews.id = input.interview_id
      returning interviews.id, interviews.worker_id, interviews.business_id, interviews.job_id
    ), cleared as (
      delete from interview_slots using input where interview_slots.interview_id = input.interview_id
    ), moved as (
    insert into interview_moves (id, interview_id, actor, side, action, from_status, to_status, reason, at)
    select id, interview_id, ${ending.actor}, side, 'cancel', from_status, 'cancelled', ${ending.reason}, ${ending.at}::timestamptz
      from input
    )
    select * from ended`.execute(tx);
  emitRows(tx, 'interview', rows);
}

export async function replaceSlots(
  tx: Tx,
  interviewId: string,
  slots: readonly { id: string; startsAt: Date }[],
): Promise<void> {
  await tx.deleteFrom('interview_slots').where('interviewId', '=', interviewId).execute();
  if (slots.length > 0)
    await tx
      .insertInto('interview_slots')
      .values(slots.map((slot) => ({ ...slot, interviewId })))
      .execute();
}

export async function findSlots(tx: Tx, interviewId: string): Promise<Date[]> {
  const rows = await tx
    .selectFrom('interview_slots')
    .select('startsAt')
    .where('interviewId', '=', interviewId)
    .execute();
  return rows.map(({ startsAt }) => startsAt);
}

export async function findSlot(tx: Tx, interviewId: string, slotId: string): Promise<Date | undefined> {
  const row = await tx
    .selectFrom('interview_slots')
    .select('startsAt')
    .where('interviewId', '=', interviewId)
    .where('id', '=', slotId)
    .executeTakeFirst();
  return row?.startsAt;
}

type NoticeFacts = {
  id: string;
  jobId: string;
  workerId: string;
  jobTitle: string;
  timeZone: string;
  businessName: string;
  workerName: string;
  recruiters: string[];
};

export async function findInterviewNoticeFacts(
  db: Db,
  interviewIds: readonly string[],
): Promise<NoticeFacts[]> {
  const { rows } = await sql<NoticeFacts>`
    select interview.id, interview.job_id, interview.worker_id, job.title as job_title, job.time_zone, business.name as business_name,
      worker.name as worker_name,
      coalesce((select array_agg(member.account_id::text) from job_members member
        where member.job_id = interview.job_id and member.role in ${recruiters}), '{}') as recruiters
    from interviews interview
    join jobs job on job.id = interview.job_id
    join businesses business on business.id = interview.business_id
    join accounts worker on worker.id = interview.worker_id
    where interview.id = any(${[...interviewIds]}::uuid[])`.execute(db);
  return rows;
}

export async function eraseInterviews(tx: Tx, member: FormerMember): Promise<void> {
  await sql`update interviews set notes = '', message = ${withoutWords('message', member)},
      where_text = case mode when 'phone' then '' else ${withoutWords('where_text', member)} end,
      contest = ${withoutWords('contest', member)}, reschedule_reason = ${withoutWords('reschedule_reason', member)}
    where worker_id = ${member.accountId}`.execute(tx);
  await sql`update interview_moves set reason = ${withoutWords('reason', member)}
    where reason is not null and interview_id in (select id from interviews where worker_id = ${member.accountId})`.execute(
    tx,
  );
}
