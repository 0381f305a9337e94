import { sumOf } from '@nearhand/contract/arithmetic';
import { dayMs } from '@nearhand/contract/durations';
import {
  at,
  credit,
  type Hold,
  has,
  isOpen,
  left,
  move,
  type Release,
  type Shown,
  share,
  show,
  type Work,
  type World,
} from './world.model.ts';

/** Paying from holds, overtime, and returning the rest (product.md, Hold; ADR 74, 76). */

type Kind = Release['kind'];
type Rates = { merchant: number; worker: number };

const ratesOf = (w: World, kind: Kind): Rates =>
  kind === 'compensation' ? { merchant: 0, worker: 0 } : { merchant: w.merchantFee, worker: w.workerFee };

/** The fee on all pay so far, less the fee on earlier pay. */
const feeOf = (w: World, before: number, pay: number, points: number): number =>
  w.mistake === 'fee-of-each-part' ? share(pay, points) : share(before + pay, points) - share(before, points);

const costOf = (w: World, before: number, pay: number, rates: Rates): number =>
  pay + feeOf(w, before, pay, rates.merchant);

function coveredBy(w: World, amount: number, before: number, pay: number, rates: Rates): number {
  let max = Math.min(pay, Math.floor((Math.max(0, amount) * 10_000) / (10_000 + rates.merchant)) + 3);
  while (max > 0 && costOf(w, before, max, rates) > amount) max -= 1;
  return max;
}

export const agreed = (work: Pick<Work, 'releases'>): number =>
  sumOf(work.releases, ({ kind, amount }) => (kind === 'compensation' ? 0 : amount));

export const owed = (work: Work): number =>
  sumOf(work.releases, ({ paid, amount, fee }) => (paid ? 0 : amount + fee));

/** Null checks owed pay only. */
export function missing(w: World, work: Work, whole: number | null): number {
  if (at(w.holds, work.hold).frozen) return 0;
  const before = agreed(work);
  const pay = Math.max(0, (whole ?? before) - before);
  const needs = owed(work) + costOf(w, before, pay, ratesOf(w, 'rest'));
  return Math.max(0, needs - left(w, work.hold));
}

function release(w: World, kind: Kind, amount: number, before: number): Release {
  const rates = ratesOf(w, kind);
  w.serial += 1;
  return {
    serial: w.serial,
    kind,
    amount,
    paid: false,
    fee: feeOf(w, before, amount, rates.merchant),
    workerFee: feeOf(w, before, amount, rates.worker),
  };
}

function pay(w: World, work: Work, one: Release): void {
  const hold = at(w.holds, work.hold);
  const from: [string, number][] = [
    [`hold/${work.hold}`, -(one.amount + one.fee)],
    ['fees', one.fee + one.workerFee],
  ];
  const worker = at(w.slots, work.slot).worker;
  if (!credit(w, from, worker, one.amount - one.workerFee, `r${one.serial}`))
    throw new Error('the model pays what is not there');
  one.paid = true;
  if (hold.status === 'held') hold.status = 'partly_released';
}

/**
 * The balance adds up to a quarter of the planned pay with its fee; the rest is owed, all of it during a
 * chargeback.
 */
export function request(w: World, work: Work, kind: Kind, amount: number): void {
  if (amount === 0) return;
  const hold = at(w.holds, work.hold);
  const rates = ratesOf(w, kind);
  const before = kind === 'compensation' ? 0 : agreed(work);
  const pays = !hold.frozen && isOpen(hold);
  if (pays) fillUp(w, work, { before, amount, rates });
  const paid = pays ? coveredBy(w, left(w, work.hold), before, amount, rates) : 0;
  if (paid > 0) {
    const one = release(w, kind, paid, before);
    work.releases.push(one);
    pay(w, work, one);
  }
  if (paid < amount)
    work.releases.push(release(w, kind, amount - paid, before + (kind === 'compensation' ? 0 : paid)));
  if (work.funding === 'partly_funded') show(w, hold, lies(w, work.hold));
}

