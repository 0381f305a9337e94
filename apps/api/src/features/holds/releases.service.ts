import type { Currency } from '@nearhand/contract/currencies';
import type { Release } from '@nearhand/contract/engagements';
import type { Db, Tx } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import { step } from '../../platform/steps.ts';
import { say } from '../chat/system-lines.service.ts';
import { tellOfEngagement } from '../engagements/engagement-notices.service.ts';
import { postEntry, takeAccounts } from '../ledger/ledger.service.ts';
import { businessBalance } from '../payments/wallet.service.ts';
import { creditOf, scheduleClearing } from '../payouts/clearing.service.ts';
import { wantDocument } from '../statements/documents.service.ts';
import {
  costOfRelease,
  type Fees,
  feesOfRelease,
  isOpenHold,
  overtimeLeft,
  payCovered,
} from './holds.rules.ts';
import {
  addFromBalance,
  fundingOf,
  type HoldRow,
  holdAccount,
  type MoneyScope,
  moveHold,
  remainingOf,
  showFunding,
} from './holds.service.ts';
import { lockHold, updateHold } from './holds.sql.ts';
import {
  cutRelease,
  findPaidTips,
  findPayee,
  findReleases,
  insertRelease,
  markReleased,
  type ReleaseRow,
} from './releases.sql.ts';

type Payee = Awaited<ReturnType<typeof findPayee>>;
type PayKind = ReleaseRow['kind'];

const noFees: Fees = { merchantFeeBasisPoints: 0, workerFeeBasisPoints: 0 };
/** Fees are on pay for work only (product.md, Money). */
export const feesOn = (hold: HoldRow, kind: PayKind): Fees =>
  kind === 'compensation'
    ? noFees
    : {
        merchantFeeBasisPoints: hold.merchant_fee_basis_points,
        workerFeeBasisPoints: hold.worker_fee_basis_points,
      };

/** Pay for the work that was agreed so far, paid or owed, in minor units. */
export const agreedSoFar = (rows: readonly Pick<ReleaseRow, 'kind' | 'amount_minor'>[]): number =>
  rows.reduce((sum, row) => sum + (row.kind === 'compensation' ? 0 : row.amount_minor), 0);

/**
 * For the slices that settle pay: pays the worker of an engagement from its hold, in the transaction that settles it; the engagement must be locked. Pay beyond
 * the hold is taken from the balance of the business by itself up to `OVERTIME_CAP_BASIS_POINTS` of the planned pay and as far as the balance goes; what is still
 * missing is written as `not_funded`: owed, and the business is told (ADR 0074). While a chargeback is open all of it waits so.
 * @param wish `amountMinor` gross, in minor units of `currency`; nothing is done for 0
 */
export async function requestRelease(
  tx: Tx,
  scope: MoneyScope,
  wish: { engagementId: string; kind: PayKind; amountMinor: number; currency: string },
): Promise<void> {
  const { engagementId, kind, amountMinor } = wish;
  if (amountMinor === 0) return;
  const hold = await lockHold(tx, { engagementId });
  if (!hold) throw new Error(`engagement ${engagementId} has no hold`);
  const payee = await findPayee(tx, engagementId);
  const before = kind === 'compensation' ? 0 : agreedSoFar(await findReleases(tx, engagementId));
  const fees = feesOn(hold, kind);
  const filled = hold.frozen ? hold : await fillUp(tx, scope, hold, payee, { before, amountMinor, fees });
  const has = hold.frozen || !isOpenHold(hold.status) ? 0 : await remainingOf(tx, hold);
  const paidMinor = payCovered(has, before, amountMinor, fees);
  const owedMinor = amountMinor - paidMinor;
  if (paidMinor > 0) {
    const row = releaseOf(scope, filled, { engagementId, kind, amountMinor: paidMinor, before, fees });
    await pay(tx, scope, filled, payee, row, { isNew: true });
  }
  if (owedMinor > 0) {
    const earlier = before + (kind === 'compensation' ? 0 : paidMinor);
    const row = releaseOf(scope, filled, {
      ...{ engagementId, kind, fees },
      amountMinor: owedMinor,
      before: earlier,
    });
    await insertRelease(tx, row);
    if (!hold.frozen)
      await tellOfEngagement(tx, scope, engagementId, {
        recruiters: 'payment-missing',
        event: row.id,
        data: { amountMinor: owedMinor + row.fee_minor, currency: hold.currency },
      });
  }
  // Of what a chargeback left, less lies there now.
  if (payee.funding !== 'partly_funded') return;
  const after = await lockHold(tx, { engagementId });
  if (after) await showFunding(tx, after, await fundingOf(tx, after));
}

