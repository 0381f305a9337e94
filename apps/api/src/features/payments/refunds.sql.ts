import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import type { CardRefunds } from '../../platform/tables.gen.ts';
import { tellWallet } from './wallet.sql.ts';

export async function insertRefund(tx: Tx, row: Insertable<CardRefunds>): Promise<void> {
  await tx.insertInto('card_refunds').values(row).execute();
  tellWallet(tx, row);
}

/** A refund with what the provider calls its charge. */
export const findRefund = (db: Db, refundId: string) =>
  db
    .selectFrom('card_refunds')
    .innerJoin('charges', 'charges.id', 'card_refunds.charge_id')
    .selectAll('card_refunds')
    .select('charges.provider_ref')
    .where('card_refunds.id', '=', refundId)
    .executeTakeFirst();

/** Ends a refund; false where it had ended before. */
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
  tellWallet(tx, updated);
  return updated !== undefined;
}

/** Counts a part of a charge as given back to its card, or no longer. */
export async function addRefunded(tx: Tx, chargeId: string, byMinor: number, at: Date): Promise<void> {
  await tx
    .updateTable('charges')
    .set({ refunded_minor: sql<number>`refunded_minor + ${byMinor}::bigint`, updated_at: at })
    .where('id', '=', chargeId)
    .returning('business_id')
    .executeTakeFirst()
    .then((updated) => tellWallet(tx, updated));
}

/** Refunds that the provider has not answered, and of which nothing was heard since. */
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
