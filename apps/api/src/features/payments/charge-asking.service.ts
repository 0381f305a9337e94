import { minuteMs } from '@nearhand/contract/durations';
import type { Currency } from '@nearhand/contract/money';
import { type Db, inTransaction } from '../../platform/db.ts';
import { ProviderRefused } from '../../platform/payment-provider.ts';
import { step } from '../../platform/steps.ts';
import { enqueue, type TaskScope } from '../../platform/tasks.ts';
import { findCard } from './cards.sql.ts';
import { applyCharge, endUnasked, type KnownCharge } from './charge-outcomes.service.ts';
import { type ChargeStatus, openStatuses } from './charges.rules.ts';
import { type ChargeRow, findCharge, giveUpUnasked, markAsked, takeTurn } from './charges.sql.ts';
import { cancelKey, cancelTask } from './payments.queue.ts';

/** How long a call to the provider may be under way at most: after it, a charge that the provider does not know was never made. */
const callMs = 5 * minuteMs;
const askAgainMs = minuteMs;

/**
 * For the runner: asks the provider for a charge and applies what it says. Every time under the charge's own id, so that a repeat after a crash at any point is the same
 * charge. One that is not wanted any more and was never asked for ends here.
 */
export async function askForCharge(scope: TaskScope, chargeId: string): Promise<void> {
  step('fund/created');
  const charge = await findCharge(scope.db, chargeId);
  if (charge?.status !== 'created') return;
  if (charge.cancel_at !== null && charge.asked_at === null) return stopCharge(scope, chargeId);
  const marked = await inTransaction(scope.db, (tx) => markAsked(tx, chargeId, scope.clock.now()));
  // Overtaken by its end between the two lines above.
  if (!marked) return;
  const state = await callProvider(scope, charge);
  step('fund/charged');
  await applyCharge(scope, chargeId, state);
}

async function callProvider(scope: TaskScope, charge: ChargeRow): Promise<KnownCharge> {
  const card = await demandCardRef(scope.db, charge.card_id);
  const currency = charge.currency as Currency;
  try {
    return await scope.provider.charge({
      key: charge.id,
      cardRef: card,
      amountMinor: charge.amount_minor,
      currency,
      description: charge.description,
      returnUrl: `${scope.config.PUBLIC_URL}${charge.return_path}`,
    });
  } catch (error) {
    // Refused is certain, as where the card is gone there: nothing was done. Anything else may have been done, so the task asks again under the same key.
    if (!(error instanceof ProviderRefused) || error.problem === 'key_reused') throw error;
    scope.log.error({ err: error, chargeId: charge.id }, 'the payment provider does not take a charge');
    const before = await scope.provider.findCharge(charge.id);
    return before ?? { ...neverMade(charge), status: 'failed', failure: 'processing_error' };
  }
}

/**
 * For the runner: stops a charge that nobody wants any more. What the provider took all the same lands in the balance. While a call may still be under way it waits
 * and looks again, since a charge that the provider does not know yet may be made a moment later.
 */
export async function stopCharge(scope: TaskScope, chargeId: string): Promise<void> {
  const { db, clock, provider } = scope;
  const charge = await findCharge(db, chargeId);
  if (!charge || !openStatuses.includes(charge.status as ChargeStatus)) return;
  if (charge.asked_at === null) {
    const stopped = await inTransaction(db, async (tx) => {
      await takeTurn(tx, chargeId);
      if (!(await giveUpUnasked(tx, chargeId, clock.now()))) return false;
      await endUnasked(tx, charge);
      return true;
    });
    if (stopped) return;
  }
  const ref = charge.provider_ref ?? (await provider.findCharge(chargeId))?.ref;
  if (ref !== undefined)
    return applyCharge(scope, chargeId, await provider.cancelCharge({ key: `cancel/${chargeId}`, ref }));
  const now = clock.now();
  if (charge.asked_at !== null && now.getTime() - charge.asked_at.getTime() >= callMs)
    return applyCharge(scope, chargeId, neverMade(charge));
  const runAt = new Date(now.getTime() + askAgainMs);
  await inTransaction(db, (tx) => enqueue(tx, cancelTask, { chargeId }, { runAt, key: cancelKey(chargeId) }));
}

const neverMade = (charge: ChargeRow): KnownCharge => ({
  ...{ ref: null, status: 'cancelled', failure: null, actionUrl: null },
  ...{ amountMinor: charge.amount_minor, currency: charge.currency as Currency },
  ...{ refundedMinor: 0, chargeback: null },
});

async function demandCardRef(db: Db, cardId: string): Promise<string> {
  const card = await findCard(db, cardId);
  if (!card) throw new Error(`there is no card ${cardId}`);
  return card.provider_ref;
}
