import { dayMs, subtractMs } from '@nearhand/contract/durations';
import type { Answer } from '@nearhand/contract/hiring/applications';
import {
  type ApplicationStatus,
  undecidedApplicationStatuses,
} from '@nearhand/contract/hiring/applications.rules';
import type { JobQuestion } from '@nearhand/contract/hiring/job-posting';
import type { ShareChannel } from '@nearhand/contract/hiring/job-shares.rules';
import type { WorkEnding } from '@nearhand/contract/hiring/jobs.rules';
import type { MatchReason } from '@nearhand/contract/hiring/matching';
import type { MemberRole } from '@nearhand/contract/member-roles';
import type { Availability, WorkerSkill } from '@nearhand/contract/people/profiles';
import { sql } from 'kysely';
import { type FormerMember, withoutWords } from '../../platform/anonymise.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { rowIds } from '../../platform/ids.ts';
import { recruiters } from '../../platform/members/job-members.ts';
import { keptPlan, literals } from '../../platform/prepared-statements.ts';
import { type ChangedRow, emitRecord, emitRows } from '../../platform/realtime/publish-records.ts';
import { attemptLimit } from '../../platform/tasks/tasks.ts';
import { timesWorked } from '../../work/engagements/engagements.sql.ts';
import { isOpenToInvited } from '../jobs/jobs.sql.ts';

export type SubmitFacts = {
  workerName: string;
  /** A member of the business, including its other branches. */
  ownBusiness: boolean;
  /** The status of the worker's invitation; null if nobody invited them. */
  invitation: string | null;
  /** The exact place, for distances shown to the business. */
  jobLat: number | null;
  jobLng: number | null;
  homeLat: number | null;
  homeLng: number | null;
  skills: WorkerSkill[] | null;
  availability: Availability | null;
  timesHere: number;
  reviewStars: number[] | null;
  hasRecord: boolean;
  turn: boolean;
};

/** Serializes a worker's submissions. Counts must be read in a later statement, whose snapshot follows the lock. */
export async function lockSubmissions(
  tx: Tx,
  workerId: string,
  jobId: string,
): Promise<SubmitFacts | undefined> {
  const { rows } = await sql<SubmitFacts>`${keptPlan}
    select account.name as worker_name,
      exists (select from business_members own where own.business_id = job.business_id and own.account_id = account.id) as own_business,
      (select status from job_invitations where job_id = job.id and worker_id = account.id) as invitation,
      job.lat as job_lat, job.lng as job_lng, profile.home_lat, profile.home_lng, profile.skills,
        profile.availability, profile.review_stars,
      ${timesWorked(sql`account.id`, sql`job.business_id`)} as times_here,
      exists (select from engagements where worker_id = account.id)
        or exists (select from interviews where worker_id = account.id and status = 'no_show_worker') as has_record,
      pg_advisory_xact_lock(hashtextextended(${`applications of ${workerId}`}, 0)) is null as turn
    from accounts account
    left join profiles profile on profile.account_id = account.id
    left join jobs job on job.id = ${jobId}
    where account.id = ${workerId}`.execute(tx);
  return rows[0];
}

export type NewApplication = {
  id: string;
  moveId: string;
  jobId: string;
  workerId: string;
  coverNote: string;
  answers: readonly Answer[];
  questions: readonly JobQuestion[];
  cvFileId: string | null;
  now: Date;
  decideBy: Date;
  matchScore: number;
  matchReasons: readonly MatchReason[];
  distanceM: number | null;
  channel: ShareChannel | null;
};

/**
 * Inserts an application. The shifts of a series count once toward the daily limit. Locks the job, so that
 * the next transaction to close it sees the application. `isInvited`: the worker was invited, and a hidden job may
 * be open to them.
 */
