import type { Currency } from '@nearhand/contract/money';
import { AppError } from '../../platform/app-error.ts';
import { inTransaction, type Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { ProviderRefused } from '../../platform/payment-provider.ts';
import { enqueue, type TaskScope } from '../../platform/tasks.ts';
import { LedgerShort, type NewEntry, postEntry, reverseEntry } from '../ledger/ledger.service.ts';
import { findCard } from './cards.sql.ts';
import { applyCharge } from './charge-outcomes.service.ts';
import { spreadRefund } from './charges.rules.ts';
import { lockRefundable } from './charges.sql.ts';
import { demandTreasurer } from './payers.service.ts';
import { tellOfRefund } from './payment-notices.service.ts';
import { refundKey, refundTask } from './payments.queue.ts';
import { addRefunded, endRefund, findRefund, insertRefund } from './refunds.sql.ts';
import { businessBalance } from './wallet.service.ts';

type Refunded = { refundedMinor: number; currency: Currency; cards: string[] };

/**
 * Sends money of the balance back to the cards it came from, newest charge first; owners, managers and finance may. It leaves the balance here, and a task has the
 * provider pay it out under the same id, as often as needed; what the provider refuses comes back by a reversal (ADR 0071).
 * @param wish `amountMinor` in minor units of `currency`
 * @throws business/not-found, business/not-allowed, payment/balance-short (`balanceMinor`), payment/refund-too-much (`mostMinor`)
 */
export async function refundBalance(
  tx: Tx,
  scope: Scope,
  wish: { businessId: string; amountMinor: number; currency: Currency },
): Promise<Refunded> {
  const { businessId, amountMinor, currency } = wish;
  const { accountId } = scope.actor;
  await demandTreasurer(tx, accountId, businessId);
  const charges = await lockRefundable(tx, businessId, currency);
  const balanceMinor = await businessBalance(tx, businessId, currency);
  const short = () => new AppError('payment/balance-short', { balanceMinor, currency });
  if (balanceMinor < amountMinor) throw short();
  const { parts, missingMinor } = spreadRefund(charges, amountMinor);
  if (missingMinor > 0)
    throw new AppError('payment/refund-too-much', { mostMinor: amountMinor - missingMinor, currency });
  const cards = new Set<string>();
  const now = scope.clock.now();
  for (const { charge, amountMinor: part } of parts) {
    const id = newId(now);
    await insertRefund(tx, {
      ...{ id, business_id: businessId, charge_id: charge.id, amount_minor: part, currency },
      ...{ status: 'created', created_by: accountId, created_at: now, updated_at: now },
    });
    await addRefunded(tx, charge.id, part, now);
    const entry = refundEntry({ id, businessId, amountMinor: part, currency });
    await postEntry(tx, scope, entry).catch((error: unknown) => {
      throw error instanceof LedgerShort ? short() : error;
    });
    await enqueue(tx, refundTask, { refundId: id }, { key: refundKey(id) });
    cards.add((await findCard(tx, charge.card_id))?.last4 ?? '');
  }
  return { refundedMinor: amountMinor, currency, cards: [...cards] };
}

/** For the runner: has the provider pay a refund out, and applies what it says. */
export async function sendRefund(scope: TaskScope, refundId: string): Promise<void> {
  const refund = await findRefund(scope.db, refundId);
  if (refund?.status !== 'created') return;
  if (refund.provider_ref === null) throw new Error(`the charge of refund ${refundId} has no ref`);
  const { charge_id: chargeId, amount_minor: amountMinor, business_id: businessId } = refund;
  const of = { id: refundId, businessId, amountMinor, currency: refund.currency as Currency };
  const asked = await scope.provider
    .refund({ key: refundId, chargeRef: refund.provider_ref, amountMinor })
    .catch((error: unknown) => {
      // Refused, as where the charge was disputed meanwhile: nothing was paid out. Any other error tells nothing, and the call is made again.
      if (error instanceof ProviderRefused && error.problem !== 'key_reused') return null;
      throw error;
    });
  await inTransaction(scope.db, async (tx) => {
    if (!(await endRefund(tx, refundId, asked ? 'sent' : 'failed', scope.clock.now()))) return;
    await tellOfRefund(tx, scope, { ...of, createdBy: refund.created_by }, asked !== null);
    if (asked) return;
    scope.log.warn({ refundId }, 'the payment provider refused a refund');
    await addRefunded(tx, chargeId, -amountMinor, scope.clock.now());
    // The same content under the same key answers the entry that was posted then.
    const { entryId } = await postEntry(tx, scope, refundEntry(of));
    await reverseEntry(tx, scope, { key: `refund-failed/${refundId}`, entryId });
  });
  if (asked) await applyCharge(scope, chargeId, asked);
}

const refundEntry = (of: {
  id: string;
  businessId: string;
  amountMinor: number;
  currency: Currency;
}): NewEntry => ({
  key: `refund/${of.id}`,
  kind: 'refund',
  currency: of.currency,
  about: of.id,
  lines: [
    { account: { kind: 'business_balance', ownerId: of.businessId }, amountMinor: -of.amountMinor },
    { account: { kind: 'provider_clearing' }, amountMinor: of.amountMinor },
  ],
});