/** A release that nobody has paid yet. */
function releaseOf(
  scope: MoneyScope,
  hold: HoldRow,
  wish: { engagementId: string; kind: PayKind; amountMinor: number; before: number; fees: Fees },
): ReleaseRow {
  const now = scope.clock.now();
  const { feeMinor, workerFeeMinor } = feesOfRelease(wish.before, wish.amountMinor, wish.fees);
  return {
    id: newId(now),
    engagement_id: wish.engagementId,
    kind: wish.kind,
    amount_minor: wish.amountMinor,
    fee_minor: feeMinor,
    worker_fee_minor: workerFeeMinor,
    currency: hold.currency,
    state: 'not_funded',
    entry_id: null,
    clears_at: null,
    at: now,
    released_at: null,
  };
}

/**
 * Before money is taken from a balance in a transaction that pays a worker after that: theirs is locked first, as within an entry, so that a tip to them from the same
 * balance does not wait crosswise (ADR 0074).
 */
export const takePayee = (tx: Tx, workerId: string, currency: Currency): Promise<void> =>
  takeAccounts(
    tx,
    [
      { kind: 'worker_available', ownerId: workerId },
      { kind: 'worker_pending', ownerId: workerId },
    ],
    currency,
  );

/** Takes what pay for overtime lacks from the balance into the hold, up to the cap and as far as the balance goes. */
async function fillUp(
  tx: Tx,
  scope: MoneyScope,
  hold: HoldRow,
  payee: Payee,
  wish: { before: number; amountMinor: number; fees: Fees },
): Promise<HoldRow> {
  if (!isOpenHold(hold.status)) return hold;
  const has = await remainingOf(tx, hold);
  const lacks = costOfRelease(wish.before, wish.amountMinor, wish.fees) - has;
  if (lacks <= 0) return hold;
  const cap = overtimeLeft(
    payee.planned_minor,
    scope.config.OVERTIME_CAP_BASIS_POINTS,
    hold.added_minor,
    feesOn(hold, 'rest'),
  );
  const balance = await businessBalance(tx, hold.business_id, hold.currency);
  // No more than pays something: a rest that covers no minor unit of pay stays where it is.
  const covered = payCovered(has + Math.min(lacks, cap, balance), wish.before, wish.amountMinor, wish.fees);
  const takes = costOfRelease(wish.before, covered, wish.fees) - has;
  if (takes <= 0) return hold;
  await takePayee(tx, payee.worker_id, hold.currency);
  const added = await addFromBalance(tx, scope, hold, takes);
  return added ? updateHold(tx, hold, { added_minor: hold.added_minor + takes }) : hold;
}

/** Pays one release: hold to worker and fees, in one entry under the key of the release, so that nothing is ever paid twice. */
async function pay(
  tx: Tx,
  scope: MoneyScope,
  hold: HoldRow,
  payee: Payee,
  row: ReleaseRow,
  { isNew }: { isNew: boolean },
): Promise<void> {
  const gets = row.amount_minor - row.worker_fee_minor;
  const fees = row.fee_minor + row.worker_fee_minor;
  const credit = await creditOf(tx, scope, payee.worker_id);
  const { entryId } = await postEntry(tx, scope, {
    key: `release/${row.id}`,
    kind: row.kind === 'compensation' ? 'compensation' : 'release',
    currency: hold.currency,
    about: row.id,
    lines: [
      { account: holdAccount(hold.id), amountMinor: -(row.amount_minor + row.fee_minor) },
      { account: { kind: credit.account, ownerId: payee.worker_id }, amountMinor: gets },
      { account: { kind: 'platform_fees' as const }, amountMinor: fees },
    ].filter(({ amountMinor }) => amountMinor !== 0) as Parameters<typeof postEntry>[2]['lines'],
  });
  step('release/posted');
  const paid = { entry_id: entryId, clears_at: credit.clearsAt, released_at: scope.clock.now() };
  if (isNew) await insertRelease(tx, { ...row, ...paid, state: 'released' });
  else await markReleased(tx, row.id, paid);
  if (hold.status === 'held') await moveHold(tx, scope, hold, 'release');
  step('release/recorded');
  if (gets > 0)
    await scheduleClearing(tx, scope, {
      id: row.id,
      workerId: payee.worker_id,
      amountMinor: gets,
      currency: hold.currency,
      clearsAt: credit.clearsAt,
    });
  const writtenAt = scope.unmailed ? scope.clock.now() : undefined;
  await wantDocument(tx, { entryId, businessId: hold.business_id, at: writtenAt });
  const data = { amountMinor: gets, currency: hold.currency, what: isNew ? row.kind : 'owed' };
  await say(tx, scope, { jobId: hold.job_id, workerId: payee.worker_id }, 'pay-released', data, row.id);
  // Whoever's hours were approved is told of the pay with it.
  if (row.kind === 'rest' && isNew) return;
  await tellOfEngagement(tx, scope, row.engagement_id, {
    worker: 'payment-released',
    event: row.id,
    data: {
      ...data,
      ...(credit.clearsAt ? { by: credit.clearsAt.toISOString() } : {}),
    },
  });
}