export async function insertApplication(
  tx: Tx,
  row: NewApplication,
  options: { perDay: number; clockTask: string; clockKey: string; clockAt: Date; isInvited: boolean },
): Promise<boolean> {
  const dayAgo = subtractMs(row.now, dayMs);
  const { rows } = await sql<ChangedRow>`${keptPlan}
    with job as (
      select id, business_id, series_id from jobs where id = ${row.jobId}
        and ${options.isInvited ? sql`(status = 'open' or ${isOpenToInvited(sql`jobs.id`, sql`${row.workerId}::uuid`)})` : sql`status = 'open'`} for share
    ), inserted as (
      insert into applications (id, job_id, business_id, worker_id, status, cover_note, answers, questions, cv_file_id,
        submitted_at, decide_by, updated_at, match_score, match_reasons, distance_m, channel)
      select ${row.id}::uuid, job.id, job.business_id, ${row.workerId}::uuid, 'submitted', ${row.coverNote},
        ${JSON.stringify(row.answers)}::jsonb, ${JSON.stringify(row.questions)}::jsonb, ${row.cvFileId}::uuid,
        ${row.now}::timestamptz, ${row.decideBy}::timestamptz, ${row.now}::timestamptz,
        ${row.matchScore}::smallint, ${JSON.stringify(row.matchReasons)}::jsonb, ${row.distanceM}::integer, ${row.channel}
      from job
      where (select count(distinct coalesce(other.series_id, other.id)) from applications recent join jobs other on other.id = recent.job_id
        where recent.worker_id = ${row.workerId}::uuid and recent.submitted_at > ${dayAgo} and recent.origin = 'applied'
          and other.series_id is distinct from coalesce(job.series_id, ${row.id}::uuid)) < ${options.perDay}
      on conflict (job_id, worker_id) where status <> 'withdrawn' do nothing
      returning id, job_id, worker_id, business_id, status, submitted_at
    ), moved as (
      insert into application_moves (id, application_id, actor, action, to_status, at)
      select ${row.moveId}::uuid, id, ${row.workerId}, 'submit', status, submitted_at from inserted
    )
    select inserted.id, job_id, worker_id, business_id
    from inserted, add_task(${options.clockTask}, json_build_object('applicationId', inserted.id), ${options.clockAt}::timestamptz,
      ${options.clockKey}, ${attemptLimit}::integer)`.execute(tx);
  emitRecord(tx, 'application', rows[0]);
  return rows.length === 1;
}

/**
 * The other live applications of the same workers for the blocks of these applications, which are rejected and withdrawn
 * with them (ADR 414).
 */
