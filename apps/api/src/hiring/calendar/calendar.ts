import { applicationPath, engagementPath, interviewPath } from '@nearhand/contract/app-paths';
import { sumOf } from '@nearhand/contract/arithmetic';
import { addDays, dayIn, dayMs, daysPerWeek, minuteMs, weekdayOf } from '@nearhand/contract/durations';
import { cancelledEngagementStatuses, type EngagementStatus } from '@nearhand/contract/engagement-statuses';
import type { CalendarEvent, Conflict } from '@nearhand/contract/hiring/calendar';
import type { InterviewStatus } from '@nearhand/contract/hiring/interviews';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import type { Language } from '@nearhand/contract/languages';
import { limits } from '@nearhand/contract/limits';
import { type DayPart, dayParts, type Weekday, weekdays } from '@nearhand/contract/people/profile-choices';
import type { Availability } from '@nearhand/contract/people/profiles';
import type { Side } from '@nearhand/contract/sides';
import type { Terms } from '@nearhand/contract/work/terms';
import { dayEndsAt } from '@nearhand/contract/zoned-time';
import { sql } from 'kysely';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { phrase, phraseIn } from '../../platform/mail/mail-layout.ts';
import { recruiters } from '../../platform/members/job-members.ts';
import { literals } from '../../platform/prepared-statements.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';
import { viewJob } from '../jobs/job-views.ts';
import type { IcsEvent } from './ics.rules.ts';

/** Returns the caller's calendar, soonest first. */
export async function myCalendar(
  db: Db,
  scope: Scope,
  input: { from: string; to: string },
): Promise<CalendarEvent[]> {
  const range = { from: new Date(input.from), to: new Date(input.to) };
  const length = range.to.getTime() - range.from.getTime();
  if (length <= 0)
    throw new AppError('request/invalid', { issues: [{ path: 'to', message: 'later than from' }] });
  const maxDays = hiringLimits.calendarRangeDays;
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
      onTerms(row, range, { kind: 'offer', status: 'sent', path: applicationPath(row.applicationId) }),
    ),
  ]);
}

function onTerms(
  { id, terms, businessName }: { id: string; terms: Terms; businessName: string },
  range: Range,
  event: Pick<CalendarEvent, 'kind' | 'status' | 'path'>,
): CalendarEvent[] {
  const span = workSpan(terms);
  if (!span || !overlaps(span, range)) return [];
  const { title, timeZone } = terms;
  return [{ ...event, id, title, businessName, ...isoSpan(span), timeZone, where: placeText(terms) }];
}

const ofInterview = (row: InterviewTimeRow): CalendarEvent => ({
  kind: 'interview',
  id: row.id,
  title: row.jobTitle,
  businessName: row.businessName,
  startsAt: row.startsAt.toISOString(),
  endsAt: row.endsAt.toISOString(),
  timeZone: row.jobZone,
  status: row.status,
  where: row.whereText,
  path: interviewPath(row.id),
});

