import type { Currency } from '@nearhand/contract/money';
import type { Tx } from '../../platform/db.ts';
import { freezeHold, takeBackHold } from '../holds/hold-freeze.service.ts';
import { balanceOf, postEntry, reverseEntry } from '../ledger/ledger.service.ts';
import { type ChargeRow, countOpenChargebacks, findCharge, lockCharge, updateCharge } from './charges.sql.ts';
import { tellOfChargeback } from './payment-notices.service.ts';
import type { OutcomeScope } from './payments.queue.ts';
import { businessBalance } from './wallet.service.ts';

/**
 * The owner of a card disputes a charge: the provider has taken its money back until the bank decides, so the books say so at once (ADR 0071). What remains of its hold
 * is frozen; what is no longer in a hold is taken from the balance of the business as far as that goes, and the platform bears the rest meanwhile.
 * @param amountMinor minor units of the charge's currency
 */
export async function openChargeback(
  tx: Tx,
  scope: OutcomeScope,
  chargeId: string,
  amountMinor: number,
): Promise<void> {
  const found = await demandCharge(tx, chargeId);
  const holdId = holdOf(found);
  if (holdId !== null) await freezeHold(tx, scope, holdId, true);
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
  await tellOfChargeback(tx, scope, charge, 'open', amountMinor);
}

/**
 * The bank has decided. Won: all of it is undone, and what waited in the hold goes on. Lost: what the platform bears is taken from what remains of the hold, then from
 * the balance as far as it goes; what is left is its loss.
 */
export async function closeChargeback(
  tx: Tx,
  scope: OutcomeScope,
  chargeId: string,
  decision: 'won' | 'lost',
): Promise<void> {
  const found = await demandCharge(tx, chargeId);
  const holdId = holdOf(found);
  const amountMinor = found.chargeback_minor ?? 0;
  let borneMinor = found.chargeback_borne_minor ?? 0;
  if (decision === 'won') {
    const entryId = found.chargeback_entry_id;
    if (entryId === null) throw new Error(`the chargeback of ${chargeId} was never opened`);
    // The money first: what waited in the hold may be paid from the balance too.
    await reverseEntry(tx, scope, { key: `chargeback-won/${chargeId}`, entryId, kind: 'chargeback_won' });
    borneMinor = 0;
  } else {
    const currency = found.currency as Currency;
    if (holdId !== null)
      borneMinor += await takeBackHold(tx, scope, holdId, {
        ...{ chargeId, currency },
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
  // Of two disputed charges of one hold the other may still be open.
  if (holdId !== null) await freezeHold(tx, scope, holdId, (await countOpenChargebacks(tx, holdId)) > 0);
  await tellOfChargeback(tx, scope, found, decision, amountMinor);
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

/** What of an amount the balance of the business has now. Should it be spent in the same moment the ledger refuses, and the task that brought us here comes again. */
const affordable = async (tx: Tx, charge: ChargeRow, amountMinor: number): Promise<number> =>
  Math.min(amountMinor, await businessBalance(tx, charge.business_id, charge.currency as Currency));

async function demandCharge(tx: Tx, chargeId: string): Promise<ChargeRow> {
  const charge = await findCharge(tx, chargeId);
  if (!charge) throw new Error(`there is no charge ${chargeId}`);
  return charge;
}

/** After the hold and before the ledger, as everybody locks them; a refund in the same moment waits here. */
async function lockedCharge(tx: Tx, chargeId: string): Promise<ChargeRow> {
  const charge = await lockCharge(tx, chargeId);
  if (!charge) throw new Error(`there is no charge ${chargeId}`);
  return charge;
}
