import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import type { Charges } from '../../platform/tables.gen.ts';
import { tellWallet } from './wallet.sql.ts';

export type ChargeRow = Selectable<Charges>;

export async function insertCharge(tx: Tx, row: Insertable<Charges>): Promise<void> {
  await tx.insertInto('charges').values(row).execute();
  tellWallet(tx, row);
}

export const findCharge = (db: Db, chargeId: string): Promise<ChargeRow | undefined> =>
  db.selectFrom('charges').selectAll().where('id', '=', chargeId).executeTakeFirst();

/** A charge with what its card may be shown by. */
export const findShownCharge = (db: Db, chargeId: string) =>
  db
    .selectFrom('charges')
    .innerJoin('cards', 'cards.id', 'charges.card_id')
    .selectAll('charges')
    .select('cards.last4')
    .where('charges.id', '=', chargeId)
    .executeTakeFirst();

/** The newest charge of each of these holds or tips. */
export const findLastCharges = (db: Db, subjectIds: readonly string[]) =>
  db
    .selectFrom('charges')
    .innerJoin('cards', 'cards.id', 'charges.card_id')
    .distinctOn('charges.subject_id')
    .selectAll('charges')
    .select('cards.last4')
    .where('charges.subject_id', 'in', [...subjectIds])
    .orderBy('charges.subject_id')
    .orderBy('charges.created_at', 'desc')
    .orderBy('charges.id', 'desc')
    .execute();

export const findChargeByRef = (db: Db, ref: string) =>
  db.selectFrom('charges').select('id').where('provider_ref', '=', ref).executeTakeFirst();

/** One caller at a time for a charge, before anything else is locked: what follows locks holds, offers and jobs in their own order, the charge's row last. */
export async function takeTurn(tx: Tx, chargeId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`charge/${chargeId}`}, 0))`.execute(tx);
}

export const lockCharge = (tx: Tx, chargeId: string): Promise<ChargeRow | undefined> =>
  tx.selectFrom('charges').selectAll().where('id', '=', chargeId).forUpdate().executeTakeFirst();

export async function updateCharge(tx: Tx, chargeId: string, set: Updateable<Charges>): Promise<void> {
  const updated = await tx
    .updateTable('charges')
    .set(set)
    .where('id', '=', chargeId)
    .returning('business_id')
    .executeTakeFirst();
  tellWallet(tx, updated);
}

/** Marks that the provider is asked now, unless nobody wants the charge any more; false then. */
export async function markAsked(tx: Tx, chargeId: string, at: Date): Promise<boolean> {
  const updated = await tx
    .updateTable('charges')
    .set((eb) => ({ asked_at: eb.fn.coalesce('asked_at', eb.val(at)) }))
    .where('id', '=', chargeId)
    .where('status', '=', 'created')
    .where((eb) => eb.or([eb('cancel_at', 'is', null), eb('asked_at', 'is not', null)]))
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}

/** Marks the open charges of a hold or tip as wanted by nobody any more; their ids. */
export async function markUnwanted(
  tx: Tx,
  subjectId: string,
  purpose: string | null,
  at: Date,
): Promise<string[]> {
  const rows = await tx
    .updateTable('charges')
    .set({ cancel_at: at })
    .where('subject_id', '=', subjectId)
    .where('status', 'in', ['created', 'processing', 'requires_action'])
    .where('cancel_at', 'is', null)
    .$if(purpose !== null, (query) => query.where('purpose', '=', purpose ?? ''))
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Gives up a charge that the provider was never asked for; true when it was one. */
export async function giveUpUnasked(tx: Tx, chargeId: string, at: Date): Promise<boolean> {
  const updated = await tx
    .updateTable('charges')
    .set({ status: 'cancelled', updated_at: at })
    .where('id', '=', chargeId)
    .where('status', '=', 'created')
    .where('asked_at', 'is', null)
    .returning('business_id')
    .executeTakeFirst();
  tellWallet(tx, updated);
  return updated !== undefined;
}

/** Charges that are not over and of which nothing was heard since; by id, a page at a time. */
export const findUnsettled = (db: Db, since: Date, afterId: string, limit: number) =>
  db
    .selectFrom('charges')
    .selectAll()
    .where('status', 'in', ['created', 'processing', 'requires_action'])
    .where('updated_at', '<=', since)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .execute();

/** No more are touched by one refund; what is left can be asked for again. */
const mostRefunded = 200;

/** Charges whose money may go back to their card, newest first and locked: taken, not disputed, and not a tip that somebody was given. */
export const lockRefundable = (tx: Tx, businessId: string, currency: string): Promise<ChargeRow[]> =>
  tx
    .selectFrom('charges')
    .selectAll()
    .where('business_id', '=', businessId)
    .where('currency', '=', currency)
    .where('status', '=', 'succeeded')
    .where((eb) => eb.or([eb('chargeback', 'is', null), eb('chargeback', '=', 'won')]))
    .where((eb) => eb.or([eb('purpose', '<>', 'tip'), eb('landed', '=', 'balance')]))
    .whereRef('refunded_minor', '<', 'amount_minor')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(mostRefunded)
    .forUpdate()
    .execute();

/** How many charges of a hold are disputed and not decided. */
export async function countOpenChargebacks(db: Db, holdId: string): Promise<number> {
  const row = await db
    .selectFrom('charges')
    .select((eb) => eb.fn.countAll<number>().as('open'))
    .where('subject_id', '=', holdId)
    .where('chargeback', '=', 'open')
    .executeTakeFirst();
  return row?.open ?? 0;
}