/**
 * Returns the caller's conflicts with a job's hours; booked work would refuse a hire. The weeks with too many hours are
 * counted with all dates that are offered together with the job (ADR 409).
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
  const { grid, weekHoursMax } = await findWishedHours(db, accountId);
  const withoutJob = <Row extends { jobId: string }>(rows: readonly Row[]) =>
    rows.filter((row) => row.jobId !== jobId);
  return [
    // A task has a day but no hours, so it conflicts with nothing.
    ...withoutJob(work).flatMap(({ id, terms }) => conflictOf('engagement', id, terms, range)),
    ...interviews
      .filter(({ status }) => status !== 'completed')
      .map((row) => ({
        kind: 'interview' as const,
        id: row.id,
        title: row.jobTitle,
        startsAt: row.startsAt.toISOString(),
        endsAt: row.endsAt.toISOString(),
      })),
    ...withoutJob(offers).flatMap(({ id, terms }) => conflictOf('offer', id, terms, range)),
    ...notFree(grid, span, job.timeZone).map((stretch) => ({
      kind: 'availability' as const,
      ...isoSpan(stretch),
    })),
    ...(weekHoursMax === null
      ? []
      : await weekConflicts(db, accountId, {
          dates: [{ jobId, ...span }, ...(await otherDatesOffered(db, accountId, jobId, now))],
          timeZone: job.timeZone,
          hoursMax: weekHoursMax,
        })),
  ];
}

/** The weeks, Monday to Sunday, with more hours with these dates than the worker wants at most (ADR 409). */
async function weekConflicts(
  db: Db,
  workerId: string,
  { dates, timeZone, hoursMax }: { dates: readonly JobSpan[]; timeZone: string; hoursMax: number },
): Promise<Conflict[]> {
  const mondays = dates.map(({ startsAt }) => {
    const day = dayIn(timeZone, startsAt);
    return addDays(day, -((weekdayOf(day) + daysPerWeek - 1) % daysPerWeek));
  });
  const weeks = [...new Set(mondays)].sort().map((monday) => ({
    from: new Date(dayEndsAt(timeZone, addDays(monday, -1))),
    to: new Date(dayEndsAt(timeZone, addDays(monday, daysPerWeek - 1))),
  }));
  const [first, last] = [weeks[0], weeks.at(-1)];
  if (!first || !last) return [];
  const rows = await findWork(db, workerId, { from: first.from, to: last.to });
  const bookings = rows.flatMap(({ jobId, startsAt, endsAt }) =>
    startsAt && endsAt && !dates.some((date) => date.jobId === jobId) ? [{ startsAt, endsAt }] : [],
  );
  return weeks.flatMap(({ from, to }) => {
    const minutes = sumOf(
      [...bookings, ...dates].filter(({ startsAt }) => startsAt >= from && startsAt < to),
      ({ startsAt, endsAt }) => (endsAt.getTime() - startsAt.getTime()) / minuteMs,
    );
    return minutes > hoursMax * minutesPerHour
      ? [{ kind: 'week' as const, minutes, hoursMax, ...isoSpan({ startsAt: from, endsAt: to }) }]
      : [];
  });
}

/** The other shifts of a job's series that are offered to the worker, if the job is: they are accepted together. */
async function otherDatesOffered(db: Db, workerId: string, jobId: string, now: Date): Promise<JobSpan[]> {
  const { rows } = await sql<JobSpan>`
    select offer.job_id, (offer.terms->>'startsAt')::timestamptz as starts_at, (offer.terms->>'endsAt')::timestamptz as ends_at
    from offers offer join jobs job on job.id = offer.job_id
    where offer.worker_id = ${workerId} and offer.status = 'sent' and offer.expires_at > ${now} and offer.job_id <> ${jobId}
      and job.series_id = (select series_id from jobs where id = ${jobId})
      and offer.terms->>'startsAt' is not null and offer.terms->>'endsAt' is not null
      and exists (select from offers this where this.job_id = ${jobId} and this.worker_id = ${workerId}
        and this.status = 'sent' and this.expires_at > ${now})
    limit ${maxRows}`.execute(db);
  return rows;
}

const minutesPerHour = 60;

type Span = { startsAt: Date; endsAt: Date };
type JobSpan = Span & { jobId: string };
type Range = { from: Date; to: Date };

function conflictOf(kind: 'engagement' | 'offer', id: string, terms: Terms, range: Range): Conflict[] {
  const { title, startsAt, endsAt } = terms;
  if (startsAt === null || endsAt === null) return [];
  const span = { startsAt: new Date(startsAt), endsAt: new Date(endsAt) };
  return overlaps(span, range) ? [{ kind, id, title, ...isoSpan(span) }] : [];
}

function workSpan({ startsAt, endsAt, dueOn, timeZone }: Terms): Span | null {
  if (startsAt !== null && endsAt !== null) return { startsAt: new Date(startsAt), endsAt: new Date(endsAt) };
  if (dueOn === null) return null;
  const before = addDays(dueOn, -1);
  return { startsAt: new Date(dayEndsAt(timeZone, before)), endsAt: new Date(dayEndsAt(timeZone, dueOn)) };
}

