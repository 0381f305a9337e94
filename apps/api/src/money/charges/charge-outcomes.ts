import type { Currency } from '@nearhand/contract/currencies';
import { type Selectable, sql } from 'kysely';
import { crashPoint } from '../../platform/crash-points.ts';
import { type Db, inTransaction, type Tx } from '../../platform/db.ts';
import type { ChargeState } from '../../platform/payment-provider.ts';
import { emitOfBusiness } from '../../platform/realtime/publish-records.ts';
import type { Chargebacks } from '../../platform/tables.gen.ts';
import type { TaskScope } from '../../platform/tasks/tasks.ts';
import { balanceOf, type NewEntry, postEntry, reverseEntry } from '../ledger/ledger.ts';
import { chargeHooks } from './charge-hooks.ts';
import { postToBalance } from './charge-landing.ts';
import {
  notifyOfChargeback,
  notifyOfConfirmation,
  notifyOfFailure,
  notifyOfRefund,
} from './charge-notices.ts';
import { type ChargebackStatus, chargebackSteps, chargebackSummary, movesCharge } from './charges.rules.ts';
import {
  addRefunded,
  type ChargeFacts,
  type ChargeRow,
  chargeFactsOf,
  countOpenChargebacks,
  findCharge,
  findChargeByRef,
  lockCharge,
  lockChargeWork,
  type OutcomeScope,
  updateCharge,
} from './charges.ts';

export type KnownCharge = Omit<ChargeState, 'ref'> & { ref: string | null };

/** Applies the provider's state of a charge. Repeated, late or unordered news is a no-op. */
export async function applyCharge(
  scope: OutcomeScope & Pick<TaskScope, 'db'>,
  chargeId: string,
  state: KnownCharge,
): Promise<void> {
  await inTransaction(scope.db, (tx) => applyChargeIn(tx, scope, chargeId, state));
}

/** Fetches a charge by its ref and applies it; returns false if the ref is unknown here or at the provider. */
export async function applyChargeByRef(scope: TaskScope, ref: string): Promise<boolean> {
  const charge = await findChargeByRef(scope.db, ref);
  const state = charge && (await scope.provider.getCharge(ref));
  if (!charge || !state) return false;
  await applyCharge(scope, charge.id, state);
  return true;
}

/** Applies a charge in the caller's transaction, which must not hold locks yet. */
export async function applyChargeIn(
  tx: Tx,
  scope: OutcomeScope,
  chargeId: string,
  state: KnownCharge,
): Promise<void> {
  await lockChargeWork(tx, chargeId);
  const charge = await findCharge(tx, chargeId);
  if (!charge) throw new Error(`there is no charge ${chargeId}`);
  if (state.amountMinor !== charge.amountMinor || state.currency !== charge.currency)
    throw new Error(`charge ${chargeId} is of another amount at the provider (${state.ref})`);
  if (charge.providerRef !== null && state.ref !== null && charge.providerRef !== state.ref)
    throw new Error(`charge ${chargeId} is ${charge.providerRef} at the provider, not ${state.ref}`);
  await applyStatus(tx, scope, charge, state);
  for (const refundId of state.failedRefunds) await failRefund(tx, scope, refundId);
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
  if (!movesCharge(charge.status, state.status)) {
    if (state.status === charge.status) await updateCharge(tx, charge.id, set);
    return;
  }
  const chargeFacts = chargeFactsOf({ ...charge, failure: state.failure });
  let landed: 'subject' | 'balance' | null = null;
  if (state.status === 'succeeded') {
    landed = await landMoney(tx, scope, chargeFacts);
    crashPoint('fund/posted');
  } else if (state.status === 'failed' || state.status === 'cancelled') await endUnpaid(tx, chargeFacts);
  await updateCharge(tx, charge.id, {
    ...set,
    status: state.status,
    failure: state.failure,
    actionUrl: state.actionUrl,
    landed,
  });
  if (state.status === 'requires_action' && charge.cancelAt === null)
    await notifyOfConfirmation(tx, scope, charge);
  if (state.status === 'failed' && charge.cancelAt === null) await notifyOfFailure(tx, scope, chargeFacts);
}

