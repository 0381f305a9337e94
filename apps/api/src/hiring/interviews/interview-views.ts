import type { ApplicationStatus } from '@nearhand/contract/hiring/applications.rules';
import {
  type Interview,
  type InterviewAction,
  type InterviewStatus,
  liveInterviewStatuses,
} from '@nearhand/contract/hiring/interviews';
import type { MemberRole } from '@nearhand/contract/member-roles';
import type { Page } from '@nearhand/contract/operation';
import { fileContentPath } from '@nearhand/contract/people/files.rules';
import { type Relation, relationTo, roleMay } from '@nearhand/contract/people/team.rules';
import type { Side, Step } from '@nearhand/contract/sides';
import { sql } from 'kysely';
import { requireBusinessRecruiter } from '../../people/businesses/businesses.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { ClockConfigScope, Scope } from '../../platform/http/scope.ts';
import { type BranchLimit, inBranches } from '../../platform/members/job-members.ts';
import { literals } from '../../platform/prepared-statements.ts';
import { attendanceContestBy, awaitedSide, interviewActionsFor, interviewEnd } from './interviews.rules.ts';
import type { InterviewRow } from './interviews.sql.ts';

/** Returns one interview to both sides. */
export async function getInterview(
  db: Db,
  scope: Scope,
  { interviewId }: { interviewId: string },
): Promise<Interview> {
  const { accountId } = scope.actor;
  const row = await findInterview(db, interviewId, accountId);
  const relation = relationTo(row, accountId);
  const side = interviewSide(relation);
  if (!row || side === null) throw new AppError('interview/not-found');
  return toInterview(scope, row, side);
}

/** Lists interviews of the caller or of a business. */
export async function myInterviews(
  db: Db,
  scope: Scope,
  input: {
    businessId?: string;
    applicationId?: string;
    group?: InterviewGroup;
    cursor?: string;
    limit: number;
  },
): Promise<Page<Interview>> {
  const { accountId } = scope.actor;
  const { businessId, applicationId = null, group = null, limit } = input;
  const branches =
    businessId === undefined ? null : await requireBusinessRecruiter(db, scope.actor, businessId);
  const now = scope.clock.now();
  const rows = await findInterviews(db, accountId, {
    owner: businessId === undefined ? { workerId: accountId } : { businessId, limit: branches },
    applicationId,
    group,
    after: decodeCursor(input.cursor, newestCursor),
    limit: limit + 1,
    now,
  });
  const page = cutPage(rows, limit, (row) => [row.sortAt.toISOString(), row.id]);
  const side = businessId === undefined ? 'worker' : 'business';
  return { items: page.items.map((row) => toInterview(scope, row, side)), nextCursor: page.nextCursor };
}

const proposedSlots = ({ slots }: InterviewViewRow, earlier: boolean): Interview['slots'] =>
  slots
    .filter((slot) => slot.earlier === earlier)
    .map((slot) => ({ id: slot.id, startsAt: iso(slot.startsAt) }));

function toInterview(scope: ClockConfigScope, row: InterviewViewRow, side: Side): Interview {
  const isBusiness = side === 'business';
  const isWithdrawn = isBusiness && row.applicationStatus === 'withdrawn';
  return {
    ...row,
    side,
    business: {
      id: row.businessId,
      name: row.businessName,
      verified: row.businessStatus === 'verified',
      logoPath: row.logoFileId && fileContentPath(row.logoFileId),
    },
    worker: {
      id: row.workerId,
      name: row.workerName,
      photoPath: isWithdrawn ? null : row.photoFileId && fileContentPath(row.photoFileId),
    },
    where: row.whereText,
    slots: proposedSlots(row, false),
    earlierSlots: awaitedSide(row) === side ? [] : proposedSlots(row, true),
    startsAt: row.startsAt?.toISOString() ?? null,
    endsAt: interviewEnd(row)?.toISOString() ?? null,
    workStartsAt: row.workStartsAt?.toISOString() ?? null,
    zones: { business: row.jobZone, worker: row.workerZone },
    awaits: awaitedSide(row),
    answerBy: row.answerBy?.toISOString() ?? null,
    reschedule: row.rescheduleBy && { by: row.rescheduleBy, reason: row.rescheduleReason ?? '' },
    outcome: isBusiness ? row.outcome : null,
    notes: isBusiness ? row.notes : '',
    noShow: row.noShowAt && {
      side: row.status === 'no_show_worker' ? 'worker' : 'business',
      reportedAt: row.noShowAt.toISOString(),
      contestBy: attendanceContestBy(row.noShowAt, scope.config).toISOString(),
      contest: row.contest,
    },
    shifts: row.shifts.map((shift) => ({
      ...shift,
      startsAt: shift.startsAt && iso(shift.startsAt),
      endsAt: shift.endsAt && iso(shift.endsAt),
    })),
    steps: row.steps.map((step) => ({ ...step, at: iso(step.at) })),
    actions: interviewActionsFor(row, side, scope.clock.now(), scope.config),
  };
}

/** PostgreSQL writes times inside JSON with the session's offset. */
const iso = (text: string): string => new Date(text).toISOString();

/** Finance has no side, since it does not see applicants. */
export const interviewSide = (relation: Relation): Side | null => {
  if (relation === 'worker') return 'worker';
  return roleMay(relation, 'applicants') ? 'business' : null;
};

