import { budgetPeriods, periodStart } from '@nearhand/contract/money/budgets.rules';
import type { Tx } from '../../platform/db.ts';
import { dayOfWork } from '../budgets/budget-limits.ts';
import { repaySoon } from '../credit-limits/credit-limits.ts';
import type { MoneyScope } from '../hooks.ts';
import { postEntry } from '../ledger/ledger.ts';
import { spendableMinor } from '../wallet/wallet.ts';
import { holdFromBalance } from './checkouts.ts';
import { linesToReturn, tryHold } from './hold-entries.ts';
import { createHolds, type HoldTerms, moveHold } from './hold-transitions.ts';
import { type HoldRow, lockFreeSpot, lockFreeSpots, type SpotMoney, updateHold } from './holds.sql.ts';

const spotMoney = (terms: HoldTerms): SpotMoney => ({
  currency: terms.currency,
  payMinor: terms.payTotalMinor,
  feeMinor: terms.holdMinor - terms.payTotalMinor,
  businessFeeBasisPoints: terms.businessFeeBasisPoints,
  workerFeeBasisPoints: terms.workerFeeBasisPoints,
});

const hasTermsOf = (row: HoldRow, terms: HoldTerms): boolean =>
  Object.entries(spotMoney(terms)).every(([name, value]) => row[name as keyof SpotMoney] === value);

/** Returns whether the job has a free spot whose hold matches these terms. The job must be locked. */
export const hasFundedSpot = async (tx: Tx, jobId: string, terms: HoldTerms): Promise<boolean> =>
  (await lockFreeSpot(tx, jobId, spotMoney(terms))) !== undefined;

/** Assigns a free funded spot to an offer; returns false if none matches. The job must be locked. */
export async function takeSpot(
  tx: Tx,
  request: { jobId: string; offerId: string; terms: HoldTerms },
): Promise<boolean> {
  const row = await lockFreeSpot(tx, request.jobId, spotMoney(request.terms));
  if (!row) return false;
  await updateHold(tx, row, { offerId: request.offerId });
  return true;
}

const hasSamePeriods = (day: string, otherDay: string): boolean =>
  budgetPeriods.every((period) => periodStart(period, day) === periodStart(period, otherDay));

async function returnSpots(tx: Tx, scope: MoneyScope, rows: readonly HoldRow[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const totalMinor = (row: HoldRow) => row.payMinor + row.feeMinor;
  const full = rows.filter((row) => totalMinor(row) > 0);
  if (full.length > 0) {
    await postEntry(tx, scope, {
      key: `return/${first.id}/${first.version}`,
      kind: 'hold_returned',
      currency: first.currency,
      about: rows.length === 1 ? first.id : first.jobId,
      lines: await linesToReturn(tx, full),
    });
    await repaySoon(tx, first.businessId);
  }
  for (const row of rows) await moveHold(tx, scope, row, { action: 'refund' });
}

/**
 * Adjusts the free funded spots of an instant hire (ADR 75). The job must be locked.
 * @param request.all requires every spot; otherwise as many as the balance covers
 * @throws payment/balance-short (data: missingMinor, currency), payment/over-budget
 */
export async function setSpots(
  tx: Tx,
  scope: MoneyScope,
  request: { jobId: string; businessId: string; wanted: number; terms: HoldTerms | null; all: boolean },
): Promise<{ missing: number }> {
  const { terms } = request;
  const rows = await lockFreeSpots(tx, request.jobId);
  // A job moved to another month or week counts against the budgets of that one, so it is set aside again.
  const isDated = terms !== null && (terms.startsAt ?? terms.dueOn) !== null;
  const workOn = isDated ? dayOfWork(scope, terms) : null;
  const fitting =
    terms === null
      ? []
      : rows.filter(
          (row) => hasTermsOf(row, terms) && (workOn === null || hasSamePeriods(row.workOn, workOn)),
        );
  const keptRows = new Set(fitting.slice(0, Math.max(0, request.wanted)));
  await returnSpots(
    tx,
    scope,
    rows.filter((row) => !keptRows.has(row)),
  );
  for (const row of keptRows)
    if (workOn !== null && row.workOn !== workOn) await updateHold(tx, row, { workOn });
  const missing = request.wanted - keptRows.size;
  if (terms === null || missing <= 0) return { missing: 0 };
  const fund = async (count: number) => {
    const holds = await createHolds(tx, scope, { ...request, offerId: null, terms, count });
    return (await holdFromBalance(tx, scope, holds)).length;
  };
  if (request.all) return { missing: missing - (await fund(missing)) };
  const balanceMinor = await spendableMinor(tx, request.businessId, terms.currency);
  const count = Math.min(missing, Math.floor(balanceMinor / Math.max(1, terms.holdMinor)));
  const funded = count === 0 ? 0 : ((await tryHold(tx, () => fund(count))) ?? 0);
  return { missing: missing - funded };
}
