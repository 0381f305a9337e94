import type { Currency } from '@nearhand/contract/currencies';
import type { Insertable, Selectable } from 'kysely';
import { AppError } from '../../platform/app-error.ts';
import { type Db, inTransaction, type Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { ProviderRefusedError } from '../../platform/payment-provider.ts';
import { emitOfBusiness } from '../../platform/realtime/publish-records.ts';
import type { CardRefunds } from '../../platform/tables.gen.ts';
import { enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { getCardRow } from '../cards/cards.ts';
import { creditDebtOf } from '../credit-limits/credit-limits.ts';
import { balanceOf, LedgerShortError, postEntry } from '../ledger/ledger.ts';
import { requireMoneyRole } from '../money-access.ts';
import { notifyOfRefund } from './charge-notices.ts';
import { applyCharge, endRefund, failRefund, refundEntry } from './charge-outcomes.ts';
import { spreadRefund } from './charges.rules.ts';
import { addRefunded, lockChargeWork, lockRefundable, refundKey, refundTask } from './charges.ts';

type Refunded = { refundedMinor: number; currency: Currency; cards: string[] };

/**
 * Refunds balance to the cards it came from, newest first. For owners, managers and finance. Minor units (ADR
 * 71).
 */
export async function refundBalance(
  tx: Tx,
  scope: Scope,
  request: { businessId: string; amountMinor: number; currency: Currency },
): Promise<Refunded> {
  await requireMoneyRole(tx, scope.actor.accountId, request.businessId);
  return refundToCards(tx, scope, request);
}

/**
 * Refunds a closed business's balance (ADR 160); the caller checks access. `inPart` refunds as much as possible.
 * @throws payment/balance-short (`balanceMinor`), payment/refund-too-much (`maxMinor`)
 */
export async function refundToCards(
  tx: Tx,
  scope: Scope,
  request: { businessId: string; amountMinor: number; currency: Currency },
  { inPart }: { inPart: boolean } = { inPart: false },
): Promise<Refunded> {
  const { businessId, amountMinor, currency } = request;
  const { accountId } = scope.actor;
  const charges = await lockRefundable(tx, businessId, currency);
  // The balance repays the credit limit before anything is refunded.
  const [debt] = await creditDebtOf(tx, businessId);
  const owedMinor = debt?.currency === currency ? debt.amountMinor : 0;
  const onBalanceMinor = await balanceOf(tx, { kind: 'business_balance', ownerId: businessId }, currency);
  const balanceMinor = Math.max(0, onBalanceMinor - owedMinor);
  const short = () => new AppError('payment/balance-short', { balanceMinor, currency });
  if (balanceMinor < amountMinor) throw short();
  const { parts, missingMinor } = spreadRefund(charges, amountMinor);
  const refundedMinor = amountMinor - missingMinor;
  if (missingMinor > 0 && (refundedMinor === 0 || !inPart))
    throw new AppError('payment/refund-too-much', { maxMinor: refundedMinor, currency });
  const cards = new Set<string>();
  const now = scope.clock.now();
  for (const { charge, amountMinor: part } of parts) {
    const id = newId(now);
    await insertRefund(tx, {
      id,
      businessId,
      chargeId: charge.id,
      amountMinor: part,
      currency,
      status: 'created',
      createdBy: accountId,
      createdAt: now,
      updatedAt: now,
    });
    await addRefunded(tx, charge.id, part, now);
    const entry = refundEntry({ id, businessId, amountMinor: part, currency });
    await postEntry(tx, scope, entry).catch((error: unknown) => {
      throw error instanceof LedgerShortError ? short() : error;
    });
    await enqueue(tx, refundTask, { refundId: id }, { key: refundKey(id) });
    cards.add((await getCardRow(tx, charge.cardId)).last4);
  }
  return { refundedMinor, currency, cards: [...cards] };
}

/** Asks the provider for a refund and applies the response. */
export async function sendRefund(scope: TaskScope, refundId: string): Promise<void> {
  const refund = await findRefund(scope.db, refundId);
  if (refund?.status !== 'created') return;
  if (refund.providerRef === null) throw new Error(`the charge of refund ${refundId} has no ref`);
  const { chargeId, amountMinor } = refund;
  const report = await scope.provider
    .refund({ key: refundId, chargeRef: refund.providerRef, amountMinor })
    .catch((error: unknown) => {
      // A rejection means nothing was paid. Other errors are inconclusive, so the task retries.
      if (error instanceof ProviderRefusedError && error.problem !== 'key_reused') return null;
      throw error;
    });
  await inTransaction(scope.db, async (tx) => {
    // The charge's events lock the charge before its refunds, too.
    await lockChargeWork(tx, chargeId);
    if (report === null) await failRefund(tx, scope, refundId);
    else if (await endRefund(tx, refundId, 'sent', scope.clock.now()))
      await notifyOfRefund(tx, scope, refund, true);
  });
  if (report) await applyCharge(scope, chargeId, report);
}

async function insertRefund(tx: Tx, row: Insertable<CardRefunds>): Promise<void> {
  await tx.insertInto('card_refunds').values(row).execute();
  emitOfBusiness(tx, 'wallet', row);
}

const findRefund = (db: Db, refundId: string) =>
  db
    .selectFrom('card_refunds')
    .innerJoin('charges', 'charges.id', 'card_refunds.chargeId')
    .selectAll('card_refunds')
    .select('charges.providerRef')
    .where('card_refunds.id', '=', refundId)
    .executeTakeFirst();

/** Refunds that the provider has not confirmed since a time. */
export const findWaitingRefunds = (
  db: Db,
  since: Date,
  limit: number,
): Promise<Pick<Selectable<CardRefunds>, 'id'>[]> =>
  db
    .selectFrom('card_refunds')
    .select('id')
    .where('status', '=', 'created')
    .where('updatedAt', '<=', since)
    .orderBy('updatedAt')
    .limit(limit)
    .execute();