/**
 * Pays what was owed, oldest first, as far as the hold goes; engagement and hold must be locked. Of a release that it covers in part that part is paid, as when the
 * pay was agreed, and the rest stays owed (ADR 0076).
 * @returns minor units that are still owed, fees included
 */
export async function payOwed(tx: Tx, scope: MoneyScope, engagementId: string): Promise<number> {
  const payee = await findPayee(tx, engagementId);
  const rows = await findReleases(tx, engagementId);
  let stillMinor = 0;
  for (const [index, row] of rows.entries()) {
    if (row.state === 'released') continue;
    const costMinor = row.amount_minor + row.fee_minor;
    const hold = await lockHold(tx, { engagementId });
    const has = !hold || hold.frozen || !isOpenHold(hold.status) ? 0 : await remainingOf(tx, hold);
    const part = hold && (has >= costMinor ? row : partOf(row, has, agreedSoFar(rows.slice(0, index)), hold));
    if (!hold || !part) {
      stillMinor += costMinor;
      continue;
    }
    if (part !== row) {
      await cutRelease(tx, row, part, newId(scope.clock.now()));
      stillMinor += costMinor - part.amount_minor - part.fee_minor;
    }
    await pay(tx, scope, hold, payee, part, { isNew: false });
  }
  return stillMinor;
}

/** What of an owed release an amount covers, with its share of the fees; null where that is nothing. */
function partOf(row: ReleaseRow, hasMinor: number, before: number, hold: HoldRow): ReleaseRow | null {
  const fees = feesOn(hold, row.kind);
  const earlier = row.kind === 'compensation' ? 0 : before;
  const amountMinor = payCovered(hasMinor, earlier, row.amount_minor, fees);
  if (amountMinor === 0 || amountMinor === row.amount_minor) return null;
  const { feeMinor, workerFeeMinor } = feesOfRelease(earlier, amountMinor, fees);
  return {
    ...row,
    amount_minor: amountMinor,
    // Never more than the whole carries, so that the parts sum to it.
    fee_minor: Math.min(feeMinor, row.fee_minor),
    worker_fee_minor: Math.min(workerFeeMinor, row.worker_fee_minor),
  };
}

/** What was agreed and not paid yet, fees included, in minor units. */
export async function owedMinor(db: Db, engagementId: string): Promise<number> {
  const rows = await findReleases(db, engagementId);
  return rows.reduce(
    (sum, row) => sum + (row.state === 'not_funded' ? row.amount_minor + row.fee_minor : 0),
    0,
  );
}

/** What was agreed to be paid for an engagement, in the order agreed, with the tips and bonuses that were paid. */
export async function releasesOf(db: Db, engagementId: string): Promise<Release[]> {
  const pay = (await findReleases(db, engagementId)).map((row) => ({
    kind: row.kind,
    amountMinor: row.amount_minor,
    workerGetsMinor: row.amount_minor - row.worker_fee_minor,
    currency: row.currency,
    state: row.state,
    at: row.at.toISOString(),
    clearsAt: row.clears_at?.toISOString() ?? null,
    note: '',
  }));
  const tips = (await findPaidTips(db, engagementId)).map((row) => ({
    kind: row.kind as 'tip' | 'bonus',
    amountMinor: row.amount_minor,
    workerGetsMinor: row.amount_minor,
    currency: row.currency as Release['currency'],
    state: 'released' as const,
    at: row.at.toISOString(),
    clearsAt: row.clears_at?.toISOString() ?? null,
    note: row.note,
  }));
  return [...pay, ...tips].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

/** Pay for the work itself that was agreed so far, paid or owed, in minor units; tips and compensation are beside it. */
export async function agreedPayOf(db: Db, engagementId: string): Promise<number> {
  return agreedSoFar(await findReleases(db, engagementId));
}
