import { step } from '../../platform/crash-points.ts';
import { inTransaction, type Tx } from '../../platform/db.ts';
import type { ChargeState } from '../../platform/payment-provider.ts';
import type { TaskScope } from '../../platform/tasks/tasks.ts';
import { chargeHooks } from './charge-hooks.ts';
import { postToBalance } from './charge-landing.ts';
import { notifyOfConfirmation, notifyOfFailure } from './charge-notices.ts';
import { closeChargeback, findChargeback, openChargeback } from './chargebacks.ts';
import { type ChargeStatus, chargebackSteps, movesCharge } from './charges.rules.ts';
import type { OutcomeScope } from './charges.ts';
import {
  type ChargeRow,
  findCharge,
  findChargeByRef,
  type SettledCharge,
  settledCharge,
  takeTurn,
  updateCharge,
} from './charges.ts';

/** A charge as the provider reports it; without a ref if it was never made. */
export type KnownCharge = Omit<ChargeState, 'ref'> & { ref: string | null };

/**
 * Applies the provider's state of a charge to the charge, its subject and the ledger in one transaction. Task, webhook and reconciliation all use it;
 * repeated, late or unordered news is a no-op.
 * @throws when the provider speaks of another amount or currency than was asked for, which is a defect /
 */
export async function applyCharge(
  scope: OutcomeScope & Pick<TaskScope, 'db'>,
  chargeId: string,
  state: KnownCharge,
): Promise<void> {
  await inTransaction(scope.db, (tx) => applyChargeIn(tx, scope, chargeId, state));
}

/** Asks the provider about a charge by its ref and applies the answer; false while the ref is unknown here or there. */
export async function applyChargeOf(scope: TaskScope, ref: string): Promise<boolean> {
  const charge = await findChargeByRef(scope.db, ref);
  const state = charge && (await scope.provider.getCharge(ref));
  if (!charge || !state) return false;
  await applyCharge(scope, charge.id, state);
  return true;
}

/** The same in the caller's transaction, which must not hold locks yet. */
export async function applyChargeIn(
  tx: Tx,
  scope: OutcomeScope,
  chargeId: string,
  state: KnownCharge,
): Promise<void> {
  await takeTurn(tx, chargeId);
  const charge = await findCharge(tx, chargeId);
  if (!charge) throw new Error(`there is no charge ${chargeId}`);
  if (state.amountMinor !== charge.amountMinor || state.currency !== charge.currency)
    throw new Error(`charge ${chargeId} is of another amount at the provider (${state.ref})`);
  if (charge.providerRef !== null && state.ref !== null && charge.providerRef !== state.ref)
    throw new Error(`charge ${chargeId} is ${charge.providerRef} at the provider, not ${state.ref}`);
  await applyStatus(tx, scope, charge, state);
  await applyChargebacks(tx, scope, chargeId, state);
}

async function applyStatus(
  tx: Tx,
  scope: OutcomeScope,
  charge: ChargeRow,
  state: KnownCharge,
): Promise<void> {
  const set = {
    providerRef: state.ref ?? charge.providerRef,
    askedAt: charge.askedAt ?? scope.clock.now(),
    updatedAt: scope.clock.now(),
  };
  if (!movesCharge(charge.status as ChargeStatus, state.status)) {
    // Recorded, so that reconciliation waits before asking again.
    if (state.status === charge.status) await updateCharge(tx, charge.id, set);
    return;
  }
  const settled = settledCharge({ ...charge, failure: state.failure });
  let landed: 'subject' | 'balance' | null = null;
  if (state.status === 'succeeded') {
    landed = await landMoney(tx, scope, settled);
    step('fund/posted');
  } else if (state.status === 'failed' || state.status === 'cancelled') await endUnpaid(tx, settled);
  await updateCharge(tx, charge.id, {
    ...set,
    status: state.status,
    failure: state.failure,
    actionUrl: state.actionUrl,
    landed,
  });
  if (state.status === 'requires_action' && charge.cancelAt === null)
    await notifyOfConfirmation(tx, scope, charge);
  if (state.status === 'failed' && charge.cancelAt === null) await notifyOfFailure(tx, scope, settled);
}

/** Moves the money of a charge to its subject, or to the balance for a top-up and for subjects that are over. */
async function landMoney(tx: Tx, scope: OutcomeScope, charge: SettledCharge): Promise<'subject' | 'balance'> {
  const { purpose, subjectId } = charge;
  if (purpose !== 'top_up' && subjectId !== null) {
    const { holdPaid, coverPaid, tipPaid } = chargeHooks.on;
    const paid = { hold: holdPaid, cover: coverPaid, tip: tipPaid }[purpose];
    if ((await paid(tx, scope, subjectId, charge)) === 'subject') return 'subject';
  }
  await postToBalance(tx, scope, charge);
  return 'balance';
}

/** Ends a tip whose charge failed. A hold can still be paid with another card. */
async function endUnpaid(tx: Tx, charge: SettledCharge): Promise<void> {
  if (charge.purpose === 'tip' && charge.subjectId !== null)
    await chargeHooks.on.tipFailed(tx, charge.subjectId);
}

/** Runs after the status above, in case a chargeback arrives before the success. */
async function applyChargebacks(
  tx: Tx,
  scope: OutcomeScope,
  chargeId: string,
  state: KnownCharge,
): Promise<void> {
  if (state.chargebacks.length === 0) return;
  const charge = await findCharge(tx, chargeId);
  if (charge?.status !== 'succeeded') return;
  for (const { ref, amountMinor, status } of state.chargebacks) {
    const known = await findChargeback(tx, ref);
    for (const what of chargebackSteps(known?.status ?? null, status)) {
      if (what === 'open') await openChargeback(tx, scope, { ref, chargeId, amountMinor });
      else await closeChargeback(tx, scope, ref, what);
    }
  }
}

/** For a charge that was cancelled before the provider was asked: its subject ends as after a decline. */
export const endUnasked = (tx: Tx, charge: ChargeRow): Promise<void> => endUnpaid(tx, settledCharge(charge));
