import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import { emitRow } from '../../platform/emit-records.ts';
import { type FormerMember, withoutWords } from '../../platform/former-member.ts';
import type { Tips } from '../../platform/tables.gen.ts';

export type TipRow = Selectable<Tips>;

export async function insertTip(tx: Tx, row: Insertable<Tips>): Promise<void> {
  await tx.insertInto('tips').values(row).execute();
  notifyOfTip(tx, row);
}

export const lockTip = (tx: Tx, tipId: string): Promise<TipRow | undefined> =>
  tx.selectFrom('tips').selectAll().where('id', '=', tipId).forUpdate().executeTakeFirst();

export async function updateTip(tx: Tx, tipId: string, set: Updateable<Tips>): Promise<void> {
  const updated = await tx
    .updateTable('tips')
    .set(set)
    .where('id', '=', tipId)
    .returning(['engagement_id', 'worker_id', 'business_id', 'status'])
    .executeTakeFirst();
  if (updated) notifyOfTip(tx, updated);
}

/** Shown with its engagement; the worker sees it once it is paid. */
function notifyOfTip(
  tx: Tx,
  { engagement_id, ...row }: Pick<Selectable<Tips>, 'engagement_id' | 'worker_id' | 'business_id' | 'status'>,
): void {
  emitRow(tx, 'engagement', {
    ...row,
    id: engagement_id,
    worker_id: row.status === 'paid' ? row.worker_id : null,
  });
}

/** For a removed account: notes with its tips lose its name. */
export async function forgetTips(tx: Tx, member: FormerMember): Promise<void> {
  await sql`update tips set note = ${withoutWords('note', member)} where note <> '' and engagement_id in (
    select id from engagements where worker_id = ${member.accountId})`.execute(tx);
}
