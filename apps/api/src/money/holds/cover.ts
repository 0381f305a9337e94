import { sumOf } from '@nearhand/contract/arithmetic';
import type { Currency } from '@nearhand/contract/currencies';
import type { Charge } from '@nearhand/contract/money/charges';
import type { FundingSource } from '@nearhand/contract/money/wallet';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import { type BudgetPart, dayOfWork, requireBudgets } from '../budgets/budget-limits.ts';
import { cancelChargeOf, isBeingAsked, lastChargeOf, startCharge } from '../charges/charges.ts';
import { type MoneyScope, moneyHooks, type WorkToPay } from '../hooks.ts';
import { chooseFunding } from '../wallet/wallet.ts';
import { holdFromBalance } from './checkouts.ts';
import { payWhatWaited } from './end-holds.ts';
import { addFromBalance, fundFromCharge, refuseShort, returnPart, tryHold } from './hold-entries.ts';
import { fundingTimesOf, type HoldTerms, isPlanned, moveHold, setFundTimer } from './hold-transitions.ts';
import { isOpenHold } from './holds.rules.ts';
import { findHold, type HoldRow, lockHold, updateHold } from './holds.sql.ts';
import { quoteRelease } from './release-quotes.ts';
import { owedMinor, takePayee } from './releases.ts';

/**
 * Sets aside the missing part of the pay, fee included, and releases owed pay. The engagement must be locked.
 * @param wanted.payMinor the pay about to be approved; null covers owed pay only
 * @throws payment/nothing-missing, payment/balance-short
 * (data: missingMinor, currency), payment/card-not-found, payment/method-missing
 */
export async function addMissing(
  tx: Tx,
  scope: MoneyScope,
  work: WorkToPay,
  request: { payMinor: number | null; funding: FundingSource; description: string; returnPath: string },
): Promise<Charge | null> {
  const { engagementId } = work;
  const hold = await lockHold(tx, { engagementId });
  if (!hold) throw new Error(`engagement ${engagementId} has no hold`);
  const { missingMinor } = await quoteRelease(tx, engagementId, request.payMinor);
  if (missingMinor === 0) throw new AppError('payment/nothing-missing');
  const last = await lastChargeOf(tx, hold.id);
  if (last?.purpose === 'cover' && isBeingAsked(last)) return last;
  const { businessId, currency } = hold;
  const funding = await chooseFunding(tx, scope, {
    businessId,
    amountMinor: missingMinor,
    currency,
    funding: request.funding,
  });
  await cancelChargeOf(tx, scope, hold.id, 'cover');
  if (funding.from === 'balance') {
    await takePayee(tx, work.workerId, currency);
    if (!(await addFromBalance(tx, scope, hold, missingMinor)))
      await refuseShort(tx, scope, { businessId, amountMinor: missingMinor, currency });
    await addToHold(tx, scope, hold, work, missingMinor);
    return null;
  }
  await startCharge(tx, scope, {
    businessId,
    cardId: funding.cardId,
    purpose: 'cover',
    subjectId: hold.id,
    amountMinor: missingMinor,
    currency,
    description: request.description,
    returnPath: request.returnPath,
  });
  return lastChargeOf(tx, hold.id);
}

async function addToHold(
  tx: Tx,
  scope: MoneyScope,
  hold: HoldRow,
  work: WorkToPay,
  amountMinor: number,
): Promise<void> {
  const changes = { addedMinor: hold.addedMinor + amountMinor };
  if (isOpenHold(hold.status)) await updateHold(tx, hold, changes);
  else await moveHold(tx, scope, hold, { action: 'add', changes });
  await payWhatWaited(tx, scope, work);
}

/** Puts a successful charge for missing pay into the hold; `balance` if no more pay can be owed. */
export async function applyCoverCharge(
  tx: Tx,
  scope: MoneyScope,
  holdId: string,
  charge: { id: string; amountMinor: number; currency: Currency },
): Promise<'subject' | 'balance'> {
  const unlocked = await findHold(tx, holdId);
  const work = unlocked?.engagementId && (await moneyHooks.needs.lockWork(tx, scope, unlocked.engagementId));
  const hold = await lockHold(tx, { holdId });
  if (!work || !hold || hold.frozen || hold.currency !== charge.currency) return 'balance';
  if (work.isOver && (await owedMinor(tx, work.engagementId)) === 0) return 'balance';
  await fundFromCharge(tx, scope, hold, charge);
  await addToHold(tx, scope, hold, work, charge.amountMinor);
  return 'subject';
}

/**
 * Booked work and the terms that its hold shall cover. `proposed` are terms that may replace them, and count
 * against the budgets of their month and week.
 */
export type CoverPlan = { engagementId: string; terms: HoldTerms; proposed?: HoldTerms };

/** Changes to one hold. `paidNowMinor` is the share of the balance: the raise, or the whole hold if it is due now. */
type HoldChange = CoverPlan & { hold: HoldRow; raiseMinor: number; paidNowMinor: number; isDueNow: boolean };

