import type { Tx } from '../../platform/db.ts';
import { type MoneyScope, moneyHooks, type WorkToPay } from '../hooks.ts';
import { endOfHold, isOpenHold } from './holds.rules.ts';
import { lockHold } from './holds.sql.ts';
import { findReleases, fundingOf, moveHold, ownerOf, returnRest } from './holds.ts';
import { owedMinor, payOwed } from './releases.ts';

/**
 * For the slices that end an engagement: no more pay will be agreed, so the rest of its hold goes back to the balance of the business. The hold stays open while pay
 * is owed, and while a chargeback freezes it. The engagement must be locked. A repeat is a no-op.
 */
export async function finishHold(tx: Tx, scope: MoneyScope, engagementId: string): Promise<void> {
  const row = await lockHold(tx, { engagementId });
  if (!row || !isOpenHold(row.status) || row.frozen) return;
  // Nothing is returned before all agreed pay is released, not even a cent that pays nothing by itself.
  if ((await owedMinor(tx, engagementId)) > 0) return;
  const back = await returnRest(tx, scope, row);
  const paid = (await findReleases(tx, engagementId)).some(({ state }) => state === 'released');
  const action = endOfHold(row.status, { paid, back: back > 0 });
  if (!action) return;
  await moveHold(tx, scope, row, action);
  // Paid work keeps saying that it was funded.
  await moneyHooks.on.fundingChanged(tx, ownerOf(row), paid ? 'funded' : 'not_funded');
}

/**
 * After money came into a hold or is free again: owed pay is released as far as it goes, the rest is returned once the work is over and paid, and offer and
 * engagement show what is set aside now. Engagement and hold must be locked.
 */
export async function payWhatWaited(tx: Tx, scope: MoneyScope, work: WorkToPay): Promise<void> {
  const { engagementId } = work;
  const settled = (await payOwed(tx, scope, work)) === 0 && work.isOver;
  const row = await lockHold(tx, { engagementId });
  if (!row) return;
  await moneyHooks.on.fundingChanged(
    tx,
    ownerOf(row),
    settled && !row.frozen ? 'funded' : await fundingOf(tx, row),
  );
  if (settled) await finishHold(tx, scope, engagementId);
}
