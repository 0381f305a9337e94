import type { Insertable, Selectable } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { emitOfBusiness } from '../../platform/emit-records.ts';
import type { CardRefunds } from '../../platform/tables.gen.ts';

export async function insertRefund(tx: Tx, row: Insertable<CardRefunds>): Promise<void> {
  await tx.insertInto('card_refunds').values(row).execute();
  emitOfBusiness(tx, 'wallet', row);
}

/** A refund with the provider's ref of its charge. */
export const findRefund = (db: Db, refundId: string) =>
  db
    .selectFrom('card_refunds')
    .innerJoin('charges', 'charges.id', 'card_refunds.charge_id')
    .selectAll('card_refunds')
    .select('charges.provider_ref')
    .where('card_refunds.id', '=', refundId)
    .executeTakeFirst();

/** Ends a refund; false if it had ended already. */
export async function endRefund(
  tx: Tx,
  refundId: string,
  status: 'sent' | 'failed',
  at: Date,
): Promise<boolean> {
  const updated = await tx
    .updateTable('card_refunds')
    .set({ status, updated_at: at })
    .where('id', '=', refundId)
    .where('status', '=', 'created')
    .returning('business_id')
    .executeTakeFirst();
  emitOfBusiness(tx, 'wallet', updated);
  return updated !== undefined;
}

/** Refunds without an answer since a moment. */
export const findWaitingRefunds = (
  db: Db,
  since: Date,
  limit: number,
): Promise<Pick<Selectable<CardRefunds>, 'id'>[]> =>
  db
    .selectFrom('card_refunds')
    .select('id')
    .where('status', '=', 'created')
    .where('updated_at', '<=', since)
    .orderBy('updated_at')
    .limit(limit)
    .execute();