/**
 * Moves the holds of booked work to the plan, from the balance and back to it. Holds whose money is set aside later
 * (ADR 399) only change their amounts, unless the work moves so close that it is due now. Engagements and holds must
 * be locked.
 * @throws payment/balance-short (data: missingMinor, currency), payment/over-budget
 */
export async function raisePlans(tx: Tx, scope: MoneyScope, plans: readonly CoverPlan[]): Promise<void> {
  const changes: HoldChange[] = [];
  for (const plan of plans) {
    const hold = await lockHold(tx, { engagementId: plan.engagementId });
    if (!hold) throw new Error(`engagement ${plan.engagementId} has no hold`);
    changes.push(changeOfHold(plan, hold));
  }
  for (const { engagementId, terms, hold, raiseMinor } of changes)
    if (raiseMinor === 0) await reduceHold(tx, scope, { engagementId, terms, workOn: hold.workOn });
  const groups = Map.groupBy(changes, ({ hold }) => `${hold.businessId} ${hold.currency}`);
  for (const group of groups.values()) {
    const parts = group.map((change) => budgetPart(scope, change));
    if (group[0]) await requireBudgets(tx, scope, group[0].hold, parts);
  }
  let unpaidMinor = sumOf(changes, ({ paidNowMinor }) => paidNowMinor);
  // Raises come before whole holds, so that promotional credit pays them first.
  for (const change of changes.toSorted(
    (first, second) => Number(first.isDueNow) - Number(second.isDueNow),
  )) {
    if (!(await payRaise(tx, scope, change))) {
      const { businessId, currency } = change.hold;
      await refuseShort(tx, scope, { businessId, amountMinor: unpaidMinor, currency });
    }
    unpaidMinor -= change.paidNowMinor;
  }
}

function changeOfHold(plan: CoverPlan, hold: HoldRow): HoldChange {
  const { terms, proposed } = plan;
  const raiseMinor = Math.max(0, terms.holdMinor - hold.payMinor - hold.feeMinor);
  if (!isPlanned(hold)) return { ...plan, hold, raiseMinor, paidNowMinor: raiseMinor, isDueNow: false };
  // Proposed work may start too soon to set its money aside later, so the balance pays its hold now.
  const isDueNow = proposed !== undefined && !proposed.plannedFunding;
  return { ...plan, hold, raiseMinor, paidNowMinor: isDueNow ? terms.holdMinor : 0, isDueNow };
}

const budgetPart = (scope: MoneyScope, { hold, proposed, raiseMinor }: HoldChange): BudgetPart => ({
  jobId: hold.jobId,
  day: proposed ? dayOfPlan(scope, hold, proposed) : hold.workOn,
  amountMinor: raiseMinor,
  moved: proposed && { from: hold.workOn, totalMinor: proposed.holdMinor },
});

/** Returns false if the balance is short. */
async function payRaise(tx: Tx, scope: MoneyScope, change: HoldChange): Promise<boolean> {
  const { engagementId, hold, terms, raiseMinor, isDueNow } = change;
  if (raiseMinor > 0) {
    if (!isPlanned(hold) && !(await addFromBalance(tx, scope, hold, raiseMinor))) return false;
    await updateHold(tx, hold, planColumns(terms));
  }
  const dueHold = isDueNow ? await lockHold(tx, { engagementId }) : undefined;
  if (!dueHold) return true;
  await cancelChargeOf(tx, scope, dueHold.id, 'hold');
  return (await tryHold(tx, () => holdFromBalance(tx, scope, [dueHold]))) !== null;
}

/** The day whose budgets a hold counts against under new terms. Work without a date keeps its day. */
const dayOfPlan = (scope: Pick<MoneyScope, 'clock'>, hold: HoldRow, terms: HoldTerms): string =>
  (terms.startsAt ?? terms.dueOn) === null ? hold.workOn : dayOfWork(scope, terms);

const planColumns = (terms: HoldTerms) => ({
  payMinor: terms.payTotalMinor,
  feeMinor: terms.holdMinor - terms.payTotalMinor,
});

/**
 * Reduces the hold of booked work to terms that cost no more than it holds, and returns the rest. Money comes
 * back before promotional credit, which pays work first. A frozen hold returns nothing. The engagement must
 * be locked.
 */
export async function reduceHold(
  tx: Tx,
  scope: Pick<MoneyScope, 'clock' | 'sign'>,
  { engagementId, terms, workOn }: { engagementId: string; terms: HoldTerms; workOn?: string },
): Promise<void> {
  const hold = await lockHold(tx, { engagementId });
  if (!hold) return;
  const restMinor = hold.payMinor + hold.feeMinor - terms.holdMinor;
  if (restMinor > 0 && hold.status === 'held' && !hold.frozen) await returnPart(tx, scope, hold, restMinor);
  const { fundAt, fundBy } = isPlanned(hold) ? fundingTimesOf(terms) : hold;
  await updateHold(tx, hold, {
    ...planColumns(terms),
    fundAt,
    fundBy,
    workOn: workOn ?? dayOfPlan(scope, hold, terms),
  });
  if (isPlanned(hold) && fundAt) await setFundTimer(tx, hold.id, fundAt);
}
