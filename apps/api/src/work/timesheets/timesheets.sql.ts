import { type Insertable, sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import type { Deliveries, HoursClaims } from '../../platform/tables.gen.ts';

export async function insertClaim(tx: Tx, row: Insertable<HoursClaims>): Promise<void> {
  await tx.insertInto('hours_claims').values(row).execute();
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

/** Stores the requested changes on the latest delivery. */
export async function setChangesAsked(tx: Tx, engagementId: string, note: string, now: Date): Promise<void> {
  await sql`update deliveries set changes_note = ${note}, changes_at = ${now}
    where engagement_id = ${engagementId}
      and round = (select max(round) from deliveries latest where latest.engagement_id = ${engagementId})`.execute(
    tx,
  );
}