const overlaps = ({ startsAt, endsAt }: Span, { from, to }: Range) => startsAt < to && endsAt > from;
const isoSpan = ({ startsAt, endsAt }: Span) => ({
  startsAt: startsAt.toISOString(),
  endsAt: endsAt.toISOString(),
});

const quarterMs = 15 * minuteMs;
const farthestMs = 14 * dayMs;
const partAt = (hour: number): DayPart => {
  if (hour < 6) return 'night';
  if (hour < 12) return 'morning';
  return hour < 18 ? 'afternoon' : 'evening';
};

/** Quarter hours cover midnight, days of 23 and 25 hours, and all time zones. */
export function notFree(grid: Availability, hours: Span, timeZone: string): Span[] {
  if (grid.length === 0 || grid.length === weekdays.length * dayParts.length) return [];
  const free = new Set(grid.map(({ day, part }) => `${day} ${part}`));
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    hourCycle: 'h23',
  });
  const isFree = (at: number) => {
    const parts = format.formatToParts(at);
    const text = (type: Intl.DateTimeFormatPartTypes) =>
      parts.find((part) => part.type === type)?.value ?? '';
    return free.has(`${text('weekday').toLowerCase() as Weekday} ${partAt(Number(text('hour')))}`);
  };
  const end = Math.min(hours.endsAt.getTime(), hours.startsAt.getTime() + farthestMs);
  const stretches: Span[] = [];
  let open: number | null = null;
  for (let at = hours.startsAt.getTime(); at < end; at = (Math.floor(at / quarterMs) + 1) * quarterMs) {
    if (isFree(at)) {
      if (open !== null) stretches.push({ startsAt: new Date(open), endsAt: new Date(at) });
      open = null;
    } else open ??= at;
  }
  if (open !== null) stretches.push({ startsAt: new Date(open), endsAt: new Date(end) });
  return stretches;
}

type WorkRow = {
  id: string;
  version: number;
  status: EngagementStatus;
  jobId: string;
  businessName: string;
  workerName: string;
  terms: Terms;
  startsAt: Date | null;
  endsAt: Date | null;
  workEndsAt: Date | null;
  updatedAt: Date;
};

type InterviewTimeRow = {
  id: string;
  version: number;
  status: InterviewStatus;
  side: Side;
  jobId: string;
  jobTitle: string;
  jobZone: string;
  businessName: string;
  workerName: string;
  whereText: string;
  message: string;
  startsAt: Date;
  endsAt: Date;
  updatedAt: Date;
};

type OfferRow = {
  id: string;
  applicationId: string;
  jobId: string;
  businessName: string;
  terms: Terms;
};

type CalendarRange = { from: Date; to: Date };
const maxRows = 1_000;

/** A worker's booked work that overlaps a range. */
export async function findWork(db: Db, workerId: string, { from, to }: CalendarRange): Promise<WorkRow[]> {
  const { rows } = await sql<WorkRow>`
    select engagement.id, engagement.version, engagement.status, engagement.job_id, business.name as business_name,
      worker.name as worker_name, engagement.terms, engagement.starts_at, engagement.ends_at, engagement.work_ends_at, engagement.updated_at
    from engagements engagement
    join businesses business on business.id = engagement.business_id
    join accounts worker on worker.id = engagement.worker_id
    where engagement.worker_id = ${workerId}
      and engagement.status not in (${literals(cancelledEngagementStatuses)}, 'no_show_reported')
      and engagement.sort_at > ${from}::timestamptz - make_interval(mins => ${limits.shiftMinutesMax})
        and engagement.sort_at <= ${to}::timestamptz + interval '1 day'
      and (engagement.starts_at < ${to} and engagement.ends_at > ${from}
        or engagement.starts_at is null and engagement.work_ends_at > ${from}
          and engagement.work_ends_at <= ${to}::timestamptz + interval '1 day')
    order by engagement.sort_at, engagement.id limit ${maxRows}`.execute(db);
  return rows;
}

