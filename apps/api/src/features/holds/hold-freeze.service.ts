import type { Currency } from '@nearhand/contract/currencies';
import type { Tx } from '../../platform/db.ts';
import { engagementForTimer } from '../engagements/engagement-moves.service.ts';
import { postEntry } from '../ledger/ledger.service.ts';
import { lockOfferOf } from '../offers/unpaid-offers.service.ts';
import { payWhatWaited } from './hold-endings.service.ts';
import { isOpenHold } from './holds.rules.ts';
import {
  fundingOf,
  type HoldRow,
  holdAccount,
  type MoneyScope,
  moveHold,
  refundHold,
  remainingOf,
  showFunding,
} from './holds.service.ts';
import { findHold, lockHold, updateHold } from './holds.sql.ts';

/** A hold, locked after what it is for (ADR 0073). */
async function lockWhole(
  tx: Tx,
  holdId: string,
): Promise<{ row: HoldRow; offerStatus: string | null } | null> {
  const found = await findHold(tx, holdId);
  if (!found) return null;
  const offer = found.offer_id ? await lockOfferOf(tx, found.offer_id) : null;
  if (found.engagement_id) await engagementForTimer(tx, found.engagement_id);
  const row = await lockHold(tx, { holdId });
  return row ? { row, offerStatus: offer?.status ?? null } : null;
}

/**
 * For chargebacks: what remains of a hold is neither paid nor given back while one is open (product.md, Hold). Once it is decided for the business, pay that
 * waited is paid, and what ended meanwhile is given back. Where a lost one took a part, offer and engagement say so (ADR 0109). Nothing happens to a hold that is over; a repeat changes nothing.
 */
export async function freezeHold(tx: Tx, scope: MoneyScope, holdId: string, frozen: boolean): Promise<void> {
  const whole = await lockWhole(tx, holdId);
  if (!whole) return;
  const { row, offerStatus } = whole;
  if (row.frozen === frozen || (frozen && !isOpenHold(row.status))) return;
  const after = await updateHold(tx, row, { frozen, updated_at: scope.clock.now() });
  await showFunding(tx, after, await fundingOf(tx, after));
  if (frozen) return;
  if (row.engagement_id) await payWhatWaited(tx, scope, row.engagement_id);
  else if (offerStatus !== 'sent') await refundHold(tx, scope, { holdId });
}

/**
 * For chargebacks that were lost: takes up to an amount of what remains of a hold for the platform, which has borne it so far. With nothing left the hold is over
 * and what it was for is not funded any more; pay that waits stays owed.
 * @returns minor units taken
 */
export async function takeBackHold(
  tx: Tx,
  scope: MoneyScope,
  holdId: string,
  wish: { chargeId: string; amountMinor: number; currency: Currency },
): Promise<number> {
  const whole = await lockWhole(tx, holdId);
  if (!whole || !isOpenHold(whole.row.status)) return 0;
  const { row } = whole;
  const takes = Math.min(wish.amountMinor, await remainingOf(tx, row));
  if (takes > 0)
    await postEntry(tx, scope, {
      key: `chargeback-hold/${wish.chargeId}`,
      kind: 'chargeback',
      currency: wish.currency,
      about: wish.chargeId,
      lines: [
        { account: holdAccount(holdId), amountMinor: -takes },
        { account: { kind: 'platform_losses' }, amountMinor: takes },
      ],
    });
  // What was added from elsewhere is not disputed: it is thawed by the caller and pays what it can.
  if ((await remainingOf(tx, row)) > 0) return takes;
  const thawed = await updateHold(tx, row, { frozen: false });
  await moveHold(tx, scope, thawed, 'take-back');
  await showFunding(tx, row, 'not_funded');
  return takes;
}