/** Only the business completes an interview. Every other action is open to both sides. */
export const canInterview = (side: Side, action: InterviewAction): boolean =>
  action !== 'complete' || side === 'business';

type InterviewViewRow = InterviewRow & {
  applicationStatus: ApplicationStatus;
  jobTitle: string;
  jobZone: string;
  workStartsAt: Date | null;
  businessName: string;
  businessStatus: string;
  logoFileId: string | null;
  workerName: string;
  photoFileId: string | null;
  slots: { id: string; startsAt: string; earlier: boolean }[];
  steps: Step<InterviewStatus>[];
  shifts: Interview['shifts'];
  role: MemberRole | null;
};

type InterviewGroup = 'to_answer' | 'upcoming' | 'past';

const columns = (
  accountId: string,
) => sql`interview.*, application.status as application_status, job.title as job_title,
  job.time_zone as job_zone, job.starts_at as work_starts_at, business.name as business_name,
    business.status as business_status, business.logo_file_id,
  worker.name as worker_name, profile.photo_file_id,
  coalesce((select jsonb_agg(jsonb_build_object('id', slot.id, 'startsAt', slot.starts_at, 'earlier', slot.earlier) order by slot.starts_at)
    from interview_slots slot where slot.interview_id = interview.id), '[]') as slots,
  (select jsonb_agg(jsonb_build_object('action', move.action, 'status', move.to_status, 'by', move.side, 'at',
    move.at, 'reason', move.reason)
    order by move.at, move.id) from interview_moves move where move.interview_id = interview.id) as steps,
  (select jsonb_agg(jsonb_build_object('applicationId', other.id, 'jobId', shift.id, 'startsAt', shift.starts_at, 'endsAt', shift.ends_at,
      'timeZone', shift.time_zone) order by shift.starts_at, shift.id)
    from interview_applications covered join applications other on other.id = covered.application_id join jobs shift on shift.id = other.job_id
    where covered.interview_id = interview.id) as shifts,
  (select role from job_members member
    where member.job_id = interview.job_id and member.account_id = ${accountId}::uuid) as role`;

const joins = sql`join applications application on application.id = interview.application_id
  join jobs job on job.id = interview.job_id
  join businesses business on business.id = interview.business_id
  join accounts worker on worker.id = interview.worker_id
  left join profiles profile on profile.account_id = interview.worker_id`;

async function findInterview(
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

// Without an outcome, an interview past its end is pending for the business but past for the worker.
const isOverAt = (now: Date) =>
  sql`interview.status = 'scheduled' and interview.starts_at + interview.minutes * interval '1 minute' <= ${now}`;
const isLive = sql`interview.status in (${literals(liveInterviewStatuses)})`;
const awaitsSide = (side: Side, now: Date) =>
  side === 'worker'
    ? sql`(interview.status = 'proposed' and interview.proposed_by = 'business'
        or interview.status = 'reschedule_requested' and interview.reschedule_by = 'business')`
    : sql`(interview.status = 'proposed' and interview.proposed_by = 'worker'
        or interview.status = 'reschedule_requested' and interview.reschedule_by = 'worker' or ${isOverAt(now)})`;

function inGroup(group: InterviewGroup | null, side: Side, now: Date) {
  const past = side === 'worker' ? sql`(not ${isLive} or ${isOverAt(now)})` : sql`not ${isLive}`;
  // Spelled out to use the partial index of live interviews.
  if (group === 'to_answer') return sql`(${isLive} and ${awaitsSide(side, now)})`;
  if (group === 'past') return past;
  return group === null ? sql`true` : sql`(${isLive} and not ${past} and not ${awaitsSide(side, now)})`;
}

async function findInterviews(
  db: Db,
  accountId: string,
  options: {
    owner: { workerId: string } | { businessId: string; limit: BranchLimit };
    applicationId: string | null;
    group: InterviewGroup | null;
    after: readonly [string, string] | null;
    limit: number;
    now: Date;
  },
): Promise<InterviewViewRow[]> {
  const { owner, applicationId, group, after, limit, now } = options;
  const side = 'workerId' in owner ? 'worker' : 'business';
  const isSoonestFirst = group === 'to_answer' || group === 'upcoming';
  const condition =
    'workerId' in owner
      ? sql`interview.worker_id = ${owner.workerId}`
      : sql`interview.business_id = ${owner.businessId} ${inBranches(sql`interview.job_id`, owner.limit)}`;
  const beyond = after
    ? sql`(interview.sort_at, interview.id) ${isSoonestFirst ? sql`>` : sql`<`} (${after[0]}::timestamptz, ${after[1]}::uuid)`
    : sql`true`;
  const direction = isSoonestFirst ? sql`asc` : sql`desc`;
  const { rows } = await sql<InterviewViewRow>`
    select ${columns(accountId)} from interviews interview ${joins}
    where ${condition} and ${applicationId === null ? sql`true` : sql`interview.id in (select interview_id from interview_applications where application_id = ${applicationId})`}
      and ${inGroup(group, side, now)} and ${beyond}
    order by interview.sort_at ${direction}, interview.id ${direction} limit ${limit}`.execute(db);
  return rows;
}
