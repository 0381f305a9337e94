import { hourMs, minuteMs } from '@nearhand/contract/durations';
import type { MemberRole } from '@nearhand/contract/member-roles';
import type { CheckInAttempt, Engagement } from '@nearhand/contract/work/engagements';
import { type Insertable, sql } from 'kysely';
import { type FormerMember, withoutWords } from '../../platform/anonymise.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import type { AttendanceEvents, CheckInAttempts } from '../../platform/tables.gen.ts';
import { nextStep } from '../engagements/engagement-lines.ts';
import {
  changeEngagement,
  type EngagementRow,
  logEngagementNote,
  makeEngagementMove,
  openEngagement,
  requireActionMoment,
  requireContestable,
  requireEngagementMove,
} from '../engagements/engagement-transitions.ts';
import { viewEngagement } from '../engagements/engagement-views.ts';
import { notifyOfEngagement } from '../engagements/engagements.ts';
import { silentOutcomeNow } from '../settlement/pay-bounds.ts';

type Recorded = { engagementId: string; version: number; reason: string };

/**
 * Checks in a worker without a phone, now. For recruiters. The worker may contest it.
 * @throws engagement/not-found, engagement/not-allowed, engagement/stale, engagement/wrong-state, engagement/too-early,
 * engagement/too-late
 */
export async function checkInFor(tx: Tx, scope: Scope, input: Recorded): Promise<Engagement> {
  const { row, mover } = await openEngagement(tx, scope, {
    engagementId: input.engagementId,
    version: input.version,
    side: 'business',
    repeatOf: 'check-in-for',
  });
  if (requireEngagementMove(row, 'check-in-for', mover) === row.status)
    return viewEngagement(tx, scope, row.id);
  await requireActionMoment(tx, scope, row, 'check-in-for', mover.side);
  const now = scope.clock.now();
  const late = row.startsAt === null ? 0 : Math.floor((now.getTime() - row.startsAt.getTime()) / minuteMs);
  await saveRecorded(tx, scope, row, 'check_in', input.reason, late > 0 ? ['late'] : []);
  const came = { checkedInAt: now, checkedOutAt: null };
  await makeEngagementMove(tx, scope, row, 'check-in-for', mover, came, input.reason);
  await notifyOfRecord(tx, scope, row, 'check_in', input.reason);
  return viewEngagement(tx, scope, row.id);
}

/** Checks out a worker without a phone, now. For recruiters. */
export async function checkOutFor(tx: Tx, scope: Scope, input: Recorded): Promise<Engagement> {
  const { row, mover } = await openEngagement(tx, scope, {
    engagementId: input.engagementId,
    version: input.version,
    side: 'business',
    repeatOf: 'check-out-for',
  });
  if (requireEngagementMove(row, 'check-out-for', mover) === row.status)
    return viewEngagement(tx, scope, row.id);
  const now = scope.clock.now();
  const until = row.endsAt && new Date(row.endsAt.getTime() + scope.config.AUTO_SUBMIT_HOURS * hourMs);
  if (until && now > until) throw new AppError('engagement/too-late', { until: until.toISOString() });
  if (row.onBreakSince) await saveRecorded(tx, scope, row, 'break_end', input.reason, []);
  const early = row.endsAt !== null && now < row.endsAt;
  await saveRecorded(tx, scope, row, 'check_out', input.reason, early ? ['early'] : []);
  const left = { checkedOutAt: now, onBreakSince: null };
  await makeEngagementMove(tx, scope, row, 'check-out-for', mover, left, input.reason);
  await notifyOfRecord(tx, scope, row, 'check_out', input.reason);
  return viewEngagement(tx, scope, row.id);
}

/**
 * Contests a time that a recruiter recorded, until the hours are agreed; the time stays on the record. Idempotent.
 * @throws engagement/not-found, engagement/not-allowed, engagement/wrong-state, attendance/not-contestable
 */
export async function contestRecord(
  tx: Tx,
  scope: Scope,
  input: { engagementId: string; eventId: string; note: string },
): Promise<Engagement> {
  const { row, mover } = await openEngagement(tx, scope, {
    engagementId: input.engagementId,
    side: 'worker',
  });
  const event = await findEvent(tx, row.id, input.eventId);
  if (!event) throw new AppError('engagement/not-found');
  if (event.how !== 'manager') throw new AppError('attendance/not-contestable');
  if (event.contest !== null) {
    if (event.contest === input.note) return viewEngagement(tx, scope, row.id);
    throw new AppError('attendance/not-contestable');
  }
  requireContestable(row);
  const now = scope.clock.now();
  await contestEvent(tx, event.id, input.note, now);
  // A new version, so that nobody approves an older one. A
  // contested record no longer decides a counter-proposal (ADR 43).
  const silence =
    row.status === 'counter_proposed' && row.nextAt
      ? nextStep({ ...(await silentOutcomeNow(tx, row)), at: row.nextAt })
      : {};
  await changeEngagement(tx, scope, row, silence);
  await logEngagementNote(tx, scope, row, mover, { action: 'contest-record', reason: input.note });
  await notifyOfEngagement(tx, scope, row.id, {
    recruiters: 'engagement-time-contested',
    event: event.id,
    data: { what: event.kind, reason: input.note },
  });
  return viewEngagement(tx, scope, row.id);
}

