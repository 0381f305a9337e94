import type { MemberRole } from '@nearhand/contract/member-roles';
import { type Hold, holds } from '@nearhand/contract/money/holds';
import type { FundingSource } from '@nearhand/contract/money/wallet';
import { roleMay } from '@nearhand/contract/people/team.rules';
import { findRoleAt } from '../../people/businesses/members.sql.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { logFailure } from '../../platform/tasks/repair.ts';
import { defineTask, type TaskScope } from '../../platform/tasks/tasks.ts';
import { cancelChargeOf, isBeingAsked, lastChargeOf } from '../charges/charges.ts';
import { moneyHooks } from '../hooks.ts';
import { chooseFunding, seesMoney } from '../wallet/wallet.ts';
import { endCheckout, holdFromBalance, holdFromCard, lockForOffer } from './checkouts.ts';
import { remainingOf } from './hold-entries.ts';
import { checkoutTimer, fundTimer, isPlanned } from './hold-transitions.ts';
import { findHold, findHoldOf, findLostPlans, findOverdueCheckouts, type HoldRow } from './holds.sql.ts';
import { fundPlanned } from './planned-holds.ts';

/**
 * Pays an unpaid hold during the checkout, or a planned one early, and stops a charge in progress. For recruiters
 * of the business.
 */
export async function payHold(
  tx: Tx,
  scope: Scope,
  { holdId, funding }: { holdId: string; funding: FundingSource },
): Promise<Hold> {
  const unlocked = await findHold(tx, holdId);
  const role = unlocked && (await findRoleAt(tx, unlocked.jobId, scope.actor.accountId));
  if (!unlocked || !role) throw new AppError('payment/not-found');
  if (!canPayHolds(role)) throw new AppError('payment/not-allowed');
  const locked = await lockForOffer(tx, scope, holdId);
  const { status, payBy } = locked?.hold ?? unlocked;
  if (status === 'held') return getHold(tx, scope, { holdId });
  const now = scope.clock.now();
  const isUnpaid = status === 'authorising' && payBy !== null && payBy > now && locked?.offer.canBeSent;
  const isEarly = locked !== null && isPlanned(locked.hold) && now < locked.hold.fundBy;
  if (!locked || !(isUnpaid || isEarly)) throw new AppError('payment/wrong-state', { status });
  const { offerId, offer, hold } = locked;
  const fundingSource = await chooseFunding(tx, scope, {
    businessId: hold.businessId,
    amountMinor: hold.payMinor + hold.feeMinor,
    currency: hold.currency,
    funding,
  });
  if (fundingSource.from === 'balance') {
    await cancelChargeOf(tx, scope, holdId, 'hold');
    await holdFromBalance(tx, scope, [hold]);
    if (!isEarly) await moneyHooks.on.offerPaid(tx, scope, offerId);
  } else {
    const last = await lastChargeOf(tx, holdId);
    if (last && isBeingAsked(last)) return getHold(tx, scope, { holdId });
    await cancelChargeOf(tx, scope, holdId, 'hold');
    const { cardId, inApp } = fundingSource;
    const { description, page } = offer;
    await holdFromCard(tx, scope, hold, { cardId, inApp, description, page });
  }
  return getHold(tx, scope, { holdId });
}

/**
 * Sets the planned pay of booked work aside early, as `payHold` does. It is owed, so a suspension from hiring does
 * not refuse it. For recruiters of the business.
 * @throws payment/wrong-state (data: status) unless the hold belongs to booked work, and as `payHold`
 */
async function payBookedHold(
  tx: Tx,
  scope: Scope,
  request: { holdId: string; funding: FundingSource },
): Promise<Hold> {
  const row = await findHold(tx, request.holdId);
  const role = row && (await findRoleAt(tx, row.jobId, scope.actor.accountId));
  if (row && role && row.engagementId === null)
    throw new AppError('payment/wrong-state', { status: row.status });
  return payHold(tx, scope, request);
}

/** Ends checkouts overdue since a time, and funds planned holds overdue since then whose task was lost. */
export async function reconcileCheckouts(scope: TaskScope, since: Date): Promise<void> {
  for (const { id } of await findOverdueCheckouts(scope.db, since, 1_000))
    await logFailure(scope, `checkout ${id}`, () => endCheckout(scope, id));
  for (const { id } of await findLostPlans(scope.db, {
    taskName: fundTimer.name,
    before: since,
    limit: 1_000,
  }))
    await logFailure(scope, `planned hold ${id}`, () => fundPlanned(scope, id));
}

/** Anyone who hires may pay a hold. Finance pays bills but approves nothing. */
const canPayHolds = (role: MemberRole): boolean => roleMay(role, 'spend');

/** Returns a hold to members of its business; its charge only to those who see the saved cards. */
async function getHold(db: Db, scope: Scope, { holdId }: { holdId: string }): Promise<Hold> {
  const row = await findHold(db, holdId);
  if (!row || (await findRoleAt(db, row.jobId, scope.actor.accountId)) === null)
    throw new AppError('payment/not-found');
  return toHold(db, scope, row);
}

export async function holdOfOffer(db: Db, scope: Scope, offerId: string): Promise<Hold | null> {
  const row = await findHoldOf(db, { offerId });
  return row ? toHold(db, scope, row) : null;
}

async function toHold(db: Db, scope: Scope, row: HoldRow): Promise<Hold> {
  return {
    ...row,
    amountMinor: row.payMinor + row.feeMinor + row.addedMinor,
    remainingMinor: await remainingOf(db, row),
    payBy: row.payBy?.toISOString() ?? null,
    fundAt: row.fundAt?.toISOString() ?? null,
    fundBy: row.fundBy?.toISOString() ?? null,
    charge: (await seesMoney(db, scope, row.businessId)) ? await lastChargeOf(db, row.id) : null,
  };
}

export const holdsRoutes = {
  get: read(holds.get, getHold),
  pay: write(holds.pay, payHold),
  payBooked: write(holds.payBooked, payBookedHold),
};

export const holdsTasks = [
  defineTask({
    ...checkoutTimer,
    queue: 'money',
    run: (scope, { holdId }) => endCheckout(scope, holdId),
  }),
  defineTask({ ...fundTimer, queue: 'money', run: (scope, { holdId }) => fundPlanned(scope, holdId) }),
];
