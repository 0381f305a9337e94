import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import type { Tips } from '../../platform/tables.gen.ts';
import { tellRow } from '../../platform/tell-records.ts';

export type TipRow = Selectable<Tips>;

export async function insertTip(tx: Tx, row: Insertable<Tips>): Promise<void> {
  await tx.insertInto('tips').values(row).execute();
  tellTip(tx, row);
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
  if (updated) tellTip(tx, updated);
}

/** It is shown with its engagement; its worker learns of it when it is paid. */
function tellTip(
  tx: Tx,
  { engagement_id, ...row }: Pick<Selectable<Tips>, 'engagement_id' | 'worker_id' | 'business_id' | 'status'>,
): void {
  tellRow(tx, 'engagement', {
    ...row,
    id: engagement_id,
    worker_id: row.status === 'paid' ? row.worker_id : null,
  });
}
