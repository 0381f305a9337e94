import { dayMs, hourMs, minuteMs } from '@nearhand/contract/durations';
import { finish, giveBack, request } from './pay.model.ts';
import {
  at,
  choose,
  type Funding,
  type Hold,
  has,
  type Job,
  lastCharge,
  move,
  RefusedError,
  share,
  startCharge,
  unwant,
  type Work,
  type World,
} from './world.model.ts';

/** Money set aside for offers (ADR 73) and spots of an instant hire (ADR 75). */

const freeSpots = (job: Job): number => job.head - job.hired - job.offered;

const wholePay = (job: Job, pay: number): number =>
  job.kind === 'task' ? pay : Math.floor((pay * job.minutes + 30) / 60);

/** All jobs are in UTC. An offer doesn't end between 22:00 and 8:00. */
function offerEnd(w: World, job: Job): number {
  const end = w.now + 48 * hourMs;
  const midnight = Math.floor(end / dayMs) * dayMs;
  const hour = (end - midnight) / hourMs;
  const awake = hour < 8 ? midnight + 8 * hourMs : hour < 22 ? end : midnight + 32 * hourMs;
  return Math.min(awake, job.start ?? Number.POSITIVE_INFINITY);
}

function newHold(w: World, job: number, pay: number): number {
  const fee = share(pay, w.merchantFee);
  w.holds.push({
    job,
    offer: null,
    work: null,
    status: 'created',
    frozen: false,
    source: null,
    pay,
    fee,
    added: 0,
    payBy: null,
  });
  return w.holds.length - 1;
}

function fromBalance(w: World, index: number): void {
  const hold = at(w.holds, index);
  if (has(w, 'business') < hold.pay + hold.fee) throw new RefusedError('payment/balance-short');
  move(w, 'business', `hold/${index}`, hold.pay + hold.fee);
  held(w, index, 'balance');
}

export function held(w: World, index: number, source: 'balance' | 'card'): void {
  const hold = at(w.holds, index);
  w.timers.delete(`holds.checkout/${index}`);
  Object.assign(hold, { status: 'held', source, payBy: null });
  if (hold.offer !== null) at(w.offers, hold.offer).funding = 'funded';
}

function fromCard(w: World, index: number, card: number): void {
  const hold = at(w.holds, index);
  if (hold.status === 'created') {
    const payBy = w.now + 15 * minuteMs;
    Object.assign(hold, { status: 'authorising', source: 'card', payBy });
    w.timers.set(`holds.checkout/${index}`, payBy);
  }
  startCharge(w, { card, purpose: 'hold', subject: index, amount: hold.pay + hold.fee });
}

const spotsOf = (w: World, job: number): number[] =>
  w.holds.flatMap((hold, index) =>
    hold.job === job && hold.offer === null && hold.status === 'held' && !hold.frozen ? [index] : [],
  );

/** Refunds extra spots and funds missing ones from the balance. */
export function setSpots(w: World, index: number, all: boolean): void {
  const job = at(w.jobs, index);
  const hires = job.instant && job.status === 'open';
  const neededHolds = hires ? Math.max(0, freeSpots(job)) : 0;
  const spots = spotsOf(w, index);
  const fitting = hires ? spots.filter((spot) => at(w.holds, spot).pay === wholePay(job, job.pay)) : [];
  const neededSpots = fitting.slice(0, neededHolds);
  for (const spot of spots) {
    if (neededSpots.includes(spot)) continue;
    giveBack(w, spot);
    at(w.holds, spot).status = 'refunded';
  }
  const each = wholePay(job, job.pay) + share(wholePay(job, job.pay), w.merchantFee);
  for (let lacks = neededHolds - neededSpots.length; lacks > 0; lacks -= 1) {
    if (has(w, 'business') >= each) fromBalance(w, newHold(w, index, wholePay(job, job.pay)));
    else if (all) throw new RefusedError('payment/balance-short');
  }
}

/** Funds a freed spot as far as the balance goes. There is no waitlist here. */
function spotFreed(w: World, index: number): void {
  if (at(w.jobs, index).instant) setSpots(w, index, false);
}

export function offer(w: World, slotNo: number, more: number | null, asked: Funding): void {
  const slot = at(w.slots, slotNo);
  const job = at(w.jobs, slot.job);
  if (job.start !== null && job.start <= w.now) throw new RefusedError('offer/starts-in-past');
  if (freeSpots(job) < 1) throw new RefusedError('offer/no-spot');
  const pay = wholePay(job, job.pay + (more ?? 0));
  const spot = job.instant ? spotsOf(w, slot.job).find((index) => at(w.holds, index).pay === pay) : undefined;
  const funding = spot === undefined ? choose(w, pay + share(pay, w.merchantFee), asked) : null;
  job.offered += 1;
  if (job.instant && spot === undefined) setSpots(w, slot.job, false);
  const hold = spot ?? newHold(w, slot.job, pay);
  at(w.holds, hold).offer = w.offers.length;
  w.offers.push({ slot: slotNo, hold, status: 'sent', funding: 'funded', expires: offerEnd(w, job) });
  if (funding?.from === 'card') {
    Object.assign(at(w.offers, w.offers.length - 1), { status: 'funding', funding: 'not_funded' });
    fromCard(w, hold, funding.card);
    return;
  }
  if (funding) fromBalance(w, hold);
  slot.over = true;
  w.timers.set(`offers.expire/${w.offers.length - 1}`, offerEnd(w, job));
}

export function canBeSent(w: World, offerNo: number): boolean {
  const one = at(w.offers, offerNo);
  const job = at(w.jobs, at(w.slots, one.slot).job);
  return one.status === 'funding' && offerEnd(w, job) > w.now;
}

