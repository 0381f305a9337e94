import { sumOf } from '@nearhand/contract/arithmetic';
import { dayMs } from '@nearhand/contract/durations';
import {
  balanceOf,
  credit,
  type FundingState,
  type Hold,
  heldIn,
  isOpen,
  itemAt,
  move,
  type Release,
  setFunding,
  share,
  type Work,
  type World,
} from './world.model.ts';

// Paying from holds, overtime, and returning the rest (product.md, Hold; ADR 74, 76).

type Kind = Release['kind'];
type Rates = { business: number; worker: number };

const ratesOf = (world: World, kind: Kind): Rates =>
  kind === 'compensation'
    ? { business: 0, worker: 0 }
    : { business: world.businessFee, worker: world.workerFee };

/** The fee on all pay so far, less the fee on earlier pay. */
const feeOf = (world: World, before: number, pay: number, points: number): number =>
  world.mistake === 'fee-of-each-part'
    ? share(pay, points)
    : share(before + pay, points) - share(before, points);

const costOf = (world: World, before: number, pay: number, rates: Rates): number =>
  pay + feeOf(world, before, pay, rates.business);

function coveredBy(world: World, amount: number, before: number, pay: number, rates: Rates): number {
  let max = Math.min(pay, Math.floor((Math.max(0, amount) * 10_000) / (10_000 + rates.business)) + 3);
  while (max > 0 && costOf(world, before, max, rates) > amount) max -= 1;
  return max;
}

export const agreedPay = (work: Pick<Work, 'releases'>): number =>
  sumOf(work.releases, ({ kind, amount }) => (kind === 'compensation' ? 0 : amount));

export const owedPay = (work: Work): number =>
  sumOf(work.releases, ({ paid, amount, fee }) => (paid ? 0 : amount + fee));

/** Null checks owed pay only. */
export function missingPay(world: World, work: Work, total: number | null): number {
  if (itemAt(world.holds, work.hold).frozen) return 0;
  const before = agreedPay(work);
  const pay = Math.max(0, (total ?? before) - before);
  const needs = owedPay(work) + costOf(world, before, pay, ratesOf(world, 'rest'));
  return Math.max(0, needs - heldIn(world, work.hold));
}

function createRelease(world: World, kind: Kind, amount: number, before: number): Release {
  const rates = ratesOf(world, kind);
  world.serial += 1;
  return {
    serial: world.serial,
    kind,
    amount,
    paid: false,
    fee: feeOf(world, before, amount, rates.business),
    workerFee: feeOf(world, before, amount, rates.worker),
  };
}

function pay(world: World, work: Work, release: Release): void {
  const hold = itemAt(world.holds, work.hold);
  const from: [string, number][] = [
    [`hold/${work.hold}`, -(release.amount + release.fee)],
    ['fees', release.fee + release.workerFee],
  ];
  const worker = itemAt(world.slots, work.slot).worker;
  if (!credit(world, from, worker, release.amount - release.workerFee, `r${release.serial}`))
    throw new Error('the model pays what is not there');
  release.paid = true;
  if (hold.status === 'held') hold.status = 'partly_released';
}

/**
 * The balance adds up to a quarter of the planned pay with its fee; the rest is owed, all of it during a
 * chargeback.
 */
export function request(world: World, work: Work, kind: Kind, amount: number): void {
  if (amount === 0) return;
  const hold = itemAt(world.holds, work.hold);
  const rates = ratesOf(world, kind);
  const before = kind === 'compensation' ? 0 : agreedPay(work);
  const canPay = !hold.frozen && isOpen(hold);
  if (canPay) fillUp(world, work, { before, amount, rates });
  const paid = canPay ? coveredBy(world, heldIn(world, work.hold), before, amount, rates) : 0;
  if (paid > 0) {
    const release = createRelease(world, kind, paid, before);
    work.releases.push(release);
    pay(world, work, release);
  }
  if (paid < amount)
    work.releases.push(
      createRelease(world, kind, amount - paid, before + (kind === 'compensation' ? 0 : paid)),
    );
  if (work.funding === 'partly_funded') setFunding(world, hold, fundingOf(world, work.hold));
}