function fillUp(
  w: World,
  work: Work,
  { before, amount, rates }: { before: number; amount: number; rates: Rates },
): void {
  const hold = at(w.holds, work.hold);
  const there = left(w, work.hold);
  const lacks = costOf(w, before, amount, rates) - there;
  if (lacks <= 0) return;
  const overtime = costOf(w, work.planned, share(work.planned, 2_500), ratesOf(w, 'rest'));
  const may = w.mistake === 'overtime-without-end' ? lacks : Math.max(0, overtime - hold.added);
  const max = Math.min(lacks, may, has(w, 'business'));
  const takes = costOf(w, before, coveredBy(w, there + max, before, amount, rates), rates) - there;
  if (takes <= 0) return;
  move(w, 'business', `hold/${work.hold}`, takes);
  hold.added += takes;
}

/** Oldest first; a partly covered release is split. */
function payOwed(w: World, work: Work): void {
  const hold = at(w.holds, work.hold);
  let before = 0;
  for (let index = 0; index < work.releases.length; index += 1) {
    const one = at(work.releases, index);
    const earlier = one.kind === 'compensation' ? 0 : before;
    if (one.kind !== 'compensation') before += one.amount;
    if (one.paid || hold.frozen || !isOpen(hold)) continue;
    const there = left(w, work.hold);
    if (there < one.amount + one.fee) {
      const rates = ratesOf(w, one.kind);
      const amount = coveredBy(w, there, earlier, one.amount, rates);
      if (amount === 0 || amount === one.amount) continue;
      const fee = Math.min(one.fee, feeOf(w, earlier, amount, rates.merchant));
      const workerFee = Math.min(one.workerFee, feeOf(w, earlier, amount, rates.worker));
      w.serial += 1;
      const rest = { ...one, serial: w.serial };
      rest.amount -= amount;
      rest.fee -= fee;
      rest.workerFee -= workerFee;
      Object.assign(one, { amount, fee, workerFee });
      work.releases.splice(index + 1, 0, rest);
      pay(w, work, one);
      index += 1;
      continue;
    }
    pay(w, work, one);
  }
}

export const isOver = (w: World, work: Work): boolean =>
  ['completed', 'cancelled_by_worker', 'cancelled_by_merchant'].includes(work.status) ||
  (work.status === 'no_show_reported' &&
    (work.contested || (work.noShowAt !== null && work.noShowAt + dayMs <= w.now)));

export const giveBack = (w: World, hold: number): number => {
  const rest = left(w, hold);
  move(w, `hold/${hold}`, 'business', rest);
  return rest;
};

/** Returns the rest; while pay is owed the hold stays open. */
export function finish(w: World, work: Work): void {
  const hold = at(w.holds, work.hold);
  if (!isOpen(hold) || hold.frozen) return;
  if (owed(work) > 0) return;
  const back = giveBack(w, work.hold);
  const paid = work.releases.some((release) => release.paid);
  if (!paid) {
    hold.status = hold.status === 'partly_released' ? 'released' : 'refunded';
    show(w, hold, 'not_funded');
  } else {
    hold.status = hold.status === 'disputed' && back > 0 ? 'split' : 'released';
    show(w, hold, 'funded');
  }
}

/** Requests the unpaid part of the total and returns the rest. */
export function settle(w: World, work: Work, whole: number): void {
  request(w, work, 'rest', whole - agreed(work));
  work.status = 'completed';
  work.approvedAt = w.now;
  finish(w, work);
}

export function added(w: World, hold: Hold, work: Work, amount: number): void {
  hold.added += amount;
  if (!isOpen(hold)) hold.status = hold.status === 'refunded' ? 'held' : 'partly_released';
  payWhatWaited(w, work);
}

export function lies(w: World, index: number): Shown {
  const hold = at(w.holds, index);
  if (hold.frozen) return 'frozen';
  const releases = hold.work === null ? [] : at(w.works, hold.work).releases;
  const paid = sumOf(releases, (one) => (one.paid && one.kind !== 'compensation' ? one.amount + one.fee : 0));
  const there = isOpen(hold) ? left(w, index) : 0;
  if (paid + there >= hold.pay + hold.fee) return 'funded';
  return there > 0 ? 'partly_funded' : 'not_funded';
}

export function payWhatWaited(w: World, work: Work): void {
  payOwed(w, work);
  const settled = owed(work) === 0 && isOver(w, work);
  const hold = at(w.holds, work.hold);
  show(w, hold, settled && !hold.frozen ? 'funded' : lies(w, work.hold));
  if (settled) finish(w, work);
}