/** Moves a charge's money to its subject, or to the balance for a top-up or a subject that has ended. */
async function landMoney(tx: Tx, scope: OutcomeScope, charge: ChargeFacts): Promise<'subject' | 'balance'> {
  const { purpose, subjectId } = charge;
  if (purpose !== 'top_up' && subjectId !== null) {
    const { applyHoldCharge, applyCoverCharge, applyTipCharge } = chargeHooks.needs;
    const onPaid = { hold: applyHoldCharge, cover: applyCoverCharge, tip: applyTipCharge }[purpose];
    if ((await onPaid(tx, scope, subjectId, charge)) === 'subject') return 'subject';
  }
  await postToBalance(tx, scope, charge);
  return 'balance';
}

async function endUnpaid(tx: Tx, charge: ChargeFacts): Promise<void> {
  if (charge.purpose === 'tip' && charge.subjectId !== null)
    await chargeHooks.on.tipFailed(tx, charge.subjectId);
}

/** Runs after the status update, since a chargeback may arrive before the success. */
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
    const chargeback = await findChargeback(tx, ref);
    for (const step of chargebackSteps(chargeback?.status ?? null, status)) {
      if (step === 'open') await openChargeback(tx, scope, { ref, chargeId, amountMinor });
      else await closeChargeback(tx, scope, ref, step);
    }
  }
}

/** Returns the money of a refund to the balance, once: it was refused, or it failed later at the card's bank. */
export async function failRefund(tx: Tx, scope: OutcomeScope, refundId: string): Promise<void> {
  const refund = await endRefund(tx, refundId, 'failed', scope.clock.now());
  if (!refund) return;
  scope.log.error({ refundId }, 'a refund failed: its money is in the balance of the business again');
  await notifyOfRefund(tx, scope, refund, false);
  await addRefunded(tx, refund.chargeId, -refund.amountMinor, scope.clock.now());
  const { entryId } = await postEntry(tx, scope, refundEntry(refund));
  await reverseEntry(tx, scope, { key: `refund-failed/${refundId}`, entryId });
}

/** The ledger entry of a refund to a card: from the business's balance to the provider. */
export const refundEntry = (refund: {
  id: string;
  businessId: string;
  amountMinor: number;
  currency: Currency;
}): NewEntry => ({
  key: `refund/${refund.id}`,
  kind: 'refund',
  currency: refund.currency,
  about: refund.id,
  lines: [
    { account: { kind: 'business_balance', ownerId: refund.businessId }, amountMinor: -refund.amountMinor },
    { account: { kind: 'provider_clearing' }, amountMinor: refund.amountMinor },
  ],
});

/**
 * Ends a refund. A sent refund can still fail.
 * @returns the refund, unless it had ended this way before
 */
export async function endRefund(tx: Tx, refundId: string, status: 'sent' | 'failed', at: Date) {
  const updated = await tx
    .updateTable('card_refunds')
    .set({ status, updatedAt: at })
    .where('id', '=', refundId)
    .where('status', 'in', status === 'sent' ? ['created'] : ['created', 'sent'])
    .returningAll()
    .executeTakeFirst();
  emitOfBusiness(tx, 'wallet', updated);
  return updated;
}

/** Ends a charge that never reached the provider. No money moved. */
export const endUnasked = (tx: Tx, charge: ChargeRow): Promise<void> => endUnpaid(tx, chargeFactsOf(charge));

type ChargebackRow = Selectable<Chargebacks>;

async function findChargeback(db: Db, ref: string): Promise<ChargebackRow | undefined> {
  const { rows } = await sql<ChargebackRow>`select * from chargebacks where ref = ${ref}`.execute(db);
  return rows[0];
}

/** Freezes the hold of a disputed charge and recovers the rest from the balance, then the platform (ADR 71). */
export async function openChargeback(
  tx: Tx,
  scope: OutcomeScope,
  { ref, chargeId, amountMinor }: { ref: string; chargeId: string; amountMinor: number },
): Promise<void> {
  const holdId = holdOf(await requireCharge(tx, chargeId));
  if (holdId !== null) await chargeHooks.on.holdFrozen(tx, scope, holdId, true);
  const charge = await lockedCharge(tx, chargeId);
  if (amountMinor > charge.amountMinor) throw new Error(`chargeback ${ref} is of more than its charge`);
  const currency = charge.currency;
  const heldMinor = holdId === null ? 0 : await balanceOf(tx, { kind: 'hold', ownerId: holdId }, currency);
  const borneMinor = await affordableMinor(tx, charge, amountMinor - Math.min(heldMinor, amountMinor));
  const { entryId } = await postEntry(tx, scope, {
    key: `chargeback/${ref}`,
    kind: 'chargeback',
    currency,
    about: chargeId,
    lines: [
      { account: { kind: 'provider_clearing' as const }, amountMinor },
      { account: balanceAccount(charge), amountMinor: -borneMinor },
      { account: { kind: 'platform_losses' as const }, amountMinor: borneMinor - amountMinor },
    ].filter((line) => line.amountMinor !== 0),
  });
  const now = scope.clock.now();
  await tx
    .insertInto('chargebacks')
    .values({
      ref,
      chargeId,
      status: 'open',
      amountMinor,
      borneMinor,
      entryId,
      openedAt: now,
      updatedAt: now,
    })
    .execute();
  await summarize(tx, scope, chargeId);
  await notifyOfChargeback(tx, scope, charge, 'open', { ref, amountMinor });
}