/** Interviews in a range: the caller's own, or with `hiring` those of the businesses where they recruit. */
export async function findInterviewTimes(
  db: Db,
  accountId: string,
  { from, to }: CalendarRange,
  { now, hiring }: { now: Date; hiring: boolean },
): Promise<InterviewTimeRow[]> {
  const businesses = sql`select business_id from business_members
    where account_id = ${accountId} and role in ${recruiters}`;
  // An array, because a subquery next to `or` would scan every interview.
  const condition = hiring
    ? sql`(interview.worker_id = ${accountId} or interview.business_id = any(array(${businesses}))
        and exists (select from job_members member where member.job_id = interview.job_id and member.account_id = ${accountId}))`
    : sql`interview.worker_id = ${accountId}`;
  // A slot is at most 90 days after the proposal was made.
  const { rows } = await sql<InterviewTimeRow>`
    select interview.id, interview.version, interview.status, case when interview.worker_id = ${accountId}
      then 'worker' else 'business' end as side,
      interview.job_id, job.title as job_title, job.time_zone as job_zone, business.name as business_name, worker.name as worker_name,
      interview.where_text, interview.message, time.starts_at, time.starts_at + interview.minutes * interval '1 minute' as ends_at,
      interview.updated_at
    from interviews interview
    cross join lateral (
      select interview.starts_at where interview.status in ('scheduled', 'reschedule_requested', 'completed')
      union all
      select slot.starts_at from interview_slots slot
      where slot.interview_id = interview.id and not slot.earlier and interview.status = 'proposed' and interview.answer_by > ${now} and slot.starts_at > ${now}
    ) time
    join jobs job on job.id = interview.job_id
    join businesses business on business.id = interview.business_id
    join accounts worker on worker.id = interview.worker_id
    where ${condition} and interview.sort_at < ${to} and interview.sort_at > ${from}::timestamptz - interval '91 days'
      and time.starts_at < ${to} and time.starts_at + interview.minutes * interval '1 minute' > ${from}
    order by time.starts_at, interview.id limit ${maxRows}`.execute(db);
  return rows;
}

/** Widens a task's due date by a day on both sides, because it depends on the task's time zone. */
async function findLiveOffers(
  db: Db,
  workerId: string,
  { from, to }: CalendarRange,
  now: Date,
): Promise<OfferRow[]> {
  const dueAt = sql`(offer.terms->>'dueOn')::timestamp at time zone 'UTC'`;
  const { rows } = await sql<OfferRow>`
    select offer.id, offer.application_id, offer.job_id, business.name as business_name, offer.terms
    from offers offer join businesses business on business.id = offer.business_id
    where offer.worker_id = ${workerId} and offer.status = 'sent' and offer.expires_at > ${now}
      and coalesce((offer.terms->>'startsAt')::timestamptz, ${dueAt} - interval '1 day') < ${to}
      and coalesce((offer.terms->>'endsAt')::timestamptz, ${dueAt} + interval '2 days') > ${from}
    order by offer.id limit ${maxRows}`.execute(db);
  return rows;
}

async function findWishedHours(
  db: Db,
  accountId: string,
): Promise<{ grid: Availability; weekHoursMax: number | null }> {
  const row = await db
    .selectFrom('profiles')
    .select(['availability', 'weekHoursMax'])
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  return { grid: (row?.availability ?? []) as Availability, weekHoursMax: row?.weekHoursMax ?? null };
}

/**
 * The creation time of the subscription address; null without one. Only a hash of the address is stored.
 */
export async function findFeed(db: Db, accountId: string): Promise<Date | null> {
  const row = await db
    .selectFrom('calendar_feeds')
    .select('since')
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  return row?.since ?? null;
}

