import type { Currency } from '@nearhand/contract/currencies';
import type { Tx } from '../../platform/db.ts';
import { type MoneyScope, moneyHooks, type OfferToPay, type WorkToPay } from '../hooks.ts';
import { balanceOf, postEntry } from '../ledger/ledger.ts';
import { payWhatWaited, refundHold } from './end-holds.ts';
import { holdAccount, remainingOf } from './hold-entries.ts';
import { fundingOf, moveHold, ownerOf } from './hold-transitions.ts';
import { isOpenHold } from './holds.rules.ts';
import { findHold, type HoldRow, lockHold, updateHold } from './holds.sql.ts';

type LockedHold = { row: HoldRow; offer: OfferToPay | null; work: WorkToPay | null };

/** Locks a hold after its owner (ADR 38). */
async function lockWhole(tx: Tx, scope: MoneyScope, holdId: string): Promise<LockedHold | null> {
  const hold = await findHold(tx, holdId);
  if (!hold) return null;
  const offer = hold.offerId ? await moneyHooks.needs.lockOffer(tx, scope, hold.offerId) : null;
  const work = hold.engagementId ? await moneyHooks.needs.lockWork(tx, scope, hold.engagementId) : null;
  const row = await lockHold(tx, { holdId });
  return row ? { row, offer, work } : null;
}

/** Freezes or unfreezes a hold for a chargeback (product.md, Hold; ADR 76). Idempotent. */
export async function freezeHold(tx: Tx, scope: MoneyScope, holdId: string, frozen: boolean): Promise<void> {
  const whole = await lockWhole(tx, scope, holdId);
  if (!whole) return;
  const { row, offer, work } = whole;
  if (row.frozen === frozen || (frozen && !isOpenHold(row.status))) return;
  const after = await updateHold(tx, row, { frozen, updatedAt: scope.clock.now() });
  await moneyHooks.on.fundingChanged(tx, ownerOf(after), await fundingOf(tx, after));
  if (frozen) return;
  if (work) await payWhatWaited(tx, scope, work);
  else if (offer?.status !== 'sent') await refundHold(tx, scope, { holdId });
}

/**
 * Takes up to an amount of a hold after a lost chargeback; owed pay stays owed.
 * @returns minor units taken
 */
export async function chargeBackHold(
  tx: Tx,
  scope: MoneyScope,
  holdId: string,
  chargeback: { ref: string; chargeId: string; amountMinor: number; currency: Currency },
): Promise<number> {
  const whole = await lockWhole(tx, scope, holdId);
  if (!whole || !isOpenHold(whole.row.status)) return 0;
  const { row } = whole;
  // Leaves promotional credit in the hold, since it did not come from the card.
  const takenMinor = Math.min(
    chargeback.amountMinor,
    await balanceOf(tx, holdAccount(holdId), chargeback.currency),
  );
  if (takenMinor > 0)
    await postEntry(tx, scope, {
      key: `chargeback-hold/${chargeback.ref}`,
      kind: 'chargeback',
      currency: chargeback.currency,
      about: chargeback.chargeId,
      lines: [
        { account: holdAccount(holdId), amountMinor: -takenMinor },
        { account: { kind: 'platform_losses' }, amountMinor: takenMinor },
      ],
    });
  // Money added from other sources is not disputed: the caller unfreezes the hold, and it pays what it can.
  if ((await remainingOf(tx, row)) > 0) return takenMinor;
  const thawed = await updateHold(tx, row, { frozen: false });
  await moveHold(tx, scope, thawed, { action: 'take-back' });
  await moneyHooks.on.fundingChanged(tx, ownerOf(row), 'not_funded');
  return takenMinor;
}