/** Reverses a won chargeback; recovers a lost one from the hold, then from the balance. */
export async function closeChargeback(
  tx: Tx,
  scope: OutcomeScope,
  ref: string,
  decision: 'won' | 'lost',
): Promise<void> {
  const chargeback = await findChargeback(tx, ref);
  if (!chargeback) throw new Error(`chargeback ${ref} was never opened`);
  const { chargeId, amountMinor, entryId } = chargeback;
  const disputed = await requireCharge(tx, chargeId);
  const holdId = holdOf(disputed);
  let borneMinor = chargeback.borneMinor;
  if (decision === 'won') {
    // Reverses the money first, because owed pay may need the balance too.
    await reverseEntry(tx, scope, { key: `chargeback-won/${ref}`, entryId, kind: 'chargeback_won' });
    borneMinor = 0;
  } else {
    const currency = disputed.currency;
    if (holdId !== null)
      borneMinor += await chargeHooks.needs.chargeBackHold(tx, scope, holdId, {
        ref,
        chargeId,
        currency,
        amountMinor: amountMinor - borneMinor,
      });
    const charge = await lockedCharge(tx, chargeId);
    const more = await affordableMinor(tx, charge, amountMinor - borneMinor);
    if (more > 0)
      await postEntry(tx, scope, {
        key: `chargeback-lost/${ref}`,
        kind: 'chargeback',
        currency,
        about: chargeId,
        lines: [
          { account: balanceAccount(charge), amountMinor: -more },
          { account: { kind: 'platform_losses' }, amountMinor: more },
        ],
      });
    borneMinor += more;
  }
  await tx
    .updateTable('chargebacks')
    .set({ status: decision, borneMinor, updatedAt: scope.clock.now() })
    .where('ref', '=', ref)
    .execute();
  await summarize(tx, scope, chargeId);
  if (holdId !== null)
    await chargeHooks.on.holdFrozen(tx, scope, holdId, (await countOpenChargebacks(tx, holdId)) > 0);
  await notifyOfChargeback(tx, scope, disputed, decision, { ref, amountMinor });
}

async function summarize(tx: Tx, scope: OutcomeScope, chargeId: string): Promise<void> {
  const { rows } = await sql<{ status: ChargebackStatus }>`
    select status from chargebacks where charge_id = ${chargeId}`.execute(tx);
  const chargeback = chargebackSummary(rows.map(({ status }) => status));
  await updateCharge(tx, chargeId, { chargeback, updatedAt: scope.clock.now() });
}

const holdOf = (charge: ChargeRow): string | null =>
  charge.landed === 'subject' && (charge.purpose === 'hold' || charge.purpose === 'cover')
    ? charge.subjectId
    : null;

const balanceAccount = (charge: ChargeRow) => ({
  kind: 'business_balance' as const,
  ownerId: charge.businessId,
});

/**
 * The amount that the balance can pay. If it is spent concurrently, the ledger refuses and the task retries.
 */
const affordableMinor = async (tx: Tx, charge: ChargeRow, amountMinor: number): Promise<number> =>
  Math.min(amountMinor, await balanceOf(tx, balanceAccount(charge), charge.currency));

async function requireCharge(tx: Tx, chargeId: string): Promise<ChargeRow> {
  const charge = await findCharge(tx, chargeId);
  if (!charge) throw new Error(`there is no charge ${chargeId}`);
  return charge;
}

/** Locks the charge after the hold and before the ledger; a concurrent refund waits here. */
async function lockedCharge(tx: Tx, chargeId: string): Promise<ChargeRow> {
  const charge = await lockCharge(tx, chargeId);
  if (!charge) throw new Error(`there is no charge ${chargeId}`);
  return charge;
}
