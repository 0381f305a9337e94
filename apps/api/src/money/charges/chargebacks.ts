import type { Currency } from '@nearhand/contract/money';
import type { Tx } from '../../platform/db.ts';
import { balanceOf, postEntry, reverseEntry } from '../ledger/ledger.ts';
import { chargeHooks } from './charge-hooks.ts';
import { notifyOfChargeback } from './charge-notices.ts';
import type { OutcomeScope } from './charges.ts';
import { type ChargeRow, countOpenChargebacks, findCharge, lockCharge, updateCharge } from './charges.ts';

/**
 * The owner of a card disputes a charge: the provider withholds the money until the bank decides (ADR 71). The rest of its hold is frozen, what is no
 * longer held is taken from the balance of the business as far as it goes, and the platform bears the remainder.
 * @param amountMinor minor units of the charge's currency /
 */
export async function openChargeback(
  tx: Tx,
  scope: OutcomeScope,
  chargeId: string,
  amountMinor: number,
): Promise<void> {
  const found = await requireCharge(tx, chargeId);
  const holdId = holdOf(found);
  if (holdId !== null) await chargeHooks.on.holdFrozen(tx, scope, holdId, true);
  const charge = await lockedCharge(tx, chargeId);
  const currency = charge.currency as Currency;
  const heldMinor = holdId === null ? 0 : await balanceOf(tx, { kind: 'hold', ownerId: holdId }, currency);
  const borneMinor = await affordable(tx, charge, amountMinor - Math.min(heldMinor, amountMinor));
  const { entryId } = await postEntry(tx, scope, {
    key: `chargeback/${chargeId}`,
    kind: 'chargeback',
    currency,
    about: chargeId,
    lines: [
      { account: { kind: 'provider_clearing' as const }, amountMinor },
      { account: balanceAccount(charge), amountMinor: -borneMinor },
      { account: { kind: 'platform_losses' as const }, amountMinor: borneMinor - amountMinor },
    ].filter((line) => line.amountMinor !== 0),
  });
  await updateCharge(tx, chargeId, {
    chargeback: 'open',
    chargeback_minor: amountMinor,
    chargeback_borne_minor: borneMinor,
    chargeback_entry_id: entryId,
    updated_at: scope.clock.now(),
  });
  await notifyOfChargeback(tx, scope, charge, 'open', amountMinor);
}

/**
 * The bank decided. Won: everything is reversed and the hold continues. Lost: the platform recovers what it bore from the hold, then from the balance;
 * the remainder is its loss.
 */
export async function closeChargeback(
  tx: Tx,
  scope: OutcomeScope,
  chargeId: string,
  decision: 'won' | 'lost',
): Promise<void> {
  const found = await requireCharge(tx, chargeId);
  const holdId = holdOf(found);
  const amountMinor = found.chargeback_minor ?? 0;
  let borneMinor = found.chargeback_borne_minor ?? 0;
  if (decision === 'won') {
    const entryId = found.chargeback_entry_id;
    if (entryId === null) throw new Error(`the chargeback of ${chargeId} was never opened`);
    // Money first: pay that was waiting may need the balance too.
    await reverseEntry(tx, scope, { key: `chargeback-won/${chargeId}`, entryId, kind: 'chargeback_won' });
    borneMinor = 0;
  } else {
    const currency = found.currency as Currency;
    if (holdId !== null)
      borneMinor += await chargeHooks.on.holdChargedBack(tx, scope, holdId, {
        chargeId,
        currency,
        amountMinor: amountMinor - borneMinor,
      });
    const charge = await lockedCharge(tx, chargeId);
    const more = await affordable(tx, charge, amountMinor - borneMinor);
    if (more > 0)
      await postEntry(tx, scope, {
        key: `chargeback-lost/${chargeId}`,
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
  await updateCharge(tx, chargeId, {
    chargeback: decision,
    chargeback_borne_minor: borneMinor,
    updated_at: scope.clock.now(),
  });
  // Another disputed charge of the same hold may still be open.
  if (holdId !== null)
    await chargeHooks.on.holdFrozen(tx, scope, holdId, (await countOpenChargebacks(tx, holdId)) > 0);
  await notifyOfChargeback(tx, scope, found, decision, amountMinor);
}

/** The hold that a charge's money went into. */
const holdOf = (charge: ChargeRow): string | null =>
  charge.landed === 'subject' && (charge.purpose === 'hold' || charge.purpose === 'cover')
    ? charge.subject_id
    : null;

const balanceAccount = (charge: ChargeRow) => ({
  kind: 'business_balance' as const,
  ownerId: charge.business_id,
});

/** The part of an amount that the balance covers now. If it is spent concurrently, the ledger refuses and the task retries. */
const affordable = async (tx: Tx, charge: ChargeRow, amountMinor: number): Promise<number> =>
  Math.min(amountMinor, await balanceOf(tx, balanceAccount(charge), charge.currency as Currency));

async function requireCharge(tx: Tx, chargeId: string): Promise<ChargeRow> {
  const charge = await findCharge(tx, chargeId);
  if (!charge) throw new Error(`there is no charge ${chargeId}`);
  return charge;
}

/** Locked after the hold and before the ledger, like everywhere; a concurrent refund waits here. */
async function lockedCharge(tx: Tx, chargeId: string): Promise<ChargeRow> {
  const charge = await lockCharge(tx, chargeId);
  if (!charge) throw new Error(`there is no charge ${chargeId}`);
  return charge;
}
