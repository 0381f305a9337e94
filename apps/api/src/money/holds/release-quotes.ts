import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { remainingOf } from './hold-entries.ts';
import { feesOfRelease } from './holds.rules.ts';
import { findHoldOf, findReleases, type HoldRow, lockHold } from './holds.sql.ts';
import { agreedSoFar, feesOn } from './releases.ts';

type ReleaseQuote = {
  hold: HoldRow;
  heldMinor: number;
  alreadyPaidMinor: number;
  payMinor: number;
  feeMinor: number;
  workerGetsMinor: number;
  backMinor: number;
  missingMinor: number;
};

/** The result of settling `payMinor` now; pass null for owed pay only. A frozen hold waits and has nothing missing. */
export async function quoteRelease(
  db: Db,
  engagementId: string,
  payMinor: number | null,
): Promise<ReleaseQuote> {
  const hold = await findHoldOf(db, { engagementId });
  if (!hold) throw new Error(`engagement ${engagementId} has no hold`);
  const rows = await findReleases(db, engagementId);
  const before = agreedSoFar(rows);
  const sumIn = (state: 'released' | 'not_funded', amountOf: (row: (typeof rows)[number]) => number) =>
    rows.reduce((sum, row) => sum + (row.state === state ? amountOf(row) : 0), 0);
  const pay = Math.max(0, (payMinor ?? before) - before);
  const { feeMinor, workerFeeMinor } = feesOfRelease(before, pay, feesOn(hold, 'rest'));
  const heldMinor = await remainingOf(db, hold);
  const neededMinor = sumIn('not_funded', (row) => row.amountMinor + row.feeMinor) + pay + feeMinor;
  return {
    hold,
    heldMinor,
    alreadyPaidMinor: sumIn('released', (row) => row.amountMinor),
    payMinor: pay,
    feeMinor,
    workerGetsMinor: pay - workerFeeMinor,
    backMinor: Math.max(0, heldMinor - neededMinor),
    missingMinor: hold.frozen ? 0 : Math.max(0, neededMinor - heldMinor),
  };
}

/** As `quoteRelease`, from a locked hold: nobody freezes or empties it until the transaction ends. */
export async function quoteLocked(tx: Tx, engagementId: string, payMinor: number): Promise<ReleaseQuote> {
  await lockHold(tx, { engagementId });
  return quoteRelease(tx, engagementId, payMinor);
}

/**
 * Requires that a hold covers pay.
 * @throws payment/hold-short (data: missingMinor, currency)
 */
export async function requireCovered(tx: Tx, engagementId: string, payMinor: number): Promise<void> {
  const { missingMinor, hold } = await quoteRelease(tx, engagementId, payMinor);
  if (missingMinor > 0) throw new AppError('payment/hold-short', { missingMinor, currency: hold.currency });
}