function fillUp(
  world: World,
  work: Work,
  { before, amount, rates }: { before: number; amount: number; rates: Rates },
): void {
  const hold = itemAt(world.holds, work.hold);
  const inHold = heldIn(world, work.hold);
  const lacking = costOf(world, before, amount, rates) - inHold;
  if (lacking <= 0) return;
  const overtime = costOf(world, work.planned, share(work.planned, 2_500), ratesOf(world, 'rest'));
  const allowed = world.mistake === 'overtime-without-end' ? lacking : Math.max(0, overtime - hold.added);
  const max = Math.min(lacking, allowed, balanceOf(world, 'business'));
  const transfer =
    costOf(world, before, coveredBy(world, inHold + max, before, amount, rates), rates) - inHold;
  if (transfer <= 0) return;
  move(world, 'business', `hold/${work.hold}`, transfer);
  hold.added += transfer;
}

/** Oldest first; a partly covered release is split. */
function payOwed(world: World, work: Work): void {
  const hold = itemAt(world.holds, work.hold);
  let before = 0;
  for (let index = 0; index < work.releases.length; index += 1) {
    const release = itemAt(work.releases, index);
    const earlier = release.kind === 'compensation' ? 0 : before;
    if (release.kind !== 'compensation') before += release.amount;
    if (release.paid || hold.frozen || !isOpen(hold)) continue;
    const inHold = heldIn(world, work.hold);
    if (inHold < release.amount + release.fee) {
      const rates = ratesOf(world, release.kind);
      const amount = coveredBy(world, inHold, earlier, release.amount, rates);
      if (amount === 0 || amount === release.amount) continue;
      const fee = Math.min(release.fee, feeOf(world, earlier, amount, rates.business));
      const workerFee = Math.min(release.workerFee, feeOf(world, earlier, amount, rates.worker));
      world.serial += 1;
      const rest = { ...release, serial: world.serial };
      rest.amount -= amount;
      rest.fee -= fee;
      rest.workerFee -= workerFee;
      Object.assign(release, { amount, fee, workerFee });
      work.releases.splice(index + 1, 0, rest);
      pay(world, work, release);
      index += 1;
      continue;
    }
    pay(world, work, release);
  }
}

export const isSettled = (world: World, work: Work): boolean =>
  ['completed', 'cancelled_by_worker', 'cancelled_by_merchant'].includes(work.status) ||
  (work.status === 'no_show_reported' &&
    (work.contested || (work.noShowAt !== null && work.noShowAt + dayMs <= world.now)));

export const returnRest = (world: World, hold: number): number => {
  const rest = heldIn(world, hold);
  move(world, `hold/${hold}`, 'business', rest);
  return rest;
};

/** Returns the rest; while pay is owed the hold stays open. */
export function finish(world: World, work: Work): void {
  const hold = itemAt(world.holds, work.hold);
  if (!isOpen(hold) || hold.frozen) return;
  if (owedPay(work) > 0) return;
  const back = returnRest(world, work.hold);
  const paid = work.releases.some((release) => release.paid);
  if (!paid) {
    hold.status = hold.status === 'partly_released' ? 'released' : 'refunded';
    setFunding(world, hold, 'not_funded');
  } else {
    hold.status = hold.status === 'disputed' && back > 0 ? 'split' : 'released';
    setFunding(world, hold, 'funded');
  }
}

/** Requests the unpaid part of the total and returns the rest. */
export function settle(world: World, work: Work, total: number): void {
  request(world, work, 'rest', total - agreedPay(work));
  work.status = 'completed';
  work.approvedAt = world.now;
  finish(world, work);
}

export function addToHold(world: World, hold: Hold, work: Work, amount: number): void {
  hold.added += amount;
  if (!isOpen(hold)) hold.status = hold.status === 'refunded' ? 'held' : 'partly_released';
  payOwedAndFinish(world, work);
}

export function fundingOf(world: World, index: number): FundingState {
  const hold = itemAt(world.holds, index);
  if (hold.frozen) return 'frozen';
  const releases = hold.work === null ? [] : itemAt(world.works, hold.work).releases;
  const paid = sumOf(releases, (release) =>
    release.paid && release.kind !== 'compensation' ? release.amount + release.fee : 0,
  );
  const inHold = isOpen(hold) ? heldIn(world, index) : 0;
  if (paid + inHold >= hold.pay + hold.fee) return 'funded';
  return inHold > 0 ? 'partly_funded' : 'not_funded';
}

export function payOwedAndFinish(world: World, work: Work): void {
  payOwed(world, work);
  const settled = owedPay(work) === 0 && isSettled(world, work);
  const hold = itemAt(world.holds, work.hold);
  setFunding(world, hold, settled && !hold.frozen ? 'funded' : fundingOf(world, work.hold));
  if (settled) finish(world, work);
}
