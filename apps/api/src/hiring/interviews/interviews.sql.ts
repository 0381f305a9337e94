import { undecidedApplicationStatuses } from '@nearhand/contract/hiring/applications.rules';
import {
  type InterviewMode,
  type InterviewOutcome,
  type InterviewStatus,
  liveInterviewStatuses,
} from '@nearhand/contract/hiring/interviews';
import { jobStatuses, stillHires } from '@nearhand/contract/hiring/jobs.rules';
import type { MemberRole } from '@nearhand/contract/member-roles';
import type { Side, Step } from '@nearhand/contract/sides';
import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely';
import { type FormerMember, withoutWords } from '../../platform/anonymise.ts';
import { asRecords } from '../../platform/database/column-names.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { recruiters } from '../../platform/members/job-members.ts';
import { literals } from '../../platform/prepared-statements.ts';
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
  /** The covered applications that are still in the interviewing stage. */
  interviewingIds: string[];
  workStartsAt: Date | null;
  timeZone: string;
  role: MemberRole | null;
};

type ProposalFacts = {
  workerId: string;
  businessId: string;
  jobId: string;
  role: MemberRole | null;
  address: string;
  timeZone: string;
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

/**
 * The applications that an interview about one of them covers, with their jobs: the worker's others for shifts
 * of its series that still hire and have not started, where the account recruits.
 */
export async function findCovered(
  db: Db,
  applicationId: string,
  { accountId, now }: { accountId: string; now: Date },
): Promise<{ id: string; jobId: string }[]> {
  const { rows } = await sql<{ id: string; jobId: string }>`
    select other.id, other.job_id from applications application join jobs job on job.id = application.job_id
    join applications other on other.worker_id = application.worker_id
    join jobs shift on shift.id = other.job_id
    where application.id = ${applicationId} and (other.id = application.id or (shift.series_id = job.series_id
      and shift.status in (${literals(jobStatuses.filter(stillHires))})
      and shift.starts_at > ${now}
      and other.status in (${literals(undecidedApplicationStatuses)})
      and exists (select from job_members member where member.job_id = shift.id and member.account_id = ${accountId}
        and member.role in ${recruiters})))
    order by other.id`.execute(db);
  return rows;
}

/** The live interviews that cover an application. */
const liveFor = (applicationId: RawBuilder<unknown>) => sql`(
  select from interview_applications covered join interviews interview on interview.id = covered.interview_id
  where covered.application_id = ${applicationId} and interview.status = any(${[...liveInterviewStatuses]}))`;

/** Locks the application of a proposal and the others that it covers, and returns the facts of each, itself first. */
export async function lockForProposal(
  tx: Tx,
  applicationId: string,
  coveredIds: readonly string[],
): Promise<(Pick<ProposalFacts, 'address' | 'timeZone' | 'live'> & { id: string })[]> {
  const ids = [applicationId, ...coveredIds];
  await sql`select from applications where id = any(${ids}::uuid[]) order by id for update`.execute(tx);
  const { rows } = await sql<Pick<ProposalFacts, 'address' | 'timeZone' | 'live'> & { id: string }>`
    select application.id, case when job.private_address then '' else job.address end as address, job.time_zone,
      exists ${liveFor(sql`application.id`)} as live
    from applications application join jobs job on job.id = application.job_id
    where application.id = any(${ids}::uuid[])
      and (application.id = ${applicationId} or application.status in (${literals(undecidedApplicationStatuses)}))
    order by application.id <> ${applicationId}, application.id`.execute(tx);
  return rows;
}

/** Records the applications of a series that one interview covers. */
export async function coverApplications(
  tx: Tx,
  interviewId: string,
  applicationIds: readonly string[],
): Promise<void> {
  const values = applicationIds.map((applicationId) => ({ interviewId, applicationId }));
  await tx.insertInto('interview_applications').values(values).execute();
}

/** Counts the interviews proposed for an application since a time, for the daily limit. */
export async function countProposedSince(db: Db, applicationId: string, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('interviews')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('applicationId', '=', applicationId)
    .where('createdAt', '>', since)
    .executeTakeFirstOrThrow();
  return count;
}

/** Locks an interview, and before it the applications that it covers. */
export async function lockInterview(
  tx: Tx,
  interviewId: string,
  accountId: string | null,
): Promise<LockedInterview | undefined> {
  await sql`select from applications
    where id in (select application_id from interview_applications where interview_id = ${interviewId})
    order by id for update`.execute(tx);
  const { rows } = await sql<LockedInterview>`
    select interview.*, job.starts_at as work_starts_at, job.time_zone,
      array(select other.id::text from interview_applications covered join applications other on other.id = covered.application_id
        where covered.interview_id = interview.id and other.status = 'interviewing' order by other.id) as interviewing_ids,
      (select role from job_members member
        where member.job_id = interview.job_id and member.account_id = ${accountId}::uuid) as role
    from interviews interview join jobs job on job.id = interview.job_id
    where interview.id = ${interviewId} for update of interview`.execute(tx);
  return rows[0];
}

/** Locks the live interviews that cover any of these applications. */
export async function lockLiveOf(tx: Tx, applicationIds: readonly string[]): Promise<InterviewRow[]> {
  const { rows } = await sql<InterviewRow>`
    select * from interviews where status = any(${[...liveInterviewStatuses]}) and id in (
      select interview_id from interview_applications where application_id = any(${[...applicationIds]}::uuid[]))
    order by id for update`.execute(tx);
  return rows;
}

/**
 * The applications that interviews are about from now on: themselves, or another that they cover and that still
 * waits for them once theirs ended. An interview without one is missing.
 */
export async function findWaiting(
  tx: Tx,
  interviewIds: readonly string[],
  endedIds: readonly string[],
): Promise<{ interviewId: string; applicationId: string; jobId: string }[]> {
  const { rows } = await sql<{ interviewId: string; applicationId: string; jobId: string }>`
    select distinct on (interview.id) interview.id as interview_id, other.id as application_id, other.job_id
    from interviews interview join interview_applications covered on covered.interview_id = interview.id
    join applications other on other.id = covered.application_id
    where interview.id = any(${[...interviewIds]}::uuid[]) and other.status = 'interviewing'
      and not other.id = any(${[...endedIds]}::uuid[])
    order by interview.id, other.id <> interview.application_id, other.id`.execute(tx);
  return rows;
}

export async function hasLiveInterview(db: Db, applicationId: string): Promise<boolean> {
  const { rows } = await sql<{
    live: boolean;
  }>`select exists ${liveFor(sql`${applicationId}::uuid`)} as live`.execute(db);
  return rows[0]?.live ?? false;
}

export async function insertInterview(tx: Tx, row: Insertable<Interviews>): Promise<void> {
  await tx.insertInto('interviews').values(row).execute();
  emitRecord(tx, 'interview', row);
}

/** Updates an interview and its version. Returns false if the version changed in the meantime. */
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

/** Replaces the open times. `keepsEarlier`: those that were open until now can still be picked by the suggesting side. */
export async function replaceSlots(
  tx: Tx,
  interviewId: string,
  slots: readonly { id: string; startsAt: Date }[],
  keepsEarlier = false,
): Promise<void> {
  const replaced = tx.deleteFrom('interview_slots').where('interviewId', '=', interviewId);
  await (keepsEarlier ? replaced.where('earlier', '=', true) : replaced).execute();
  if (keepsEarlier)
    await tx
      .updateTable('interview_slots')
      .set({ earlier: true })
      .where('interviewId', '=', interviewId)
      .execute();
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
    .where('earlier', '=', false)
    .execute();
  return rows.map(({ startsAt }) => startsAt);
}

/**
 * Returns the start of an open time, or of one that the other side proposed earlier; undefined if it is not one of
 * this interview.
 */
export async function findSlot(
  tx: Tx,
  interviewId: string,
  slotId: string,
  earlier: boolean,
): Promise<Date | undefined> {
  const row = await tx
    .selectFrom('interview_slots')
    .select('startsAt')
    .where('interviewId', '=', interviewId)
    .where('id', '=', slotId)
    .where('earlier', '=', earlier)
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

/** Erases what a removed account wrote in interviews, and its phone numbers. */
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