async function saveRecorded(
  tx: Tx,
  scope: Scope,
  row: EngagementRow,
  kind: 'check_in' | 'break_end' | 'check_out',
  reason: string,
  flags: string[],
): Promise<void> {
  const now = scope.clock.now();
  await insertAttendance(tx, {
    id: newId(now),
    engagementId: row.id,
    kind,
    how: 'manager',
    reason,
    flags,
    at: now,
    receivedAt: now,
    deviceAt: now,
  });
}

const notifyOfRecord = (
  tx: Tx,
  scope: Scope,
  row: EngagementRow,
  what: 'check_in' | 'check_out',
  reason: string,
): Promise<void> =>
  notifyOfEngagement(tx, scope, row.id, {
    worker: 'engagement-time-recorded',
    event: `${row.id}/${row.version}`,
    data: { what, reason },
  });

export async function insertAttendance(tx: Tx, row: Insertable<AttendanceEvents>): Promise<void> {
  await tx.insertInto('attendance_events').values(row).execute();
}

/** Kept by the refusal, at most as many as a case shows. */
export async function insertAttempt(
  tx: Tx,
  row: Insertable<CheckInAttempts> & { engagementId: string },
): Promise<void> {
  const attempts = await attemptsOf(tx, row.engagementId);
  if (attempts.length < attemptsKept) await tx.insertInto('check_in_attempts').values(row).execute();
}

const attemptsKept = 20;

/** Check-ins refused as too far away, in order. */
export async function attemptsOf(db: Db, engagementId: string): Promise<CheckInAttempt[]> {
  const rows = await db
    .selectFrom('check_in_attempts')
    .select(['id', 'at', 'receivedAt', 'distanceM', 'accuracyM', 'allowedM'])
    .where('engagementId', '=', engagementId)
    .orderBy('at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    ...row,
    at: row.at.toISOString(),
    receivedAt: row.receivedAt.toISOString(),
  }));
}

export async function countWrongCodes(db: Db, engagementId: string, since: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from site_code_attempts where engagement_id = ${engagementId} and at > ${since}`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** The jobs of a branch share one check-in code, shown on one device. */
const siteOfJob = sql`coalesce(job.branch_id, job.id)`;

export async function findSite(db: Db, jobId: string): Promise<string> {
  const { rows } = await sql<{
    site: string;
  }>`select ${siteOfJob} as site from jobs job where job.id = ${jobId}`.execute(db);
  return rows[0]?.site ?? jobId;
}

/** The account's role in the business, and whether it was ever booked there. `site` owns the check-in code. */
export async function findPartAtSite(
  db: Db,
  jobId: string,
  accountId: string,
): Promise<{ role: MemberRole | null; booked: boolean; site: string } | undefined> {
  const { rows } = await sql<{ role: MemberRole | null; booked: boolean; site: string }>`
    select (select role from job_members member
        where member.job_id = job.id and member.account_id = ${accountId}) as role,
      exists (select from engagements engagement
        where engagement.job_id = job.id and engagement.worker_id = ${accountId}) as booked, ${siteOfJob} as site
    from jobs job where job.id = ${jobId}`.execute(db);
  return rows[0];
}

export async function insertWrongCode(tx: Tx, engagementId: string, at: Date): Promise<void> {
  await tx.insertInto('site_code_attempts').values({ engagementId, at }).execute();
}

export async function hasEvent(db: Db, engagementId: string, kind: string, deviceAt: Date): Promise<boolean> {
  const { rows } = await sql`
    select 1 from attendance_events where engagement_id = ${engagementId} and kind = ${kind} and device_at = ${deviceAt} limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

const findEvent = (db: Db, engagementId: string, eventId: string) =>
  db
    .selectFrom('attendance_events')
    .select(['id', 'kind', 'how', 'contest'])
    .where('engagementId', '=', engagementId)
    .where('id', '=', eventId)
    .executeTakeFirst();

async function contestEvent(tx: Tx, eventId: string, contest: string, at: Date): Promise<void> {
  await tx
    .updateTable('attendance_events')
    .set({ contest, contestedAt: at })
    .where('id', '=', eventId)
    .execute();
}

export async function findLastAt(db: Db, engagementId: string): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select max(at) as at from attendance_events where engagement_id = ${engagementId}`.execute(db);
  return rows[0]?.at ?? null;
}

/** Deletes a removed account's positions; the distance stays, since pay was settled by it. */
export async function forgetPositions(tx: Tx, member: FormerMember): Promise<void> {
  await sql`update attendance_events set lat = null, lng = null, accuracy_m = null,
      reason = ${withoutWords('reason', member)}, contest = ${withoutWords('contest', member)}
    where (lat is not null or reason is not null)
      and engagement_id in (select id from engagements where worker_id = ${member.accountId})`.execute(tx);
}