/** Stores the only feed of an account, so that an earlier address stops working. */
export async function replaceFeed(tx: Tx, row: { accountId: string; secretHash: string; since: Date }) {
  await tx
    .insertInto('calendar_feeds')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('accountId').doUpdateSet({ secretHash: row.secretHash, since: row.since }),
    )
    .execute();
  emitRecord(tx, 'calendar', { id: row.accountId, workerId: row.accountId });
}

export async function deleteCalendarFeed(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('calendar_feeds').where('accountId', '=', accountId).execute();
  emitRecord(tx, 'calendar', { id: accountId, workerId: accountId });
}

/** The account behind a subscription address; null if replaced, deleted or disabled. */
export async function findFeedOwner(db: Db, secretHash: string): Promise<string | null> {
  const row = await db
    .selectFrom('calendar_feeds')
    .innerJoin('accounts', 'accounts.id', 'calendar_feeds.accountId')
    .select('accountId')
    .where('secretHash', '=', secretHash)
    .where('accounts.disabledAt', 'is', null)
    .executeTakeFirst();
  return row?.accountId ?? null;
}

const placeText = ({ place }: Pick<Terms, 'place'>): string =>
  [place.address, place.area].filter(Boolean).join(', ');

type InterviewTime = {
  id: string;
  version: number;
  status: string;
  side: 'worker' | 'business';
  jobTitle: string;
  businessName: string;
  workerName: string;
  where: string;
  message: string;
  startsAt: Date;
  endsAt: Date;
  stamp: Date;
};

/** A proposed time is a separate event, removed when another is picked. */
export function interviewEvent(time: InterviewTime, publicUrl: string, language: Language = 'en'): IcsEvent {
  const isProposed = time.status === 'proposed';
  const isOpen = isProposed || time.status === 'reschedule_requested';
  const isCancelled = time.status === 'cancelled' || time.status === 'lapsed';
  return {
    uid: `interview-${time.id}${isProposed ? `-${time.startsAt.getTime() / minuteMs}` : ''}@nearhand`,
    sequence: time.version,
    stamp: time.stamp,
    status: isCancelled ? 'CANCELLED' : isOpen ? 'TENTATIVE' : 'CONFIRMED',
    summary: phraseIn(
      language,
      phrase('Interview: {name}, {job}', {
        name: time.side === 'worker' ? time.businessName : time.workerName,
        job: time.jobTitle,
      }),
    ),
    where: time.where,
    note: time.message,
    url: publicUrl + interviewPath(time.id),
    startsAt: time.startsAt,
    endsAt: time.endsAt,
    day: null,
  };
}

type Work = {
  id: string;
  version: number;
  status: string;
  side: 'worker' | 'business';
  businessName: string;
  workerName: string;
  terms: Terms;
  stamp: Date;
};

/**
 * An iCalendar event. Cancelled work stays in the feed as cancelled, so that calendars remove it; null
 * without a time.
 */
export function workEvent(work: Work, publicUrl: string): IcsEvent | null {
  const { title, startsAt, endsAt, dueOn } = work.terms;
  const hasHours = startsAt !== null && endsAt !== null;
  if (!hasHours && dueOn === null) return null;
  const isCancelled = [
    'cancelled_by_worker',
    'cancelled_by_merchant',
    'given_away',
    'no_show_reported',
  ].includes(work.status);
  return {
    uid: `engagement-${work.id}@nearhand`,
    sequence: work.version,
    stamp: work.stamp,
    status: isCancelled ? 'CANCELLED' : 'CONFIRMED',
    summary: `${title}, ${work.side === 'worker' ? work.businessName : work.workerName}`,
    where: placeText(work.terms),
    note: '',
    url: publicUrl + engagementPath(work.id, work.side),
    startsAt: new Date(startsAt ?? 0),
    endsAt: new Date(endsAt ?? 0),
    day: hasHours ? null : dueOn,
  };
}

const inOrder = (events: readonly CalendarEvent[]): CalendarEvent[] =>
  [...events].sort(
    (a, b) => Date.parse(a.startsAt) - Date.parse(b.startsAt) || (a.kind + a.id < b.kind + b.id ? -1 : 1),
  );