export function send(w: World, offerNo: number): void {
  const one = at(w.offers, offerNo);
  const slot = at(w.slots, one.slot);
  const expires = offerEnd(w, at(w.jobs, slot.job));
  Object.assign(one, { status: 'sent', funding: 'funded', expires });
  slot.over = true;
  w.timers.set(`offers.expire/${offerNo}`, expires);
}

export function payHold(w: World, index: number, asked: NonNullable<Funding>): void {
  const hold = at(w.holds, index);
  if (hold.status === 'held') return;
  const waits = hold.status === 'authorising' && hold.payBy !== null && hold.payBy > w.now;
  if (!waits || hold.offer === null || !canBeSent(w, hold.offer))
    throw new RefusedError('payment/wrong-state');
  const funding = choose(w, hold.pay + hold.fee, asked);
  if (funding.from === 'card') {
    const last = lastCharge(w, index);
    if (last?.status === 'created' || last?.status === 'processing') return;
    unwant(w, index, 'hold');
    fromCard(w, index, funding.card);
    return;
  }
  unwant(w, index, 'hold');
  fromBalance(w, index);
  send(w, hold.offer);
}

export function refundHold(w: World, index: number): void {
  const hold = at(w.holds, index);
  if (hold.status === 'authorising') {
    w.timers.delete(`holds.checkout/${index}`);
    Object.assign(hold, { status: 'expired', payBy: null });
    unwant(w, index, 'hold');
  } else if (hold.status === 'held' && !hold.frozen) {
    if (w.mistake !== 'expiry-keeps-money') giveBack(w, index);
    hold.status = 'refunded';
    if (hold.offer !== null) at(w.offers, hold.offer).funding = 'not_funded';
  }
}

export function endOffer(
  w: World,
  offerNo: number,
  how: 'declined' | 'expired' | 'withdrawn',
  { unpaid = false } = {},
): void {
  const one = at(w.offers, offerNo);
  const slot = at(w.slots, one.slot);
  if (one.status === 'sent') slot.over = true;
  one.status = how;
  w.timers.delete(`offers.expire/${offerNo}`);
  at(w.jobs, slot.job).offered -= 1;
  refundHold(w, one.hold);
  // A payment that just failed is not retried.
  if (!unpaid) spotFreed(w, slot.job);
}

export function accept(w: World, offerNo: number): void {
  const one = at(w.offers, offerNo);
  const job = at(w.jobs, at(w.slots, one.slot).job);
  const hold = at(w.holds, one.hold);
  one.status = 'accepted';
  w.timers.delete(`offers.expire/${offerNo}`);
  hold.work = w.works.length;
  w.works.push({
    slot: one.slot,
    offer: offerNo,
    hold: one.hold,
    status: 'booked',
    funding: one.funding,
    planned: hold.pay,
    claim: null,
    counter: null,
    approvedAt: null,
    noShowAt: null,
    contested: false,
    releases: [],
  });
  job.offered -= 1;
  job.hired += 1;
  if (job.hired < job.head) return;
  if (job.status !== 'filled') job.pausedBefore = job.status === 'paused';
  job.status = 'filled';
}

export function canHireAtOnce(w: World, slotNo: number): boolean {
  const slot = at(w.slots, slotNo);
  const job = at(w.jobs, slot.job);
  const fits = spotsOf(w, slot.job).some((spot) => at(w.holds, spot).pay === wholePay(job, job.pay));
  return job.instant && job.status === 'open' && freeSpots(job) > 0 && fits && !slot.over;
}

export function hireAtOnce(w: World, slotNo: number): void {
  offer(w, slotNo, null, null);
  accept(w, w.offers.length - 1);
}

/** Half of the pay, for a shift at most four hours of it, if the business cancels late. */
function compensation(w: World, work: Work, by: 'worker' | 'business'): number {
  const job = at(w.jobs, at(w.slots, work.slot).job);
  const late = job.start === null ? work.status === 'in_progress' : w.now > job.start - dayMs;
  if (!late || by === 'worker') return 0;
  const half = share(work.planned, 5_000);
  const hourly = job.kind === 'shift' ? rateOf(job, work) : 0;
  return job.kind === 'task' ? half : Math.min(half, 4 * hourly);
}
/** Shifts here have whole hours. */
const rateOf = (job: Job, work: Work): number => (work.planned * 60) / job.minutes;

export function cancel(w: World, work: Work, by: 'worker' | 'business'): void {
  const { job: jobNo } = at(w.slots, work.slot);
  const job = at(w.jobs, jobNo);
  const spotIsFree = job.start === null ? work.status === 'booked' : w.now < job.start;
  const amount = compensation(w, work, by);
  work.status = by === 'worker' ? 'cancelled_by_worker' : 'cancelled_by_merchant';
  request(w, work, 'compensation', amount);
  finish(w, work);
  if (!spotIsFree) return;
  job.hired -= 1;
  if (job.status === 'filled') job.status = job.pausedBefore ? 'paused' : 'open';
  spotFreed(w, jobNo);
}

export function endCheckout(w: World, index: number): void {
  const hold = at(w.holds, index);
  w.timers.delete(`holds.checkout/${index}`);
  if (hold.status !== 'authorising' || hold.offer === null) return;
  if (hold.payBy !== null && hold.payBy > w.now && canBeSent(w, hold.offer)) {
    w.timers.set(`holds.checkout/${index}`, hold.payBy);
    return;
  }
  Object.assign(hold, { status: 'expired', payBy: null });
  unwant(w, index, 'hold');
  if (at(w.offers, hold.offer).status === 'funding') endOffer(w, hold.offer, 'expired', { unpaid: true });
}

export const dispute = (hold: Hold): void => {
  if (hold.status === 'held' || hold.status === 'partly_released') hold.status = 'disputed';
};
