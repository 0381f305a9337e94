import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import { emitRow } from '../../platform/emit-records.ts';
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
