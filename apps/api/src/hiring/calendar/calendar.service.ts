import { applicationPath, engagementPath, interviewPath } from '@nearhand/contract/app-paths';
import { dayMs } from '@nearhand/contract/durations';
import type { CalendarEvent, Conflict } from '@nearhand/contract/hiring/calendar';
import { limits } from '@nearhand/contract/limits';
import type { Terms } from '@nearhand/contract/work/terms';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { dayEndsAt } from '../../platform/zoned-day.ts';
import { viewJob } from '../jobs/job-views.service.ts';
import {
  findAvailability,
  findInterviewTimes,
  findLiveOffers,
  findWork,
  type InterviewTimeRow,
} from './calendar.sql.ts';
import { inOrder, placeText } from './calendar-events.ts';
import { notFree } from './free-hours.rules.ts';

/**
 * The caller's calendar as a worker: work, interviews with their proposed times, and offers that can be accepted. Soonest first.
 * @throws calendar/range-too-long (data: maxDays), request/invalid where the range ends before it starts
 */
export async function myCalendar(
  db: Db,
  scope: Scope,
  input: { from: string; to: string },
): Promise<CalendarEvent[]> {
  const range = { from: new Date(input.from), to: new Date(input.to) };
  const length = range.to.getTime() - range.from.getTime();
  if (length <= 0)
    throw new AppError('request/invalid', { issues: [{ path: 'to', message: 'later than from' }] });
  const maxDays = limits.calendarRangeDays;
  if (length > maxDays * dayMs) throw new AppError('calendar/range-too-long', { maxDays });
  const { accountId } = scope.actor;
  const now = scope.clock.now();
  const work = await findWork(db, accountId, range);
  const interviews = await findInterviewTimes(db, accountId, range, { now, hiring: false });
  const offers = await findLiveOffers(db, accountId, range, now);
  return inOrder([
    ...work.flatMap((row) =>
      onTerms(row, range, { kind: 'engagement', status: row.status, path: engagementPath(row.id, 'worker') }),
    ),
    ...interviews.map(ofInterview),
    ...offers.flatMap((row) =>
      onTerms(row, range, { kind: 'offer', status: 'sent', path: applicationPath(row.application_id) }),
    ),
  ]);
}

/** Booked or offered work by its frozen terms; empty where it is outside the range or has no date. */
function onTerms(
  { id, terms, business_name }: { id: string; terms: Terms; business_name: string },
  range: Range,
  what: Pick<CalendarEvent, 'kind' | 'status' | 'path'>,
): CalendarEvent[] {
  const span = spanOf(terms);
  if (!span || !overlaps(span, range)) return [];
  const { title, timeZone } = terms;
  return [
    { ...what, id, title, businessName: business_name, ...textOf(span), timeZone, where: placeText(terms) },
  ];
}

const ofInterview = (row: InterviewTimeRow): CalendarEvent => ({
  kind: 'interview',
  id: row.id,
  title: row.job_title,
  businessName: row.business_name,
  startsAt: row.starts_at.toISOString(),
  endsAt: row.ends_at.toISOString(),
  timeZone: row.job_zone,
  status: row.status,
  where: row.where_text,
  path: interviewPath(row.id),
});

/**
 * What conflicts with a job's hours in the caller's calendar: booked work (a hire would be refused), interviews, offers, and hours they
 * are usually busy. Empty for a job without set hours.
 * @throws job/not-found
 */
export async function jobConflicts(db: Db, scope: Scope, { jobId }: { jobId: string }): Promise<Conflict[]> {
  const { accountId } = scope.actor;
  const job = await viewJob(db, accountId, jobId);
  if (job.startsAt === null || job.endsAt === null) return [];
  const span = { startsAt: new Date(job.startsAt), endsAt: new Date(job.endsAt) };
  const range = { from: span.startsAt, to: span.endsAt };
  const now = scope.clock.now();
  const work = await findWork(db, accountId, range);
  const interviews = await findInterviewTimes(db, accountId, range, { now, hiring: false });
  const offers = await findLiveOffers(db, accountId, range, now);
  const grid = await findAvailability(db, accountId);
  const others = <Row extends { job_id: string }>(rows: readonly Row[]) =>
    rows.filter((row) => row.job_id !== jobId);
  return [
    // A task has a day but no hours, so it conflicts with nothing.
    ...others(work).flatMap(({ id, terms }) => conflictOf('engagement', id, terms, range)),
    ...interviews
      .filter(({ status }) => status !== 'completed')
      .map((row) => ({
        kind: 'interview' as const,
        id: row.id,
        title: row.job_title,
        startsAt: row.starts_at.toISOString(),
        endsAt: row.ends_at.toISOString(),
      })),
    ...others(offers).flatMap(({ id, terms }) => conflictOf('offer', id, terms, range)),
    ...notFree(grid, span, job.timeZone).map((stretch) => ({
      kind: 'availability' as const,
      id: null,
      title: null,
      ...textOf(stretch),
    })),
  ];
}

type Span = { startsAt: Date; endsAt: Date };
type Range = { from: Date; to: Date };

function conflictOf(kind: 'engagement' | 'offer', id: string, terms: Terms, range: Range): Conflict[] {
  const { title, startsAt, endsAt } = terms;
  if (startsAt === null || endsAt === null) return [];
  const span = { startsAt: new Date(startsAt), endsAt: new Date(endsAt) };
  return overlaps(span, range) ? [{ kind, id, title, ...textOf(span) }] : [];
}

/** A shift's hours, or a task's due date in its zone; null for a task without one. */
function spanOf({ startsAt, endsAt, dueOn, timeZone }: Terms): Span | null {
  if (startsAt !== null && endsAt !== null) return { startsAt: new Date(startsAt), endsAt: new Date(endsAt) };
  if (dueOn === null) return null;
  const before = new Date(Date.parse(`${dueOn}T00:00:00Z`) - dayMs).toISOString().slice(0, 10);
  return { startsAt: new Date(dayEndsAt(timeZone, before)), endsAt: new Date(dayEndsAt(timeZone, dueOn)) };
}

const overlaps = ({ startsAt, endsAt }: Span, { from, to }: Range) => startsAt < to && endsAt > from;
const textOf = ({ startsAt, endsAt }: Span) => ({
  startsAt: startsAt.toISOString(),
  endsAt: endsAt.toISOString(),
});
