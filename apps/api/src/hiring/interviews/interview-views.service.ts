import type { Interview } from '@nearhand/contract/hiring/interviews';
import { fileContentPath } from '@nearhand/contract/people/files.rules';
import type { Side } from '@nearhand/contract/sides';
import { requireRecruiter } from '../../people/businesses/members.service.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import {
  findInterview,
  findInterviews,
  type InterviewGroup,
  type InterviewViewRow,
} from './interview-views.sql.ts';
import { type InterviewRelation, interviewSide } from './interviews.policy.ts';
import { contestBy, endOf, interviewActionsFor } from './interviews.rules.ts';

/**
 * One interview, for its worker and recruiters of its business.
 * @throws interview/not-found for anyone else
 */
export async function getInterview(
  db: Db,
  scope: Scope,
  { interviewId }: { interviewId: string },
): Promise<Interview> {
  const { accountId } = scope.actor;
  const row = await findInterview(db, interviewId, accountId);
  const relation: InterviewRelation = row?.worker_id === accountId ? 'worker' : (row?.role ?? null);
  const side = interviewSide(relation);
  if (!row || side === null) throw new AppError('interview/not-found');
  return asInterview(scope, row, side);
}

/**
 * The caller's interviews as a worker, or a business's for its recruiters; optionally of one application.
 * @throws business/not-found, business/not-allowed, request/bad-cursor
 */
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
): Promise<{ items: Interview[]; nextCursor: string | null }> {
  const { accountId } = scope.actor;
  const { businessId, applicationId = null, group = null, limit } = input;
  const branches = businessId === undefined ? null : await requireRecruiter(db, scope.actor, businessId);
  const now = scope.clock.now();
  const rows = await findInterviews(db, accountId, {
    of: businessId === undefined ? { workerId: accountId } : { businessId, limit: branches },
    applicationId,
    group,
    after: decodeCursor(input.cursor, newestCursor),
    limit: limit + 1,
    now,
  });
  const page = cutPage(rows, limit, (row) => [row.sort_at.toISOString(), row.id]);
  const side = businessId === undefined ? 'worker' : 'business';
  return { items: page.items.map((row) => asInterview(scope, row, side)), nextCursor: page.nextCursor };
}

/** One side's view: notes and outcome are private to the business; the worker gets an answer to the application instead. */
function asInterview(scope: Pick<Scope, 'clock' | 'config'>, row: InterviewViewRow, side: Side): Interview {
  const mine = side === 'business';
  // A withdrawn applicant keeps only a name, as in the list of applicants.
  const gone = mine && row.application_status === 'withdrawn';
  return {
    id: row.id,
    version: row.version,
    side,
    status: row.status,
    applicationId: row.application_id,
    jobId: row.job_id,
    jobTitle: row.job_title,
    business: {
      id: row.business_id,
      name: row.business_name,
      verified: row.business_status === 'verified',
      logoPath: row.logo_file_id && fileContentPath(row.logo_file_id),
    },
    worker: {
      id: row.worker_id,
      name: row.worker_name,
      photoPath: gone ? null : row.photo_file_id && fileContentPath(row.photo_file_id),
    },
    mode: row.mode,
    where: row.where_text,
    minutes: row.minutes,
    message: row.message,
    slots: row.slots.map((slot) => ({ id: slot.id, startsAt: iso(slot.startsAt) })),
    startsAt: row.starts_at?.toISOString() ?? null,
    endsAt: endOf(row)?.toISOString() ?? null,
    zones: { business: row.job_zone, worker: row.worker_zone },
    answerBy: row.answer_by?.toISOString() ?? null,
    reschedules: row.reschedules,
    reschedule: row.reschedule_by && { by: row.reschedule_by, reason: row.reschedule_reason ?? '' },
    outcome: mine ? row.outcome : null,
    notes: mine ? row.notes : '',
    noShow: row.no_show_at && {
      of: row.status === 'no_show_worker' ? 'worker' : 'business',
      reportedAt: row.no_show_at.toISOString(),
      contestBy: contestBy(row.no_show_at, scope.config).toISOString(),
      contest: row.contest,
    },
    steps: row.steps.map((step) => ({ ...step, at: iso(step.at) })),
    actions: interviewActionsFor(row, side, scope.clock.now(), scope.config),
  };
}

/** The database writes times inside JSON with its own offset. */
const iso = (text: string): string => new Date(text).toISOString();
