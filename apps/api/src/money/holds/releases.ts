import { sumOf } from '@nearhand/contract/arithmetic';
import type { Currency } from '@nearhand/contract/currencies';
import type { Release } from '@nearhand/contract/money/releases';
import { agreedPay } from '@nearhand/contract/money/releases.rules';
import { crashPoint } from '../../platform/crash-points.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import { postSystemMessage } from '../../talk/messages/system-messages.ts';
import { type MoneyScope, moneyHooks, type Payee } from '../hooks.ts';
import { postEntry, takeAccounts } from '../ledger/ledger.ts';
import { creditOf, scheduleClearing } from '../payouts/clearing.ts';
import { wantReceipt } from '../receipts/receipts.ts';
import { spendableMinor } from '../wallet/wallet.ts';
import { addFromBalance, linesFromHold, remainingOf } from './hold-entries.ts';
import { fundingOf, moveHold, ownerOf } from './hold-transitions.ts';
import {
  costOfRelease,
  type Fees,
  feesOfRelease,
  isOpenHold,
  overtimeLeft,
  payCovered,
} from './holds.rules.ts';
import {
  cutRelease,
  findHoldOf,
  findPaidTips,
  findReleases,
  type HoldRow,
  insertRelease,
  lockHold,
  markReleased,
  type ReleaseRow,
  updateHold,
} from './holds.sql.ts';

type PayKind = ReleaseRow['kind'];

const noFees: Fees = { businessFeeBasisPoints: 0, workerFeeBasisPoints: 0 };
/** Only pay for work carries fees (product.md, Money). */
export const feesOn = (hold: HoldRow, kind: PayKind): Fees =>
  kind === 'compensation'
    ? noFees
    : {
        businessFeeBasisPoints: hold.businessFeeBasisPoints,
        workerFeeBasisPoints: hold.workerFeeBasisPoints,
      };

/** Pay agreed by these releases, also while it is on its way. Minor units. */
export const agreedSoFar = (rows: readonly Pick<ReleaseRow, 'kind' | 'amountMinor'>[]): number =>
  agreedPay(rows.map(({ kind, amountMinor }) => ({ kind, amountMinor })));

/**
 * Releases pay from the hold; the engagement must be locked.
 * Balance pays overtime up to the cap, the rest is owed (ADR 74).
 * @param amountMinor gross, in minor units of the hold's currency; 0 is a no-op
 */
export async function requestRelease(
  tx: Tx,
  scope: MoneyScope,
  payee: Payee,
  { kind, amountMinor }: { kind: PayKind; amountMinor: number },
): Promise<void> {
  const { engagementId } = payee;
  if (amountMinor === 0) return;
  const hold = await lockHold(tx, { engagementId });
  if (!hold) throw new Error(`engagement ${engagementId} has no hold`);
  const before = kind === 'compensation' ? 0 : agreedSoFar(await findReleases(tx, engagementId));
  const fees = feesOn(hold, kind);
  const filled = hold.frozen ? hold : await fillUp(tx, scope, hold, payee, { before, amountMinor, fees });
  const remaining = hold.frozen || !isOpenHold(hold.status) ? 0 : await remainingOf(tx, hold);
  const paidMinor = payCovered(remaining, before, amountMinor, fees);
  const owedMinor = amountMinor - paidMinor;
  if (paidMinor > 0) {
    const row = newRelease(scope, filled, { engagementId, kind, amountMinor: paidMinor, before, fees });
    await payRelease(tx, scope, filled, { payee, row, isNew: true });
  }
  if (owedMinor > 0) {
    const earlier = before + (kind === 'compensation' ? 0 : paidMinor);
    const row = newRelease(scope, filled, {
      engagementId,
      kind,
      fees,
      amountMinor: owedMinor,
      before: earlier,
    });
    await insertRelease(tx, row);
    if (!hold.frozen)
      await moneyHooks.on.payMissing(tx, scope, {
        engagementId,
        releaseId: row.id,
        currency: hold.currency,
        amountMinor: owedMinor + row.feeMinor,
      });
  }
  if (payee.funding !== 'partly_funded') return;
  const after = await lockHold(tx, { engagementId });
  if (after) await moneyHooks.on.fundingChanged(tx, ownerOf(after), await fundingOf(tx, after));
}

