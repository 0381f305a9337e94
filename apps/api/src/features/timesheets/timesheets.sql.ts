import type { StoredFile } from '@nearhand/contract/files';
import { type Insertable, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import type { Deliveries, HoursClaims } from '../../platform/tables.gen.ts';
import type { AttendanceFact } from './timesheets.rules.ts';

export async function insertClaim(tx: Tx, row: Insertable<HoursClaims>): Promise<void> {
  await tx.insertInto('hours_claims').values(row).execute();
}

/** All claims of an engagement, first put first. */
export async function findClaims(db: Db, engagementId: string) {
  return db
    .selectFrom('hours_claims')
    .selectAll()
    .where('engagement_id', '=', engagementId)
    .orderBy('at')
    .orderBy('id')
    .execute();
}

/** What was recorded at the place, in its order. */
export async function findAttendance(db: Db, engagementId: string): Promise<AttendanceFact[]> {
  const events = await db
    .selectFrom('attendance_events')
    .select(['kind', 'at'])
    .where('engagement_id', '=', engagementId)
    .orderBy('at')
    .orderBy('id')
    .execute();
  return events as AttendanceFact[];
}

export async function insertDelivery(
  tx: Tx,
  row: Insertable<Deliveries>,
  fileIds: readonly string[],
): Promise<void> {
  await tx.insertInto('deliveries').values(row).execute();
  if (fileIds.length > 0)
    await tx
      .insertInto('delivery_files')
      .values(fileIds.map((file_id, position) => ({ delivery_id: row.id, file_id, position })))
      .execute();
}

export type DeliveredFile = Pick<StoredFile, 'id' | 'purpose' | 'name' | 'bytes'> & { media_type: string };

/** The deliveries of a task with their files, first round first. */
export async function findDeliveries(db: Db, engagementId: string) {
  const { rows } = await sql<{
    id: string;
    round: number;
    note: string;
    at: Date;
    changes_note: string | null;
    changes_at: Date | null;
    files: DeliveredFile[];
  }>`
    select delivery.id, delivery.round, delivery.note, delivery.at, delivery.changes_note, delivery.changes_at,
      coalesce((select json_agg(json_build_object('id', file.id, 'purpose', file.purpose, 'name', file.name, 'media_type', file.media_type,
        'bytes', file.bytes) order by link.position)
        from delivery_files link join files file on file.id = link.file_id where link.delivery_id = delivery.id), '[]') as files
    from deliveries delivery where delivery.engagement_id = ${engagementId} order by delivery.round`.execute(
    db,
  );
  return rows;
}

/** Notes on the latest delivery what is to be changed. */
export async function setChangesAsked(tx: Tx, engagementId: string, note: string, now: Date): Promise<void> {
  await sql`update deliveries set changes_note = ${note}, changes_at = ${now}
    where engagement_id = ${engagementId}
      and round = (select max(round) from deliveries latest where latest.engagement_id = ${engagementId})`.execute(
    tx,
  );
}
