import { inTransaction, type Tx } from '../../platform/db.ts';
import type { ChargeState } from '../../platform/payment-provider.ts';
import { step } from '../../platform/steps.ts';
import type { TaskScope } from '../../platform/tasks.ts';
import { coverPaid } from '../holds/cover.service.ts';
import { holdPaid } from '../holds/hold-outcomes.service.ts';
import { tipFailed, tipPaid } from '../holds/tips.service.ts';
import { postEntry } from '../ledger/ledger.service.ts';
import { closeChargeback, openChargeback } from './chargebacks.service.ts';
import { type ChargebackStatus, type ChargeStatus, chargebackSteps, movesCharge } from './charges.rules.ts';
import { type SettledCharge, settledCharge } from './charges.service.ts';
import { type ChargeRow, findCharge, takeTurn, updateCharge } from './charges.sql.ts';
import { tellOfConfirmation, tellOfFailure } from './payment-notices.service.ts';
import type { OutcomeScope } from './payments.queue.ts';

/** What is known of a charge; without a ref where the provider never made it. */
export type KnownCharge = Omit<ChargeState, 'ref'> & { ref: string | null };

/**
 * Applies what the provider says of a charge: to the charge itself, to what its money is for and to the books, in one transaction. Whoever hears of it first does it,
 * be it the task that asked, a webhook or reconciliation; whatever comes again, late or out of order changes nothing.
 * @throws when the provider speaks of another amount or currency than was asked for, which is a defect
 */
export async function applyCharge(
  scope: OutcomeScope & Pick<TaskScope, 'db'>,
  chargeId: string,
  state: KnownCharge,
): Promise<void> {
  await inTransaction(scope.db, (tx) => applyChargeIn(tx, scope, chargeId, state));
}

/** The same inside a transaction of the caller's, which has locked nothing yet. */
export async function applyChargeIn(
  tx: Tx,
  scope: OutcomeScope,
  chargeId: string,
  state: KnownCharge,
): Promise<void> {
  await takeTurn(tx, chargeId);
  const charge = await findCharge(tx, chargeId);
  if (!charge) throw new Error(`there is no charge ${chargeId}`);
  if (state.amountMinor !== charge.amount_minor || state.currency !== charge.currency)
    throw new Error(`charge ${chargeId} is of another amount at the provider (${state.ref})`);
  if (charge.provider_ref !== null && state.ref !== null && charge.provider_ref !== state.ref)
    throw new Error(`charge ${chargeId} is ${charge.provider_ref} at the provider, not ${state.ref}`);
  await applyStatus(tx, scope, charge, state);
  await applyChargeback(tx, scope, chargeId, state);
}

async function applyStatus(
  tx: Tx,
  scope: OutcomeScope,
  charge: ChargeRow,
  state: KnownCharge,
): Promise<void> {
  const set = {
    provider_ref: state.ref ?? charge.provider_ref,
    asked_at: charge.asked_at ?? scope.clock.now(),
    updated_at: scope.clock.now(),
  };
  if (!movesCharge(charge.status as ChargeStatus, state.status)) {
    // Heard of, so that reconciliation waits before it asks again.
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
    action_url: state.actionUrl,
    landed,
  });
  if (state.status === 'requires_action' && charge.cancel_at === null)
    await tellOfConfirmation(tx, scope, charge);
  if (state.status === 'failed' && charge.cancel_at === null) await tellOfFailure(tx, scope, settled);
}

/** Puts money that was taken where it belongs: to what it was for, or into the balance when that is over, and for a top-up. */
async function landMoney(tx: Tx, scope: OutcomeScope, charge: SettledCharge): Promise<'subject' | 'balance'> {
  const { purpose, subjectId, amountMinor, currency } = charge;
  if (purpose !== 'top_up' && subjectId !== null) {
    const paid = { hold: holdPaid, cover: coverPaid, tip: tipPaid }[purpose];
    if ((await paid(tx, scope, subjectId, charge)) === 'subject') return 'subject';
  }
  await postEntry(tx, scope, {
    key: `${purpose === 'top_up' ? 'top-up' : 'late'}/${charge.id}`,
    kind: 'top_up',
    currency,
    about: charge.id,
    lines: [
      { account: { kind: 'provider_clearing' }, amountMinor: -amountMinor },
      { account: { kind: 'business_balance', ownerId: charge.businessId }, amountMinor },
    ],
  });
  return 'balance';
}

/** A tip whose charge came to nothing is over. A hold, and what one lacks, can still be paid with another card. */
async function endUnpaid(tx: Tx, charge: SettledCharge): Promise<void> {
  if (charge.purpose === 'tip' && charge.subjectId !== null) await tipFailed(tx, charge.subjectId);
}

/** A chargeback before its charge was known to have succeeded comes after it here: the status above is applied first. */
async function applyChargeback(
  tx: Tx,
  scope: OutcomeScope,
  chargeId: string,
  state: KnownCharge,
): Promise<void> {
  if (state.chargeback === null) return;
  const charge = await findCharge(tx, chargeId);
  if (charge?.status !== 'succeeded') return;
  const known = charge.chargeback as ChargebackStatus | null;
  for (const what of chargebackSteps(known, state.chargeback.status)) {
    if (what === 'open') await openChargeback(tx, scope, chargeId, state.chargeback.amountMinor);
    else await closeChargeback(tx, scope, chargeId, what);
  }
}

/** For a charge that was given up before the provider was asked for it: what it was for ends as after a refusal. */
export const endUnasked = (tx: Tx, charge: ChargeRow): Promise<void> => endUnpaid(tx, settledCharge(charge));
