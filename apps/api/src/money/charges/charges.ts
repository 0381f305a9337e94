import type { Currency } from '@nearhand/contract/currencies';
import type { Charge, PaymentFailure } from '@nearhand/contract/money/charges';
import { roleMay } from '@nearhand/contract/people/team.rules';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { z } from 'zod';
import { branchLimitOf } from '../../people/businesses/businesses.ts';
import { findRole, findRoleAt } from '../../people/businesses/members.sql.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Actor, ClockScope, Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { emitOfBusiness } from '../../platform/realtime/publish-records.ts';
import type { Charges } from '../../platform/tables.gen.ts';
import { enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { requireCard } from '../cards/cards.ts';

export type ChargePurpose = Charge['purpose'];

export type ChargeFacts = {
  id: string;
  businessId: string;
  cardId: string;
  purpose: ChargePurpose;
  subjectId: string | null;
  amountMinor: number;
  currency: Currency;
  failure: PaymentFailure | null;
  createdBy: string | null;
};

/** The part of a charge that its purpose (hold, tip, top-up) needs. */
export const chargeFactsOf = (row: ChargeRow): ChargeFacts => ({
  id: row.id,
  businessId: row.businessId,
  cardId: row.cardId,
  purpose: row.purpose,
  subjectId: row.subjectId,
  amountMinor: row.amountMinor,
  currency: row.currency,
  failure: row.failure as PaymentFailure | null,
  createdBy: row.createdBy,
});

export type PaidCharge = { id: string; amountMinor: number; currency: Currency };

export type Landed = 'subject' | 'balance';

export type ChargeRequest = {
  businessId: string;
  cardId: string;
  purpose: ChargePurpose;
  subjectId: string | null;
  amountMinor: number;
  currency: Currency;
  description: string;
  /** The app path to return to after confirmation; starts with a slash. */
  returnPath: string;
};

/**
 * Creates a charge and queues its task. The caller checks who may spend.
 * @throws payment/card-not-found, payment/too-little (data: minMinor, currency)
 */
export async function startCharge(
  tx: Tx,
  scope: Pick<Scope, 'clock' | 'provider'> & { actor?: Actor | null },
  request: ChargeRequest,
): Promise<{ chargeId: string }> {
  const minMinor = scope.provider.chargeMin(request.currency);
  if (request.amountMinor < minMinor)
    throw new AppError('payment/too-little', { minMinor, currency: request.currency });
  const card = await requireCard(tx, request.businessId, request.cardId);
  const now = scope.clock.now();
  const chargeId = newId(now);
  await insertCharge(tx, {
    id: chargeId,
    businessId: request.businessId,
    cardId: card.id,
    purpose: request.purpose,
    subjectId: request.subjectId,
    status: 'created',
    amountMinor: request.amountMinor,
    currency: request.currency,
    description: request.description,
    returnPath: request.returnPath,
    createdBy: scope.actor?.accountId ?? null,
    createdAt: now,
    updatedAt: now,
  });
  await enqueue(tx, askTask, { chargeId }, { key: askKey(chargeId) });
  return { chargeId };
}

/**
 * Returns a charge; the caller checks who may see it.
 * @throws payment/not-found
 */
export async function viewCharge(db: Db, chargeId: string): Promise<Charge> {
  const row = await findShownCharge(db, chargeId);
  if (!row) throw new AppError('payment/not-found');
  return toCharge(row);
}

/** A second request while the card is being charged would be a duplicate. */
export const isBeingAsked = ({ status }: Charge): boolean => status === 'created' || status === 'processing';

/** Returns the newest charge of a hold, tip or top-up; null if there is none. */
export async function lastChargeOf(db: Db, subjectId: string): Promise<Charge | null> {
  return (await lastChargesOf(db, [subjectId])).get(subjectId) ?? null;
}

async function lastChargesOf(db: Db, subjectIds: readonly string[]): Promise<Map<string, Charge>> {
  if (subjectIds.length === 0) return new Map();
  const rows = await findLastCharges(db, subjectIds);
  return new Map(rows.map((row) => [row.subjectId ?? '', toCharge(row)]));
}

/** Cancels the open charges of a hold or tip. Money taken anyway goes to the balance. */
export async function cancelChargeOf(
  tx: Tx,
  scope: ClockScope,
  subjectId: string,
  purpose?: ChargePurpose,
): Promise<void> {
  for (const chargeId of await markUnwanted(tx, subjectId, purpose ?? null, scope.clock.now()))
    await enqueue(tx, cancelChargeTask, { chargeId }, { key: cancelKey(chargeId) });
}

/** Returns a charge to members of its business who see its job and the saved cards. */
export async function getCharge(db: Db, scope: Scope, { chargeId }: { chargeId: string }): Promise<Charge> {
  const row = await findShownCharge(db, chargeId);
  if (!row || !(await seesCharge(db, row, scope.actor.accountId))) throw new AppError('payment/not-found');
  return toCharge(row);
}

/** A payment for a job needs access to the job; a top-up needs access to the whole business. Both show a card. */
async function seesCharge(db: Db, row: ChargeRow, accountId: string): Promise<boolean> {
  const jobId = await findJobOfCharge(db, row.subjectId);
  if (jobId !== null) return roleMay(await findRoleAt(db, jobId, accountId), 'view-money');
  const role = await findRole(db, row.businessId, accountId);
  return roleMay(role, 'view-money') && (await branchLimitOf(db, row.businessId, accountId)) === null;
}

const toCharge = (row: ChargeRow & { brand: string; last4: string }): Charge => ({
  id: row.id,
  purpose: row.purpose,
  status: row.status,
  amountMinor: row.amountMinor,
  currency: row.currency,
  cardBrand: row.brand,
  cardLast4: row.last4,
  failure: row.failure as PaymentFailure | null,
  actionUrl: row.status === 'requires_action' ? row.actionUrl : null,
  createdAt: row.createdAt.toISOString(),
});

export type OutcomeScope = Pick<TaskScope, 'clock' | 'config' | 'log' | 'provider' | 'sign' | 'unmailed'>;

const chargePayload = z.object({ chargeId: z.uuid() });

export const askTask = { name: 'payments.charge', payload: chargePayload };
export const cancelChargeTask = { name: 'payments.cancel-charge', payload: chargePayload };
export const refundTask = { name: 'payments.refund', payload: z.object({ refundId: z.uuid() }) };

export const askKey = (chargeId: string): string => `${askTask.name}/${chargeId}`;
export const cancelKey = (chargeId: string): string => `${cancelChargeTask.name}/${chargeId}`;
export const refundKey = (refundId: string): string => `${refundTask.name}/${refundId}`;

export type ChargeRow = Selectable<Charges>;

async function insertCharge(tx: Tx, row: Insertable<Charges>): Promise<void> {
  await tx.insertInto('charges').values(row).execute();
  emitOfBusiness(tx, 'wallet', row);
}

export const findCharge = (db: Db, chargeId: string): Promise<ChargeRow | undefined> =>
  db.selectFrom('charges').selectAll().where('id', '=', chargeId).executeTakeFirst();

const findShownCharge = (db: Db, chargeId: string) =>
  db
    .selectFrom('charges')
    .innerJoin('cards', 'cards.id', 'charges.cardId')
    .selectAll('charges')
    .select(['cards.brand', 'cards.last4'])
    .where('charges.id', '=', chargeId)
    .executeTakeFirst();

async function findJobOfCharge(db: Db, subjectId: string | null): Promise<string | null> {
  const { rows } = await sql<{ jobId: string | null }>`
    select coalesce((select job_id from holds where id = ${subjectId}::uuid),
      (select work.job_id from tips join engagements work on work.id = tips.engagement_id
        where tips.id = ${subjectId}::uuid)) as job_id`.execute(db);
  return rows[0]?.jobId ?? null;
}

const findLastCharges = (db: Db, subjectIds: readonly string[]) =>
  db
    .selectFrom('charges')
    .innerJoin('cards', 'cards.id', 'charges.cardId')
    .distinctOn('charges.subjectId')
    .selectAll('charges')
    .select(['cards.brand', 'cards.last4'])
    .where('charges.subjectId', 'in', [...subjectIds])
    .orderBy('charges.subjectId')
    .orderBy('charges.createdAt', 'desc')
    .orderBy('charges.id', 'desc')
    .execute();

export const findChargeByRef = (db: Db, ref: string) =>
  db.selectFrom('charges').select('id').where('providerRef', '=', ref).executeTakeFirst();

/** Serializes work on a charge before other locks: holds, offers and jobs follow, the charge's row last. */
export async function lockChargeWork(tx: Tx, chargeId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`charge/${chargeId}`}, 0))`.execute(tx);
}

/** Lock order: after the engagement and hold, before the ledger (ADR 38). */
export const lockCharge = (tx: Tx, chargeId: string): Promise<ChargeRow | undefined> =>
  tx.selectFrom('charges').selectAll().where('id', '=', chargeId).forUpdate().executeTakeFirst();

/** Also publishes the change to the business's members. */
export async function updateCharge(tx: Tx, chargeId: string, set: Updateable<Charges>): Promise<void> {
  const updated = await tx
    .updateTable('charges')
    .set(set)
    .where('id', '=', chargeId)
    .returning('businessId')
    .executeTakeFirst();
  emitOfBusiness(tx, 'wallet', updated);
}

/** Marks that the provider is being asked; returns false if the charge was cancelled. */
export async function markAsked(tx: Tx, chargeId: string, at: Date): Promise<boolean> {
  const updated = await tx
    .updateTable('charges')
    .set((eb) => ({ askedAt: eb.fn.coalesce('askedAt', eb.val(at)) }))
    .where('id', '=', chargeId)
    .where('status', '=', 'created')
    .where((eb) => eb.or([eb('cancelAt', 'is', null), eb('askedAt', 'is not', null)]))
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}

async function markUnwanted(
  tx: Tx,
  subjectId: string,
  purpose: ChargePurpose | null,
  at: Date,
): Promise<string[]> {
  const rows = await tx
    .updateTable('charges')
    .set({ cancelAt: at })
    .where('subjectId', '=', subjectId)
    .where('status', 'in', ['created', 'processing', 'requires_action'])
    .where('cancelAt', 'is', null)
    .where((eb) => (purpose === null ? eb.lit(true) : eb('purpose', '=', purpose)))
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Cancels a charge that the provider was never asked for; returns whether it was one. */
export async function cancelUnsentCharge(tx: Tx, chargeId: string, at: Date): Promise<boolean> {
  const updated = await tx
    .updateTable('charges')
    .set({ status: 'cancelled', updatedAt: at })
    .where('id', '=', chargeId)
    .where('status', '=', 'created')
    .where('askedAt', 'is', null)
    .returning('businessId')
    .executeTakeFirst();
  emitOfBusiness(tx, 'wallet', updated);
  return updated !== undefined;
}

/** Charges without a final status since a time, for reconciliation with the provider. */
export const findOpenCharges = (db: Db, since: Date, afterId: string, limit: number) =>
  db
    .selectFrom('charges')
    .selectAll()
    .where('status', 'in', ['created', 'processing', 'requires_action'])
    .where('updatedAt', '<=', since)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .execute();

const maxRefunded = 200;

const refundableCharges = (db: Db, businessId: string) =>
  db
    .selectFrom('charges')
    .where('businessId', '=', businessId)
    .where('status', '=', 'succeeded')
    .where((eb) => eb.or([eb('chargeback', 'is', null), eb('chargeback', '=', 'won')]))
    .where((eb) => eb.or([eb('purpose', '<>', 'tip'), eb('landed', '=', 'balance')]))
    .whereRef('refundedMinor', '<', 'amountMinor');

/** The maximum that can be refunded to cards, by currency in minor units; the balance may have less. */
export async function sumRefundable(db: Db, businessId: string): Promise<Map<Currency, number>> {
  const rows = await refundableCharges(db, businessId)
    .select(['currency', sql<number>`sum(amount_minor - refunded_minor)::bigint`.as('left')])
    .groupBy('currency')
    .execute();
  return new Map(rows.map(({ currency, left }) => [currency, left]));
}

/** Locks the charges that can take a refund, newest first, at most `maxRefunded`. */
export const lockRefundable = (tx: Tx, businessId: string, currency: Currency): Promise<ChargeRow[]> =>
  refundableCharges(tx, businessId)
    .selectAll()
    .where('currency', '=', currency)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(maxRefunded)
    .forUpdate()
    .execute();

/** Counts the undecided chargebacks of a hold, which stays frozen until none is left. */
export async function countOpenChargebacks(db: Db, holdId: string): Promise<number> {
  const row = await db
    .selectFrom('charges')
    .select((eb) => eb.fn.countAll<number>().as('open'))
    .where('subjectId', '=', holdId)
    .where('chargeback', '=', 'open')
    .executeTakeFirst();
  return row?.open ?? 0;
}

/** Adds to the refunded part of a charge; a negative amount subtracts. */
export async function addRefunded(tx: Tx, chargeId: string, byMinor: number, at: Date): Promise<void> {
  await tx
    .updateTable('charges')
    .set({ refundedMinor: sql<number>`refunded_minor + ${byMinor}::bigint`, updatedAt: at })
    .where('id', '=', chargeId)
    .returning('businessId')
    .executeTakeFirst()
    .then((updated) => emitOfBusiness(tx, 'wallet', updated));
}
