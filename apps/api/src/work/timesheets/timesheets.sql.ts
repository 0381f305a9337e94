import { type Insertable, sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import { emitRows } from '../../platform/emit-records.ts';
import { type FormerMember, withoutWords } from '../../platform/former-member.ts';
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

/** For a removed account: notes on hours and deliveries lose its name. */
export async function forgetTimesheets(tx: Tx, member: FormerMember): Promise<void> {
  const own = sql`engagement_id in (select id from engagements where worker_id = ${member.accountId})`;
  await sql`update hours_claims set note = ${withoutWords('note', member)} where note <> '' and ${own}`.execute(
    tx,
  );
  const { rows } = await sql<{ id: string; worker_id: string; business_id: string; job_id: string }>`
    with changed as (
      update deliveries set note = ${withoutWords('note', member)}, changes_note = ${withoutWords('changes_note', member)}
      where ${own} returning engagement_id)
    select id, worker_id, business_id, job_id from engagements where id in (select engagement_id from changed)`.execute(
    tx,
  );
  emitRows(tx, 'engagement', rows);
}
