import type { Tx } from '../../platform/db.ts';
import { cancelChargeOf } from '../charges/charges.ts';
import { type MoneyScope, moneyHooks, type WorkToPay } from '../hooks.ts';
import { returnRest } from './hold-entries.ts';
import { cancelHoldTimers, fundingOf, isPlanned, moveHold, ownerOf } from './hold-transitions.ts';
import { endOfHold, isOpenHold } from './holds.rules.ts';
import { findReleases, type HoldRow, lockHold } from './holds.sql.ts';
import { owedMinor, payOwed } from './releases.ts';

/** Returns the rest of a hold, unless pay is owed or a chargeback is open. The engagement must be locked. */
export async function finishHold(tx: Tx, scope: MoneyScope, engagementId: string): Promise<void> {
  const row = await lockHold(tx, { engagementId });
  if (row && isPlanned(row)) return dropPlanned(tx, scope, row);
  if (!row || !isOpenHold(row.status) || row.frozen) return;
  // Returns nothing before all agreed pay is released, even a cent too small to pay.
  if ((await owedMinor(tx, engagementId)) > 0) return;
  const back = await returnRest(tx, scope, row);
  const hasReleased = (await findReleases(tx, engagementId)).some(({ state }) => state === 'released');
  const action = endOfHold(row.status, { paid: hasReleased, back: back > 0 });
  if (!action) return;
  await moveHold(tx, scope, row, { action });
  await moneyHooks.on.fundingChanged(tx, ownerOf(row), hasReleased ? 'funded' : 'not_funded');
}

/**
 * Releases owed pay after money arrived, and returns the rest of finished work. Engagement and hold must be
 * locked.
 */
export async function payWhatWaited(tx: Tx, scope: MoneyScope, work: WorkToPay): Promise<void> {
  const { engagementId } = work;
  const isSettled = (await payOwed(tx, scope, work)) === 0 && work.isOver;
  const row = await lockHold(tx, { engagementId });
  if (!row) return;
  await moneyHooks.on.fundingChanged(
    tx,
    ownerOf(row),
    isSettled && !row.frozen ? 'funded' : await fundingOf(tx, row),
  );
  if (isSettled) await finishHold(tx, scope, engagementId);
}

/** Returns a hold that ended without a hire. A frozen hold stays until the chargeback is decided. */
export async function refundHold(
  tx: Tx,
  scope: MoneyScope,
  filter: { holdId: string } | { offerId: string },
): Promise<void> {
  const row = await lockHold(tx, filter);
  if (!row) return;
  if (isPlanned(row)) return dropPlanned(tx, scope, row);
  if (row.status === 'authorising') {
    await cancelHoldTimers(tx, row);
    await moveHold(tx, scope, row, { action: 'drop', changes: { payBy: null } });
    await cancelChargeOf(tx, scope, row.id, 'hold');
    return;
  }
  if (row.status !== 'held' || row.frozen) return;
  await returnRest(tx, scope, row);
  await moveHold(tx, scope, row, { action: 'refund' });
  await moneyHooks.on.fundingChanged(tx, { offerId: row.offerId, engagementId: null }, 'not_funded');
}

/** Ends a planned hold before its money was set aside. The hold and its owner must be locked. */
async function dropPlanned(tx: Tx, scope: MoneyScope, row: HoldRow): Promise<void> {
  await cancelHoldTimers(tx, row);
  await moveHold(tx, scope, row, { action: 'drop', changes: { payBy: null } });
  await cancelChargeOf(tx, scope, row.id, 'hold');
  await moneyHooks.on.fundingChanged(tx, ownerOf(row), 'not_funded');
}
