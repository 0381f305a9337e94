import { type Insertable, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import type { AttendanceEvents } from '../../platform/tables.gen.ts';

/** What was recorded of an engagement, in the order in which it happened. */
export async function findAttendance(db: Db, engagementId: string) {
  return db
    .selectFrom('attendance_events')
    .selectAll()
    .where('engagement_id', '=', engagementId)
    .orderBy('at')
    .orderBy('id')
    .execute();
}

export async function insertAttendance(tx: Tx, row: Insertable<AttendanceEvents>): Promise<void> {
  await tx.insertInto('attendance_events').values(row).execute();
}

/** Wrong codes tried for an engagement since then. */
export async function countWrongCodes(db: Db, engagementId: string, since: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from site_code_attempts where engagement_id = ${engagementId} and at > ${since}`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

export async function insertWrongCode(tx: Tx, engagementId: string, at: Date): Promise<void> {
  await tx.insertInto('site_code_attempts').values({ engagement_id: engagementId, at }).execute();
}

/** Whether an event of this kind and moment of the device is kept. */
export async function hasEvent(db: Db, engagementId: string, kind: string, deviceAt: Date): Promise<boolean> {
  const { rows } = await sql`
    select 1 from attendance_events where engagement_id = ${engagementId} and kind = ${kind} and device_at = ${deviceAt} limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

/** When the last thing happened that was recorded; null where nothing was. */
export async function findLastAt(db: Db, engagementId: string): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select max(at) as at from attendance_events where engagement_id = ${engagementId}`.execute(db);
  return rows[0]?.at ?? null;
}
