import { addMs, minuteMs } from '@nearhand/contract/durations';
import { crashPoint } from '../../platform/crash-points.ts';
import { inTransaction } from '../../platform/db.ts';
import { ProviderRefusedError } from '../../platform/payment-provider.ts';
import { enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { getCardRow } from '../cards/cards.ts';
import { applyCharge, endUnasked, type KnownCharge } from './charge-outcomes.ts';
import { openStatuses } from './charges.rules.ts';
import {
  type ChargeRow,
  cancelChargeTask,
  cancelKey,
  cancelUnsentCharge,
  findCharge,
  lockChargeWork,
  markAsked,
} from './charges.ts';

/** The longest a provider call can take. A charge still unknown after that was never made. */
const callMs = 5 * minuteMs;
const askAgainMs = minuteMs;

/** Asks the provider for a charge and applies the answer. The charge's id is the idempotency key. */
export async function requestCharge(scope: TaskScope, chargeId: string): Promise<void> {
  crashPoint('fund/created');
  const charge = await findCharge(scope.db, chargeId);
  if (charge?.status !== 'created') return;
  if (charge.cancelAt !== null && charge.askedAt === null) return stopCharge(scope, chargeId);
  const isRequested = await inTransaction(scope.db, (tx) => markAsked(tx, chargeId, scope.clock.now()));
  // The charge was cancelled between the two statements above.
  if (!isRequested) return;
  const state = await callProvider(scope, charge);
  crashPoint('fund/charged');
  await applyCharge(scope, chargeId, state);
}

async function callProvider(scope: TaskScope, charge: ChargeRow): Promise<KnownCharge> {
  const { providerRef: cardRef } = await getCardRow(scope.db, charge.cardId);
  const currency = charge.currency;
  try {
    return await scope.provider.charge({
      key: charge.id,
      cardRef,
      amountMinor: charge.amountMinor,
      currency,
      description: charge.description,
      returnUrl: `${scope.config.PUBLIC_URL}${charge.returnPath}${charge.returnPath.includes('?') ? '&' : '?'}charge=${charge.id}`,
    });
  } catch (error) {
    if (!(error instanceof ProviderRefusedError) || error.problem === 'key_reused') throw error;
    scope.log.error({ err: error, chargeId: charge.id }, 'the payment provider rejected a charge');
    const before = await scope.provider.findCharge(charge.id);
    return before ?? { ...neverMade(charge), status: 'failed', failure: 'processing_error' };
  }
}

/** Stops a cancelled charge. It retries while a call may be in progress; money taken anyway goes to the balance. */
export async function stopCharge(scope: TaskScope, chargeId: string): Promise<void> {
  const { db, clock, provider } = scope;
  const charge = await findCharge(db, chargeId);
  if (!charge || !openStatuses.includes(charge.status)) return;
  if (charge.askedAt === null) {
    const stopped = await inTransaction(db, async (tx) => {
      await lockChargeWork(tx, chargeId);
      if (!(await cancelUnsentCharge(tx, chargeId, clock.now()))) return false;
      await endUnasked(tx, charge);
      return true;
    });
    if (stopped) return;
  }
  const ref = charge.providerRef ?? (await provider.findCharge(chargeId))?.ref;
  if (ref !== undefined)
    return applyCharge(scope, chargeId, await provider.cancelCharge({ key: `cancel/${chargeId}`, ref }));
  const now = clock.now();
  if (charge.askedAt !== null && now.getTime() - charge.askedAt.getTime() >= callMs)
    return applyCharge(scope, chargeId, neverMade(charge));
  const runAt = addMs(now, askAgainMs);
  await inTransaction(db, (tx) =>
    enqueue(tx, cancelChargeTask, { chargeId }, { runAt, key: cancelKey(chargeId) }),
  );
}

const neverMade = (charge: ChargeRow): KnownCharge => ({
  ref: null,
  status: 'cancelled',
  failure: null,
  actionUrl: null,
  amountMinor: charge.amountMinor,
  currency: charge.currency,
  refundedMinor: 0,
  failedRefunds: [],
  chargebacks: [],
});