function newRelease(
  scope: MoneyScope,
  hold: HoldRow,
  request: { engagementId: string; kind: PayKind; amountMinor: number; before: number; fees: Fees },
): ReleaseRow {
  const now = scope.clock.now();
  const { feeMinor, workerFeeMinor } = feesOfRelease(request.before, request.amountMinor, request.fees);
  return {
    id: newId(now),
    engagementId: request.engagementId,
    kind: request.kind,
    amountMinor: request.amountMinor,
    feeMinor,
    workerFeeMinor,
    currency: hold.currency,
    state: 'not_funded',
    entryId: null,
    clearsAt: null,
    at: now,
    releasedAt: null,
    reversedAt: null,
  };
}

/** Locks the worker's accounts before the business balance, so that a concurrent tip can't deadlock (ADR 74). */
export const takePayee = (tx: Tx, workerId: string, currency: Currency): Promise<void> =>
  takeAccounts(
    tx,
    [
      { kind: 'worker_available', ownerId: workerId },
      { kind: 'worker_pending', ownerId: workerId },
    ],
    currency,
  );

async function fillUp(
  tx: Tx,
  scope: MoneyScope,
  hold: HoldRow,
  payee: Payee,
  request: { before: number; amountMinor: number; fees: Fees },
): Promise<HoldRow> {
  if (!isOpenHold(hold.status)) return hold;
  const remaining = await remainingOf(tx, hold);
  const lacks = costOfRelease(request.before, request.amountMinor, request.fees) - remaining;
  if (lacks <= 0) return hold;
  const cap = overtimeLeft(
    payee.plannedMinor,
    scope.config.OVERTIME_CAP_BASIS_POINTS,
    hold.addedMinor,
    feesOn(hold, 'rest'),
  );
  const balance = await spendableMinor(tx, hold.businessId, hold.currency);
  const covered = payCovered(
    remaining + Math.min(lacks, cap, balance),
    request.before,
    request.amountMinor,
    request.fees,
  );
  const neededMinor = costOfRelease(request.before, covered, request.fees) - remaining;
  if (neededMinor <= 0) return hold;
  await takePayee(tx, payee.workerId, hold.currency);
  const isAdded = await addFromBalance(tx, scope, hold, neededMinor);
  return isAdded ? updateHold(tx, hold, { addedMinor: hold.addedMinor + neededMinor }) : hold;
}

/** Pays one release in one entry keyed by the release, so it can't be paid twice. */
async function payRelease(
  tx: Tx,
  scope: MoneyScope,
  hold: HoldRow,
  { payee, row, isNew }: { payee: Payee; row: ReleaseRow; isNew: boolean },
): Promise<void> {
  const workerGetsMinor = row.amountMinor - row.workerFeeMinor;
  const fees = row.feeMinor + row.workerFeeMinor;
  const credit = await creditOf(tx, scope, payee.workerId);
  const { entryId } = await postEntry(tx, scope, {
    key: `release/${row.id}`,
    kind: row.kind === 'compensation' ? 'compensation' : 'release',
    currency: hold.currency,
    about: row.id,
    lines: [
      ...(await linesFromHold(tx, hold, row.amountMinor + row.feeMinor)),
      { account: { kind: credit.account, ownerId: payee.workerId }, amountMinor: workerGetsMinor },
      { account: { kind: 'platform_fees' as const }, amountMinor: fees },
    ].filter(({ amountMinor }) => amountMinor !== 0) as Parameters<typeof postEntry>[2]['lines'],
  });
  crashPoint('release/posted');
  const payment = { entryId, clearsAt: credit.clearsAt, releasedAt: scope.clock.now() };
  if (isNew) await insertRelease(tx, { ...row, ...payment, state: 'released' });
  else await markReleased(tx, row.id, payment);
  if (hold.status === 'held') await moveHold(tx, scope, hold, { action: 'release' });
  crashPoint('release/recorded');
  if (workerGetsMinor > 0)
    await scheduleClearing(tx, scope, {
      id: row.id,
      workerId: payee.workerId,
      amountMinor: workerGetsMinor,
      currency: hold.currency,
      clearsAt: credit.clearsAt,
    });
  const writtenAt = scope.unmailed ? scope.clock.now() : undefined;
  await wantReceipt(tx, { entryId, businessId: hold.businessId, at: writtenAt });
  const variant = isNew ? row.kind : 'owed';
  const { currency } = hold;
  await postSystemMessage(tx, scope, {
    jobId: hold.jobId,
    workerId: payee.workerId,
    line: 'pay-released',
    data: { amountMinor: workerGetsMinor, currency, variant },
    key: row.id,
  });
  await moneyHooks.on.payReleased(tx, scope, {
    engagementId: row.engagementId,
    releaseId: row.id,
    variant,
    currency,
    amountMinor: workerGetsMinor,
    clearsAt: credit.clearsAt,
  });
}

