import type { MemberRole } from '@nearhand/contract/member-roles';
import type { CheckInAttempt } from '@nearhand/contract/work/engagements';
import { type Insertable, sql } from 'kysely';
import { type FormerMember, withoutWords } from '../../platform/anonymise.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { AttendanceEvents, CheckInAttempts } from '../../platform/tables.gen.ts';

export async function insertAttendance(tx: Tx, row: Insertable<AttendanceEvents>): Promise<void> {
  await tx.insertInto('attendance_events').values(row).execute();
}

/** Inserts a refused check-in, which is committed with the refusal; at most as many as a case shows. */
export async function insertAttempt(
  tx: Tx,
  row: Insertable<CheckInAttempts> & { engagementId: string },
): Promise<void> {
  const attempts = await attemptsOf(tx, row.engagementId);
  if (attempts.length < attemptsMax) await tx.insertInto('check_in_attempts').values(row).execute();
}

const attemptsMax = 20;

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

/** Check-ins refused for a wrong code, in order; at most as many as a case shows. */
export async function wrongCodesOf(
  db: Db,
  engagementId: string,
): Promise<{ at: string; onKiosk: boolean }[]> {
  const rows = await db
    .selectFrom('site_code_attempts')
    .select(['at', 'onKiosk'])
    .where('engagementId', '=', engagementId)
    .orderBy('at')
    .limit(attemptsMax)
    .execute();
  return rows.map(({ at, onKiosk }) => ({ at: at.toISOString(), onKiosk }));
}

/** Counts wrong codes since a time, on the phone or on the tablet. */
export async function countWrongCodes(
  db: Db,
  engagementId: string,
  { since, onKiosk }: { since: Date; onKiosk: boolean },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from site_code_attempts
    where engagement_id = ${engagementId} and at > ${since} and on_kiosk = ${onKiosk}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** The jobs of a branch share one check-in code, shown on one device. */
const siteOfJob = sql`coalesce(job.branch_id, job.id)`;

/**
 * Finds the sites whose codes count for a job: its branch, and the job itself, for a device that read its codes ahead
 * before the job got the branch.
 */
export async function findSites(db: Db, jobId: string): Promise<string[]> {
  const { rows } = await sql<{
    site: string;
  }>`select ${siteOfJob} as site from jobs job where job.id = ${jobId}`.execute(db);
  return [...new Set([...rows.map(({ site }) => site), jobId])];
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

export async function insertWrongCode(
  tx: Tx,
  attempt: { engagementId: string; at: Date; onKiosk: boolean },
): Promise<void> {
  await tx.insertInto('site_code_attempts').values(attempt).execute();
}

/** Returns whether this event was stored before, so that a resent one is not stored twice. */
export async function hasEvent(db: Db, engagementId: string, kind: string, deviceAt: Date): Promise<boolean> {
  const { rows } = await sql`
    select 1 from attendance_events where engagement_id = ${engagementId} and kind = ${kind} and device_at = ${deviceAt} limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

export const findEvent = (db: Db, engagementId: string, eventId: string) =>
  db
    .selectFrom('attendance_events')
    .select(['id', 'kind', 'how', 'contest'])
    .where('engagementId', '=', engagementId)
    .where('id', '=', eventId)
    .executeTakeFirst();

export async function contestEvent(tx: Tx, eventId: string, contest: string, at: Date): Promise<void> {
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
export async function erasePositions(tx: Tx, member: FormerMember): Promise<void> {
  await sql`update attendance_events set lat = null, lng = null, accuracy_m = null,
      reason = ${withoutWords('reason', member)}, contest = ${withoutWords('contest', member)}
    where (lat is not null or reason is not null)
      and engagement_id in (select id from engagements where worker_id = ${member.accountId})`.execute(tx);
}
