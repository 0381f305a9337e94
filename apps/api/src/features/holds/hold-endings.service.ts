import { hourMs } from '@nearhand/contract/durations';
import type { Tx } from '../../platform/db.ts';
import { enqueue, type TaskScope } from '../../platform/tasks.ts';
import { engagementForTimer } from '../engagements/engagement-moves.service.ts';
import { noShowEnd, noShowEndKey } from './holds.clock.ts';
import { endOfHold, isOpenHold } from './holds.rules.ts';
import { fundingOf, type MoneyScope, moveHold, returnRest, showFunding } from './holds.service.ts';
import { lockHold } from './holds.sql.ts';
import { owedMinor, payOwed } from './releases.service.ts';
import { findPayee, findReleases } from './releases.sql.ts';

const over: readonly string[] = ['completed', 'cancelled_by_worker', 'cancelled_by_merchant'];

/**
 * For the slices that end an engagement: nothing more will be paid from its hold by itself, so the rest goes back to the balance of the business. While some pay is
 * still owed the hold stays open with what is in it; what is frozen by a chargeback stays until it is decided. The engagement must be locked. Run again it does nothing.
 */
export async function finishHold(tx: Tx, scope: MoneyScope, engagementId: string): Promise<void> {
  const row = await lockHold(tx, { engagementId });
  if (!row || !isOpenHold(row.status) || row.frozen) return;
  // Nothing goes back before all that was agreed is paid, not even a cent that pays nothing by itself.
  if ((await owedMinor(tx, engagementId)) > 0) return;
  const back = await returnRest(tx, scope, row);
  const paid = (await findReleases(tx, engagementId)).some(({ state }) => state === 'released');
  const action = endOfHold(row.status, { paid, back: back > 0 });
  if (!action) return;
  await moveHold(tx, scope, row, action);
  // Paid work goes on saying that it was funded.
  if (!paid) await showFunding(tx, row, 'not_funded');
  else if ((await findPayee(tx, engagementId)).funding !== 'funded') await showFunding(tx, row, 'funded');
}

/**
 * After money came into a hold or may leave it again: what was owed is paid as far as it goes, where the work is over and all of it paid the rest goes back, and offer and
 * engagement say what lies there now. Engagement and hold must be locked.
 */
export async function payWhatWaited(tx: Tx, scope: MoneyScope, engagementId: string): Promise<void> {
  const settled = (await payOwed(tx, scope, engagementId)) === 0 && (await isOver(tx, scope, engagementId));
  const row = await lockHold(tx, { engagementId });
  if (!row) return;
  await showFunding(tx, row, settled && !row.frozen ? 'funded' : await fundingOf(tx, row));
  if (settled) await finishHold(tx, scope, engagementId);
}

/** Whether the work is over and its pay settled, so that the rest of its hold is nobody's but the business's. A no-show is once it can be contested no more. */
export async function isOver(tx: Tx, scope: MoneyScope, engagementId: string): Promise<boolean> {
  const { status, no_show_at: noShowAt, contest } = await findPayee(tx, engagementId);
  if (status !== 'no_show_reported') return over.includes(status);
  // Contested, and reported again: an operator decided that it stands.
  if (contest !== null) return true;
  return noShowAt !== null && contestEnd(scope, noShowAt) <= scope.clock.now();
}

const contestEnd = (scope: MoneyScope, noShowAt: Date): Date =>
  new Date(noShowAt.getTime() + scope.config.CONTEST_HOURS * hourMs);

/** For the engagements slice: a reported no-show that nobody contests gives the hold back at this time. */
export async function setNoShowEnd(tx: Tx, engagementId: string, at: Date): Promise<void> {
  await enqueue(tx, noShowEnd, { engagementId }, { runAt: at, key: noShowEndKey(engagementId) });
}

/** For the runner: gives back the hold of a no-show that nobody contested in time. Too early it sets itself again; contested, or run again, it does nothing. */
export async function runNoShowEnd(scope: TaskScope, engagementId: string): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const row = await engagementForTimer(tx, engagementId);
    if (row?.status !== 'no_show_reported' || !row.no_show_at) return;
    const at = contestEnd(scope, row.no_show_at);
    if (at > scope.clock.now()) return setNoShowEnd(tx, engagementId, at);
    await finishHold(tx, scope, engagementId);
  });
}