/**
 * Releases owed pay, oldest first; engagement and hold must be locked (ADR 76).
 * @returns minor units still owed
 */
export async function payOwed(tx: Tx, scope: MoneyScope, payee: Payee): Promise<number> {
  const { engagementId } = payee;
  const rows = await findReleases(tx, engagementId);
  let stillMinor = 0;
  for (const [index, row] of rows.entries()) {
    if (row.state === 'released') continue;
    const costMinor = row.amountMinor + row.feeMinor;
    const hold = await lockHold(tx, { engagementId });
    const remaining = !hold || hold.frozen || !isOpenHold(hold.status) ? 0 : await remainingOf(tx, hold);
    const part =
      hold &&
      (remaining >= costMinor ? row : partOf(row, remaining, agreedSoFar(rows.slice(0, index)), hold));
    if (!hold || !part) {
      stillMinor += costMinor;
      continue;
    }
    if (part !== row) {
      await cutRelease(tx, row, part, newId(scope.clock.now()));
      stillMinor += costMinor - part.amountMinor - part.feeMinor;
    }
    await payRelease(tx, scope, hold, { payee, row: part, isNew: false });
  }
  return stillMinor;
}

function partOf(row: ReleaseRow, heldMinor: number, before: number, hold: HoldRow): ReleaseRow | null {
  const fees = feesOn(hold, row.kind);
  const earlier = row.kind === 'compensation' ? 0 : before;
  const amountMinor = payCovered(heldMinor, earlier, row.amountMinor, fees);
  if (amountMinor === 0 || amountMinor === row.amountMinor) return null;
  const { feeMinor, workerFeeMinor } = feesOfRelease(earlier, amountMinor, fees);
  return {
    ...row,
    amountMinor,
    feeMinor: Math.min(feeMinor, row.feeMinor),
    workerFeeMinor: Math.min(workerFeeMinor, row.workerFeeMinor),
  };
}

/** Owed pay with fees, in minor units. */
export async function owedMinor(db: Db, engagementId: string): Promise<number> {
  const rows = await findReleases(db, engagementId);
  return sumOf(rows, (row) => (row.state === 'not_funded' ? row.amountMinor + row.feeMinor : 0));
}

export async function listReleases(db: Db, engagementId: string): Promise<Release[]> {
  const pay = (await findReleases(db, engagementId)).map((row) => ({
    kind: row.kind,
    amountMinor: row.amountMinor,
    workerGetsMinor: row.amountMinor - row.workerFeeMinor,
    currency: row.currency,
    state: row.reversedAt ? ('reversed' as const) : row.state,
    at: row.at.toISOString(),
    clearsAt: row.clearsAt?.toISOString() ?? null,
    note: '',
  }));
  const tips = (await findPaidTips(db, engagementId)).map((row) => ({
    kind: row.kind,
    amountMinor: row.amountMinor,
    workerGetsMinor: row.amountMinor,
    currency: row.currency,
    state: row.reversedAt ? ('reversed' as const) : ('released' as const),
    at: row.at.toISOString(),
    clearsAt: row.clearsAt?.toISOString() ?? null,
    note: row.note,
  }));
  return [...pay, ...tips].sort((a, b) => {
    if (a.at < b.at) return -1;
    return a.at > b.at ? 1 : 0;
  });
}

/** The hold has ended, and is neither frozen nor short of owed pay. */
export async function isFullyPaid(db: Db, engagementId: string): Promise<boolean> {
  const hold = await findHoldOf(db, { engagementId });
  if (!hold || hold.frozen || isOpenHold(hold.status)) return false;
  return (await owedMinor(db, engagementId)) === 0;
}

/** Pay agreed for work, released or owed, in minor units; without tips and compensation. */
export async function agreedPayOf(db: Db, engagementId: string): Promise<number> {
  return agreedSoFar(await findReleases(db, engagementId));
}
