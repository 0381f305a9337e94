import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import type { Tips } from '../../platform/tables.gen.ts';

export type TipRow = Selectable<Tips>;

export async function insertTip(tx: Tx, row: Insertable<Tips>): Promise<void> {
  await tx.insertInto('tips').values(row).execute();
}

export const lockTip = (tx: Tx, tipId: string): Promise<TipRow | undefined> =>
  tx.selectFrom('tips').selectAll().where('id', '=', tipId).forUpdate().executeTakeFirst();

export async function updateTip(tx: Tx, tipId: string, set: Updateable<Tips>): Promise<void> {
  await tx.updateTable('tips').set(set).where('id', '=', tipId).execute();
}
