import type { MemberRole } from '@nearhand/contract/operation';
import { type Insertable, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import type { AttendanceEvents } from '../../platform/tables.gen.ts';

export async function insertAttendance(tx: Tx, row: Insertable<AttendanceEvents>): Promise<void> {
  await tx.insertInto('attendance_events').values(row).execute();
}

/** Wrong codes entered for an engagement since then. */
export async function countWrongCodes(db: Db, engagementId: string, since: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from site_code_attempts where engagement_id = ${engagementId} and at > ${since}`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** How an account relates to the people at work on a job: its role in the business, and whether it was ever booked there itself. */
export async function findPartAtSite(
  db: Db,
  jobId: string,
  accountId: string,
): Promise<{ role: MemberRole | null; booked: boolean } | undefined> {
  const { rows } = await sql<{ role: MemberRole | null; booked: boolean }>`
    select (select role from business_members member
        where member.business_id = job.business_id and member.account_id = ${accountId}) as role,
      exists (select from engagements engagement
        where engagement.job_id = job.id and engagement.worker_id = ${accountId}) as booked
    from jobs job where job.id = ${jobId}`.execute(db);
  return rows[0];
}

export async function insertWrongCode(tx: Tx, engagementId: string, at: Date): Promise<void> {
  await tx.insertInto('site_code_attempts').values({ engagement_id: engagementId, at }).execute();
}

/** Whether an event of this kind and device time is stored. */
export async function hasEvent(db: Db, engagementId: string, kind: string, deviceAt: Date): Promise<boolean> {
  const { rows } = await sql`
    select 1 from attendance_events where engagement_id = ${engagementId} and kind = ${kind} and device_at = ${deviceAt} limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

/** The time of the last event; null without one. */
export async function findLastAt(db: Db, engagementId: string): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select max(at) as at from attendance_events where engagement_id = ${engagementId}`.execute(db);
  return rows[0]?.at ?? null;
}

/** For a removed account: where it checked in goes; how far from the place stays, since pay was settled by it. */
export async function forgetPositions(tx: Tx, accountId: string): Promise<void> {
  await sql`update attendance_events set lat = null, lng = null, accuracy_m = null
    where lat is not null and engagement_id in (select id from engagements where worker_id = ${accountId})`.execute(
    tx,
  );
}