export async function findRestOfBlocks(db: Db, applicationIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct other.id from applications application
      join jobs job on job.id = application.job_id and job.as_block
      join jobs date on date.series_id = job.series_id and date.as_block and date.id <> job.id
      join applications other on other.job_id = date.id and other.worker_id = application.worker_id
        and other.status in (${literals([...undecidedApplicationStatuses, 'offered'])})
    where application.id = any(${[...applicationIds]}::uuid[])
      and application.status in (${literals([...undecidedApplicationStatuses, 'offered'])})`.execute(db);
  return rows.map(({ id }) => id).filter((id) => !applicationIds.includes(id));
}

export type LockedApplication = {
  id: string;
  version: number;
  jobId: string;
  businessId: string;
  workerId: string;
  status: ApplicationStatus;
  coverNote: string;
  answers: Answer[];
  cvFileId: string | null;
  submittedAt: Date;
  decideBy: Date;
  waitlistedAt: Date | null;
  role: MemberRole | null;
};

/** Locks an application and reads the role of `accountId` in its business; null for the platform. */
export async function lockApplication(
  tx: Tx,
  applicationId: string,
  accountId: string | null,
): Promise<LockedApplication | undefined> {
  const { rows } = await sql<LockedApplication>`
    select application.id, application.version, application.job_id, application.business_id, application.worker_id, application.status,
      application.cover_note, application.answers, application.cv_file_id, application.submitted_at, application.decide_by,
      application.waitlisted_at, (select role from job_members member
        where member.job_id = application.job_id and member.account_id = ${accountId}::uuid) as role
    from applications application where application.id = ${applicationId} for update of application`.execute(
    tx,
  );
  return rows[0];
}

export async function findCallerRole(
  db: Db,
  applicationId: string,
  accountId: string,
): Promise<{ jobId: string; businessId: string; workerId: string; role: MemberRole | null } | undefined> {
  const { rows } = await sql<{
    jobId: string;
    businessId: string;
    workerId: string;
    role: MemberRole | null;
  }>`
    select application.job_id, application.business_id, application.worker_id, member.role
    from applications application
    left join job_members member on member.job_id = application.job_id and member.account_id = ${accountId}
    where application.id = ${applicationId}`.execute(db);
  return rows[0];
}

export async function findForNotices(db: Db, applicationIds: readonly string[]) {
  const { rows } = await sql<{
    id: string;
    jobId: string;
    workerId: string;
    decideBy: Date;
    jobTitle: string;
    businessName: string;
    timeZone: string;
    seriesId: string | null;
  }>`
    select application.id, application.job_id, application.worker_id, application.decide_by,
      job.title as job_title, job.business_name, job.time_zone,
      job.series_id
    from applications application join jobs job on job.id = application.job_id
    where application.id = any(${[...applicationIds]}::uuid[])`.execute(db);
  return rows;
}

/** Moves an application and records the move. Returns false if its status changed in the meantime. */
export async function moveApplication(
  tx: Tx,
  move: {
    id: string;
    applicationId: string;
    actor: string;
    action: string;
    from: ApplicationStatus;
    to: ApplicationStatus;
    at: Date;
    reason?: string;
  },
): Promise<boolean> {
  const { rows } = await sql<ChangedRow>`${keptPlan}
    with moved as (
      update applications set status = ${move.to}, updated_at = ${move.at},
        version = version + case when ${move.action} = 'view' then 0 else 1 end,
        viewed_at = case when ${move.action} in ('view', 'shortlist', 'propose-interview', 'offer')
          then coalesce(viewed_at, ${move.at}::timestamptz) else viewed_at end,
        waitlisted_at = case when ${move.to} = 'position_filled' then waitlisted_at end
      where id = ${move.applicationId} and status = ${move.from} returning id, job_id, worker_id, business_id
    ), logged as (
    insert into application_moves (id, application_id, actor, action, from_status, to_status, reason, at)
    select ${move.id}::uuid, id, ${move.actor}, ${move.action}, ${move.from}, ${move.to}, ${move.reason ?? null}, ${move.at}::timestamptz
    from moved)
    select * from moved`.execute(tx);
  emitRecord(tx, 'application', rows[0]);
  return rows.length === 1;
}

/** Extends the deadline, never past the start of the work (ADR 18). */
export async function moveDecideBy(tx: Tx, applicationId: string, until: Date) {
  const { rows } = await sql<ChangedRow & { status: ApplicationStatus; submittedAt: Date; decideBy: Date }>`
    update applications
    set decide_by = greatest(decide_by, least(${until}::timestamptz, (select starts_at from jobs where jobs.id = job_id)))
    where id = ${applicationId} returning id, job_id, worker_id, business_id, status, submitted_at, decide_by`.execute(
    tx,
  );
  emitRecord(tx, 'application', rows[0]);
  return rows[0];
}

/** Updates an unviewed application; false if its version changed concurrently. */
export async function rewriteApplication(
  tx: Tx,
  change: {
    id: string;
    moveId: string;
    version: number;
    workerId: string;
    coverNote: string;
    answers: readonly Answer[];
    questions: readonly JobQuestion[];
    cvFileId: string | null;
    at: Date;
  },
): Promise<boolean> {
  const { rows } = await sql<ChangedRow>`
    with changed as (
      update applications set cover_note = ${change.coverNote}, answers = ${JSON.stringify(change.answers)}::jsonb,
        questions = ${JSON.stringify(change.questions)}::jsonb, cv_file_id = ${change.cvFileId}::uuid,
        version = version + 1, updated_at = ${change.at}
      where id = ${change.id} and version = ${change.version} and status = 'submitted'
      returning id, job_id, worker_id, business_id, status
    ), logged as (
    insert into application_moves (id, application_id, actor, action, from_status, to_status, at)
    select ${change.moveId}::uuid, id, ${change.workerId}, 'edit', status, status, ${change.at}::timestamptz from changed)
    select id, job_id, worker_id, business_id from changed`.execute(tx);
  emitRecord(tx, 'application', rows[0]);
  return rows.length === 1;
}

/**
 * Ends a job's applications in the given statuses, at most `limit` at a time, and returns those that changed.
 */
export async function endApplications(
  tx: Tx,
  ending: {
    jobId: string;
    from: readonly ApplicationStatus[];
    to: ApplicationStatus;
    actor: string;
    action: string;
    reason: string | null;
    at: Date;
    limit?: number;
  },
): Promise<ChangedRow[]> {
  const { rows } = await sql<ChangedRow>`
    with before as (
      select id, worker_id, job_id, business_id, status from applications
      where job_id = ${ending.jobId} and status = any(${[...ending.from]}) order by id limit ${ending.limit ?? null} for update
    ), ended as (
      update applications set status = ${ending.to}, version = version + 1, updated_at = ${ending.at}
      from before where applications.id = before.id returning applications.id
    ), moved as (
      insert into application_moves (id, application_id, actor, action, from_status, to_status, reason, at)
      select ${rowIds(ending.at)}, before.id, ${ending.actor}, ${ending.action}, before.status, ${ending.to}, ${ending.reason},
        ${ending.at}::timestamptz from before
    )
    select id, worker_id, job_id, business_id from before`.execute(tx);
  emitRows(tx, 'application', rows);
  return rows;
}

/** Locks a job whose spots are all hired; undefined otherwise. */
export async function holdFilledJob(tx: Tx, jobId: string) {
  const { rows } = await sql<{
    title: string;
    businessName: string;
    timeZone: string;
    seriesId: string | null;
    asBlock: boolean;
  }>`
    select title, business_name, time_zone, series_id, as_block from jobs where id = ${jobId} and status = 'filled' for share`.execute(
    tx,
  );
  return rows[0];
}

export async function findApplicationsOfJob(db: Db, jobId: string, states: readonly ApplicationStatus[]) {
  return db
    .selectFrom('applications')
    .select(['id', 'workerId', 'status'])
    .where('jobId', '=', jobId)
    .where('status', 'in', states)
    .orderBy('id')
    .execute();
}

export async function findApplicationNoticeFacts(
  db: Db,
  applicationId: string,
  waiting: readonly ApplicationStatus[],
) {
  const { rows } = await sql<{
    jobTitle: string;
    businessName: string;
    workerName: string;
    timeZone: string;
    seriesId: string | null;
    recruiters: string[];
    waiting: number;
    firstDecideBy: Date | null;
  }>`
    select job.title as job_title, job.time_zone, job.series_id, business.name as business_name, worker.name as worker_name,
      coalesce((select array_agg(member.account_id::text) from job_members member
        where member.job_id = application.job_id and member.role in ${recruiters}), '{}') as recruiters,
      others.waiting, others.first_decide_by
    from applications application
    join jobs job on job.id = application.job_id
    join businesses business on business.id = application.business_id
    join accounts worker on worker.id = application.worker_id
    cross join lateral (select count(*) as waiting, min(decide_by) as first_decide_by from applications other
      where other.job_id = application.job_id and other.status = any(${[...waiting]})) others
    where application.id = ${applicationId}`.execute(db);
  return rows[0];
}

export async function setWorkEnding(tx: Tx, applicationId: string, ending: WorkEnding | null): Promise<void> {
  const { rows } = await sql<ChangedRow>`update applications set work_ending = ${ending}
    where id = ${applicationId} returning id, job_id, worker_id, business_id`.execute(tx);
  emitRecord(tx, 'application', rows[0]);
}

/** Takes all applications of a job off its waitlist. */
export async function clearWaitlist(tx: Tx, jobId: string): Promise<void> {
  const { rows } = await sql<ChangedRow>`update applications set waitlisted_at = null, version = version + 1
    where job_id = ${jobId} and waitlisted_at is not null returning id, job_id, worker_id, business_id`.execute(
    tx,
  );
  emitRows(tx, 'application', rows);
}

/** Returns the live and waitlisted applications of a worker whose account closes. */
export async function findLeaving(tx: Tx, workerId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from applications
    where worker_id = ${workerId} and (status in (${literals(undecidedApplicationStatuses)}, 'offered')
      or waitlisted_at is not null)
    order by job_id, id`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Removes a deleted account's texts and files from its applications; their history stays. */
export async function eraseApplications(tx: Tx, member: FormerMember): Promise<void> {
  const cleared = await tx
    .updateTable('applications')
    .set({
      coverNote: '',
      answers: '[]',
      cvFileId: null,
      matchScore: 0,
      matchReasons: '[]',
      distanceM: null,
    })
    .where('workerId', '=', member.accountId)
    .returning(['id', 'workerId', 'businessId', 'jobId'])
    .execute();
  emitRows(tx, 'application', cleared);
  await tx
    .updateTable('application_moves')
    .set({ reason: withoutWords('reason', member) })
    .where('reason', 'is not', null)
    .where('applicationId', 'in', (eb) =>
      eb.selectFrom('applications').select('id').where('workerId', '=', member.accountId),
    )
    .execute();
}
