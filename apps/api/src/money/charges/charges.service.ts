import type { Currency } from '@nearhand/contract/money';
import type { Charge, PaymentFailure } from '@nearhand/contract/money/charges';
import { branchLimitOf, roleAt, roleIn } from '../../people/businesses/members.service.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { enqueue } from '../../platform/tasks/tasks.ts';
import { requireCard } from '../cards/cards.service.ts';
import { askKey, askTask, cancelKey, cancelTask } from './charges.queue.ts';
import {
  type ChargeRow,
  findJobOfCharge,
  findLastCharges,
  findShownCharge,
  insertCharge,
  markUnwanted,
} from './charges.sql.ts';

export type ChargePurpose = Charge['purpose'];

/** A charge as passed to whatever its money is for. Minor units of `currency`. */
export type SettledCharge = {
  id: string;
  businessId: string;
  cardId: string;
  purpose: ChargePurpose;
  subjectId: string | null;
  amountMinor: number;
  currency: Currency;
  failure: PaymentFailure | null;
  /** Who started it; null for a timer. */
  createdBy: string | null;
};

export const settledCharge = (row: ChargeRow): SettledCharge => ({
  id: row.id,
  businessId: row.business_id,
  cardId: row.card_id,
  purpose: row.purpose as ChargePurpose,
  subjectId: row.subject_id,
  amountMinor: row.amount_minor,
  currency: row.currency as Currency,
  failure: row.failure as PaymentFailure | null,
  createdBy: row.created_by,
});

/** Money that a card paid. Minor units. */
export type PaidCharge = { id: string; amountMinor: number; currency: string };

/** Where the money of a charge went: to what it was for, or to the balance of the business because that is over. */
export type Landed = 'subject' | 'balance';

export type ChargeRequest = {
  businessId: string;
  cardId: string;
  purpose: ChargePurpose;
  /** The hold (also for missing pay) or the tip; null for a top-up. */
  subjectId: string | null;
  /** Minor units of `currency`. */
  amountMinor: number;
  currency: Currency;
  /** What the owner of the card reads at the provider. */
  description: string;
  /** Where the app continues after they confirm, told which charge it was; starts with a slash. */
  returnPath: string;
};

/**
 * Creates a charge and queues a task that asks the provider after the commit. Its outcome reaches the hold or tip exactly once through
 * `charges.outcomes.ts`. The caller has checked who may spend.
 * @throws payment/card-not-found where the business has no such card /
 */
export async function startCharge(
  tx: Tx,
  scope: Pick<Scope, 'clock'> & { actor?: Actor | null },
  request: ChargeRequest,
): Promise<{ chargeId: string }> {
  const card = await requireCard(tx, request.businessId, request.cardId);
  const now = scope.clock.now();
  const chargeId = newId(now);
  await insertCharge(tx, {
    id: chargeId,
    business_id: request.businessId,
    card_id: card.id,
    purpose: request.purpose,
    subject_id: request.subjectId,
    status: 'created',
    amount_minor: request.amountMinor,
    currency: request.currency,
    description: request.description,
    return_path: request.returnPath,
    created_by: scope.actor?.accountId ?? null,
    created_at: now,
    updated_at: now,
  });
  await enqueue(tx, askTask, { chargeId }, { key: askKey(chargeId) });
  return { chargeId };
}

/** A charge; the caller has checked who may see it. @throws payment/not-found */
export async function viewCharge(db: Db, chargeId: string): Promise<Charge> {
  const row = await findShownCharge(db, chargeId);
  if (!row) throw new AppError('payment/not-found');
  return toCharge(row);
}

/** Whether a card is being charged and its owner has nothing to do, so that asking again would be a duplicate. */
export const isBeingAsked = ({ status }: Charge): boolean => status === 'created' || status === 'processing';

/** The newest charge for a hold or a tip, or null. */
export async function lastChargeOf(db: Db, subjectId: string): Promise<Charge | null> {
  return (await lastChargesOf(db, [subjectId])).get(subjectId) ?? null;
}

/** The same for several, in one statement. */
export async function lastChargesOf(db: Db, subjectIds: readonly string[]): Promise<Map<string, Charge>> {
  if (subjectIds.length === 0) return new Map();
  const rows = await findLastCharges(db, subjectIds);
  return new Map(rows.map((row) => [row.subject_id ?? '', toCharge(row)]));
}

/**
 * Cancels the open charges of a hold or tip, for example after a checkout expired. A task asks the provider to stop them; money taken anyway goes to the
 * balance.
 * @param purpose only charges for this; all when absent /
 */
export async function cancelChargeOf(
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  subjectId: string,
  purpose?: ChargePurpose,
): Promise<void> {
  for (const chargeId of await markUnwanted(tx, subjectId, purpose ?? null, scope.clock.now()))
    await enqueue(tx, cancelTask, { chargeId }, { key: cancelKey(chargeId) });
}

/** A charge, for any member of its business who sees its job. @throws payment/not-found */
export async function getCharge(db: Db, scope: Scope, { chargeId }: { chargeId: string }): Promise<Charge> {
  const row = await findShownCharge(db, chargeId);
  if (!row || !(await seesCharge(db, row, scope.actor.accountId))) throw new AppError('payment/not-found');
  return toCharge(row);
}

/** A payment for a job is for the members who see the job; a top-up for those who see the whole business. */
async function seesCharge(db: Db, row: ChargeRow, accountId: string): Promise<boolean> {
  const jobId = await findJobOfCharge(db, row.subject_id);
  if (jobId !== null) return (await roleAt(db, jobId, accountId)) !== null;
  const role = await roleIn(db, row.business_id, accountId);
  return role !== null && (await branchLimitOf(db, row.business_id, accountId)) === null;
}

const toCharge = (row: ChargeRow & { last4: string }): Charge => ({
  id: row.id,
  purpose: row.purpose as ChargePurpose,
  status: row.status as Charge['status'],
  amountMinor: row.amount_minor,
  currency: row.currency as Currency,
  cardLast4: row.last4,
  failure: row.failure as PaymentFailure | null,
  actionUrl: row.status === 'requires_action' ? row.action_url : null,
  createdAt: row.created_at.toISOString(),
});
