import type { ApplicationStatus } from '@nearhand/contract/hiring/applications';
import type { MemberRole } from '@nearhand/contract/operation';
import type { Side, Step } from '@nearhand/contract/sides';
import { sql } from 'kysely';
import type { Db } from '../../platform/db.ts';
import { type BranchLimit, inBranches } from '../../platform/members/job-members.ts';
import type { InterviewRow } from './interviews.sql.ts';

export type InterviewViewRow = InterviewRow & {
  application_status: ApplicationStatus;
  job_title: string;
  job_zone: string;
  business_name: string;
  business_status: string;
  logo_file_id: string | null;
  worker_name: string;
  photo_file_id: string | null;
  slots: { id: string; startsAt: string }[];
  steps: Step[];
  role: MemberRole | null;
};

export type InterviewGroup = 'to_answer' | 'upcoming' | 'past';

const columns = (
  accountId: string,
) => sql`interview.*, application.status as application_status, job.title as job_title,
  job.time_zone as job_zone, business.name as business_name, business.status as business_status, business.logo_file_id,
  worker.name as worker_name, profile.photo_file_id,
  coalesce((select jsonb_agg(jsonb_build_object('id', slot.id, 'startsAt', slot.starts_at) order by slot.starts_at)
    from interview_slots slot where slot.interview_id = interview.id), '[]') as slots,
  (select jsonb_agg(jsonb_build_object('action', move.action, 'status', move.to_status, 'by', move.side, 'at', move.at, 'reason', move.reason)
    order by move.at, move.id) from interview_moves move where move.interview_id = interview.id) as steps,
  (select role from job_members member
    where member.job_id = interview.job_id and member.account_id = ${accountId}::uuid) as role`;

const joins = sql`join applications application on application.id = interview.application_id
  join jobs job on job.id = interview.job_id
  join businesses business on business.id = interview.business_id
  join accounts worker on worker.id = interview.worker_id
  left join profiles profile on profile.account_id = interview.worker_id`;

/** One interview with the fields of its view, and an account's role in its business. */
export async function findInterview(
  db: Db,
  interviewId: string,
  accountId: string,
): Promise<InterviewViewRow | undefined> {
  const { rows } = await sql<InterviewViewRow>`
    select ${columns(accountId)} from interviews interview ${joins} where interview.id = ${interviewId}`.execute(
    db,
  );
  return rows[0];
}

// An interview past its end without an outcome is pending for the business, and past for the worker.
const over = (now: Date) =>
  sql`interview.status = 'scheduled' and interview.starts_at + interview.minutes * interval '1 minute' <= ${now}`;
const isLive = sql`interview.status in ('proposed', 'scheduled', 'reschedule_requested')`;
const asked = (side: Side, now: Date) =>
  side === 'worker'
    ? sql`(interview.status = 'proposed' or interview.status = 'reschedule_requested' and interview.reschedule_by = 'business')`
    : sql`(interview.status = 'reschedule_requested' and interview.reschedule_by = 'worker' or ${over(now)})`;

function inGroup(group: InterviewGroup | null, side: Side, now: Date) {
  const past = side === 'worker' ? sql`(not ${isLive} or ${over(now)})` : sql`not ${isLive}`;
  // Spelled out so that the partial index of live ones is used.
  if (group === 'to_answer') return sql`(${isLive} and ${asked(side, now)})`;
  if (group === 'past') return past;
  return group === null ? sql`true` : sql`(${isLive} and not ${past} and not ${asked(side, now)})`;
}

/** Interviews of a worker or of a business: upcoming ones soonest first, others latest first. */
export async function findInterviews(
  db: Db,
  accountId: string,
  options: {
    of: { workerId: string } | { businessId: string; limit: BranchLimit };
    applicationId: string | null;
    group: InterviewGroup | null;
    after: readonly [string, string] | null;
    limit: number;
    now: Date;
  },
): Promise<InterviewViewRow[]> {
  const { of, applicationId, group, after, limit, now } = options;
  const side = 'workerId' in of ? 'worker' : 'business';
  const soonest = group === 'to_answer' || group === 'upcoming';
  const whose =
    'workerId' in of
      ? sql`interview.worker_id = ${of.workerId}`
      : sql`interview.business_id = ${of.businessId} ${inBranches(sql`interview.job_id`, of.limit)}`;
  const beyond = after
    ? sql`(interview.sort_at, interview.id) ${soonest ? sql`>` : sql`<`} (${after[0]}::timestamptz, ${after[1]}::uuid)`
    : sql`true`;
  const direction = soonest ? sql`asc` : sql`desc`;
  const { rows } = await sql<InterviewViewRow>`
    select ${columns(accountId)} from interviews interview ${joins}
    where ${whose} and ${applicationId === null ? sql`true` : sql`interview.application_id = ${applicationId}`}
      and ${inGroup(group, side, now)} and ${beyond}
    order by interview.sort_at ${direction}, interview.id ${direction} limit ${limit}`.execute(db);
  return rows;
}
