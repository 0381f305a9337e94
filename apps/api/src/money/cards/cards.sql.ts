import type { PaymentFailure } from '@nearhand/contract/money/charges';
import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { emitOfBusiness } from '../../platform/emit-records.ts';
import type { Cards } from '../../platform/tables.gen.ts';

export type CardRow = Selectable<Cards> & { declined: boolean };

/** Failures that the card itself causes, so that trying it again is no use. */
const cardFailures = [
  'card_declined',
  'insufficient_funds',
  'card_expired',
  'account_closed',
  'bank_rejected',
  'limit_exceeded',
] as const satisfies readonly PaymentFailure[];

const cardRows = (db: Db) =>
  db
    .selectFrom('cards')
    .selectAll('cards')
    .select(
      sql<boolean>`coalesce((select charge.failure = any(${[...cardFailures]}) from charges charge
        where charge.card_id = cards.id and charge.status in ('succeeded', 'failed')
        order by charge.created_at desc, charge.id desc limit 1), false)`.as('declined'),
    );

/** Businesses have few cards; no more than this are listed. */
const maxListed = 50;

/** Serializes card changes of a business, so that there is one default. */
export async function lockCards(tx: Tx, businessId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`cards/${businessId}`}, 0))`.execute(tx);
}

/** Saves a card; false if the provider's ref exists already. */
export async function insertCard(tx: Tx, row: Insertable<Cards>): Promise<boolean> {
  const inserted = await tx
    .insertInto('cards')
    .values(row)
    .onConflict((conflict) => conflict.column('provider_ref').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (inserted) emitOfBusiness(tx, 'wallet', row);
  return inserted !== undefined;
}

export const findCard = (db: Db, cardId: string): Promise<CardRow | undefined> =>
  cardRows(db).where('id', '=', cardId).executeTakeFirst();

export const findCardByRef = (db: Db, ref: string): Promise<CardRow | undefined> =>
  cardRows(db).where('provider_ref', '=', ref).executeTakeFirst();

/** The saved cards of a business, the default first, then the newest. */
export const listCards = (db: Db, businessId: string): Promise<CardRow[]> =>
  cardRows(db)
    .where('business_id', '=', businessId)
    .where('removed_at', 'is', null)
    .orderBy('is_default', 'desc')
    .orderBy('added_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxListed)
    .execute();

export const findDefaultCard = (db: Db, businessId: string): Promise<CardRow | undefined> =>
  cardRows(db)
    .where('business_id', '=', businessId)
    .where('is_default', '=', true)
    .where('removed_at', 'is', null)
    .executeTakeFirst();

/** Makes one card of a business the only default. */
export async function setDefaultCard(tx: Tx, businessId: string, cardId: string): Promise<void> {
  await tx
    .updateTable('cards')
    .set({ is_default: false })
    .where('business_id', '=', businessId)
    .where('is_default', '=', true)
    .where('id', '<>', cardId)
    .execute();
  await tx.updateTable('cards').set({ is_default: true }).where('id', '=', cardId).execute();
  emitOfBusiness(tx, 'wallet', { business_id: businessId });
}

export async function removeCardRow(tx: Tx, cardId: string, at: Date): Promise<void> {
  const removed = await tx
    .updateTable('cards')
    .set({ removed_at: at, is_default: false })
    .where('id', '=', cardId)
    .where('removed_at', 'is', null)
    .returning('business_id')
    .executeTakeFirst();
  emitOfBusiness(tx, 'wallet', removed);
}
