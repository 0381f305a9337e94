import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { emitOfBusiness } from '../../platform/emit-records.ts';
import type { Charges } from '../../platform/tables.gen.ts';

export type ChargeRow = Selectable<Charges>;

export async function insertCharge(tx: Tx, row: Insertable<Charges>): Promise<void> {
  await tx.insertInto('charges').values(row).execute();
  emitOfBusiness(tx, 'wallet', row);
}

export const findCharge = (db: Db, chargeId: string): Promise<ChargeRow | undefined> =>
  db.selectFrom('charges').selectAll().where('id', '=', chargeId).executeTakeFirst();

/** A charge with the last four digits of its card. */
export const findShownCharge = (db: Db, chargeId: string) =>
  db
    .selectFrom('charges')
    .innerJoin('cards', 'cards.id', 'charges.card_id')
    .selectAll('charges')
    .select('cards.last4')
    .where('charges.id', '=', chargeId)
    .executeTakeFirst();

/** The job that a charge pays for; null for a top-up. */
export async function findJobOfCharge(db: Db, subjectId: string | null): Promise<string | null> {
  const { rows } = await sql<{ job_id: string | null }>`
    select coalesce((select job_id from holds where id = ${subjectId}::uuid),
      (select work.job_id from tips join engagements work on work.id = tips.engagement_id where tips.id = ${subjectId}::uuid)) as job_id`.execute(
    db,
  );
  return rows[0]?.job_id ?? null;
}

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

/** Serializes work on a charge before anything else is locked: holds, offers and jobs follow in their own order, the charge's row last. */
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
  emitOfBusiness(tx, 'wallet', updated);
}

/** Marks that the provider is being asked; false if the charge was cancelled. */
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

/** Marks the open charges of a hold or tip as cancelled; returns their ids. */
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

/** Cancels a charge that the provider was never asked for; true if it was one. */
export async function giveUpUnasked(tx: Tx, chargeId: string, at: Date): Promise<boolean> {
  const updated = await tx
    .updateTable('charges')
    .set({ status: 'cancelled', updated_at: at })
    .where('id', '=', chargeId)
    .where('status', '=', 'created')
    .where('asked_at', 'is', null)
    .returning('business_id')
    .executeTakeFirst();
  emitOfBusiness(tx, 'wallet', updated);
  return updated !== undefined;
}

/** Unfinished charges without news since a moment, by id, a page at a time. */
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

/** The most charges one refund touches; the rest can be refunded by another. */
const maxRefunded = 200;

/** Charges that can be refunded, newest first and locked: paid, not disputed, and not a paid tip. */
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
    .limit(maxRefunded)
    .forUpdate()
    .execute();

/** Number of undecided chargebacks of a hold. */
export async function countOpenChargebacks(db: Db, holdId: string): Promise<number> {
  const row = await db
    .selectFrom('charges')
    .select((eb) => eb.fn.countAll<number>().as('open'))
    .where('subject_id', '=', holdId)
    .where('chargeback', '=', 'open')
    .executeTakeFirst();
  return row?.open ?? 0;
}

/** Adds to the refunded part of a charge; a negative amount takes it back. */
export async function addRefunded(tx: Tx, chargeId: string, byMinor: number, at: Date): Promise<void> {
  await tx
    .updateTable('charges')
    .set({ refunded_minor: sql<number>`refunded_minor + ${byMinor}::bigint`, updated_at: at })
    .where('id', '=', chargeId)
    .returning('business_id')
    .executeTakeFirst()
    .then((updated) => emitOfBusiness(tx, 'wallet', updated));
}
