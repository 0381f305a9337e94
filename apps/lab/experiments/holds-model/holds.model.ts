import { dayMs, hourMs, minuteMs } from '@nearhand/contract/durations';
import { finish, request, returnRest } from './pay.model.ts';
import {
  balanceOf,
  cancelCharges,
  choose,
  type Funding,
  type Hold,
  itemAt,
  type Job,
  lastCharge,
  move,
  RefusedError,
  share,
  startCharge,
  type Work,
  type World,
} from './world.model.ts';

// Money set aside for offers (ADR 73) and spots of an instant hire (ADR 75).

const freeSpots = (job: Job): number => job.head - job.hired - job.offered;

const wholePay = (job: Job, pay: number): number =>
  job.kind === 'task' ? pay : Math.floor((pay * job.minutes + 30) / 60);

/** All jobs are in UTC. An offer doesn't end between 22:00 and 8:00. */
function offerEnd(world: World, job: Job): number {
  const end = world.now + 48 * hourMs;
  const midnight = Math.floor(end / dayMs) * dayMs;
  const hour = (end - midnight) / hourMs;
  const awake = hour < 8 ? midnight + 8 * hourMs : hour < 22 ? end : midnight + 32 * hourMs;
  return Math.min(awake, job.start ?? Number.POSITIVE_INFINITY);
}

function newHold(world: World, job: number, pay: number): number {
  const fee = share(pay, world.businessFee);
  world.holds.push({
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
  return world.holds.length - 1;
}

function fromBalance(world: World, index: number): void {
  const hold = itemAt(world.holds, index);
  if (balanceOf(world, 'business') < hold.pay + hold.fee) throw new RefusedError('payment/balance-short');
  move(world, 'business', `hold/${index}`, hold.pay + hold.fee);
  markHeld(world, index, 'balance');
}

export function markHeld(world: World, index: number, source: 'balance' | 'card'): void {
  const hold = itemAt(world.holds, index);
  world.timers.delete(`holds.checkout/${index}`);
  Object.assign(hold, { status: 'held', source, payBy: null });
  if (hold.offer !== null) itemAt(world.offers, hold.offer).funding = 'funded';
}

function fromCard(world: World, index: number, card: number): void {
  const hold = itemAt(world.holds, index);
  if (hold.status === 'created') {
    const payBy = world.now + 15 * minuteMs;
    Object.assign(hold, { status: 'authorising', source: 'card', payBy });
    world.timers.set(`holds.checkout/${index}`, payBy);
  }
  startCharge(world, { card, purpose: 'hold', subject: index, amount: hold.pay + hold.fee });
}

const spotsOf = (world: World, job: number): number[] =>
  world.holds.flatMap((hold, index) =>
    hold.job === job && hold.offer === null && hold.status === 'held' && !hold.frozen ? [index] : [],
  );

/** Refunds extra spots and funds missing ones from the balance. */
export function setSpots(world: World, index: number, all: boolean): void {
  const job = itemAt(world.jobs, index);
  const hires = job.instant && job.status === 'open';
  const neededHolds = hires ? Math.max(0, freeSpots(job)) : 0;
  const spots = spotsOf(world, index);
  const fitting = hires
    ? spots.filter((spot) => itemAt(world.holds, spot).pay === wholePay(job, job.pay))
    : [];
  const neededSpots = fitting.slice(0, neededHolds);
  for (const spot of spots) {
    if (neededSpots.includes(spot)) continue;
    returnRest(world, spot);
    itemAt(world.holds, spot).status = 'refunded';
  }
  const spotCost = wholePay(job, job.pay) + share(wholePay(job, job.pay), world.businessFee);
  for (let lacking = neededHolds - neededSpots.length; lacking > 0; lacking -= 1) {
    if (balanceOf(world, 'business') >= spotCost)
      fromBalance(world, newHold(world, index, wholePay(job, job.pay)));
    else if (all) throw new RefusedError('payment/balance-short');
  }
}

/** Funds a freed spot as far as the balance goes. There is no waitlist here. */
function spotFreed(world: World, index: number): void {
  if (itemAt(world.jobs, index).instant) setSpots(world, index, false);
}

export function makeOffer(world: World, slotNo: number, more: number | null, choice: Funding): void {
  const slot = itemAt(world.slots, slotNo);
  const job = itemAt(world.jobs, slot.job);
  if (job.start !== null && job.start <= world.now) throw new RefusedError('offer/starts-in-past');
  if (freeSpots(job) < 1) throw new RefusedError('offer/no-spot');
  const pay = wholePay(job, job.pay + (more ?? 0));
  const spot = job.instant
    ? spotsOf(world, slot.job).find((index) => itemAt(world.holds, index).pay === pay)
    : undefined;
  const funding = spot === undefined ? choose(world, pay + share(pay, world.businessFee), choice) : null;
  job.offered += 1;
  if (job.instant && spot === undefined) setSpots(world, slot.job, false);
  const hold = spot ?? newHold(world, slot.job, pay);
  itemAt(world.holds, hold).offer = world.offers.length;
  world.offers.push({ slot: slotNo, hold, status: 'sent', funding: 'funded', expires: offerEnd(world, job) });
  if (funding?.from === 'card') {
    Object.assign(itemAt(world.offers, world.offers.length - 1), {
      status: 'funding',
      funding: 'not_funded',
    });
    fromCard(world, hold, funding.card);
    return;
  }
  if (funding) fromBalance(world, hold);
  slot.over = true;
  world.timers.set(`offers.expire/${world.offers.length - 1}`, offerEnd(world, job));
}

export function canBeSent(world: World, offerNo: number): boolean {
  const offer = itemAt(world.offers, offerNo);
  const job = itemAt(world.jobs, itemAt(world.slots, offer.slot).job);
  return offer.status === 'funding' && offerEnd(world, job) > world.now;
}

export function send(world: World, offerNo: number): void {
  const offer = itemAt(world.offers, offerNo);
  const slot = itemAt(world.slots, offer.slot);
  const expires = offerEnd(world, itemAt(world.jobs, slot.job));
  Object.assign(offer, { status: 'sent', funding: 'funded', expires });
  slot.over = true;
  world.timers.set(`offers.expire/${offerNo}`, expires);
}

export function payHold(world: World, index: number, choice: NonNullable<Funding>): void {
  const hold = itemAt(world.holds, index);
  if (hold.status === 'held') return;
  const isPayable = hold.status === 'authorising' && hold.payBy !== null && hold.payBy > world.now;
  if (!isPayable || hold.offer === null || !canBeSent(world, hold.offer))
    throw new RefusedError('payment/wrong-state');
  const funding = choose(world, hold.pay + hold.fee, choice);
  if (funding.from === 'card') {
    const last = lastCharge(world, index);
    if (last?.status === 'created' || last?.status === 'processing') return;
    cancelCharges(world, index, 'hold');
    fromCard(world, index, funding.card);
    return;
  }
  cancelCharges(world, index, 'hold');
  fromBalance(world, index);
  send(world, hold.offer);
}

export function refundHold(world: World, index: number): void {
  const hold = itemAt(world.holds, index);
  if (hold.status === 'authorising') {
    world.timers.delete(`holds.checkout/${index}`);
    Object.assign(hold, { status: 'expired', payBy: null });
    cancelCharges(world, index, 'hold');
  } else if (hold.status === 'held' && !hold.frozen) {
    if (world.mistake !== 'expiry-keeps-money') returnRest(world, index);
    hold.status = 'refunded';
    if (hold.offer !== null) itemAt(world.offers, hold.offer).funding = 'not_funded';
  }
}

export function endOffer(
  world: World,
  offerNo: number,
  status: 'declined' | 'expired' | 'withdrawn',
  { unpaid = false } = {},
): void {
  const offer = itemAt(world.offers, offerNo);
  const slot = itemAt(world.slots, offer.slot);
  if (offer.status === 'sent') slot.over = true;
  offer.status = status;
  world.timers.delete(`offers.expire/${offerNo}`);
  itemAt(world.jobs, slot.job).offered -= 1;
  refundHold(world, offer.hold);
  // A payment that just failed is not retried.
  if (!unpaid) spotFreed(world, slot.job);
}

export function accept(world: World, offerNo: number): void {
  const offer = itemAt(world.offers, offerNo);
  const job = itemAt(world.jobs, itemAt(world.slots, offer.slot).job);
  const hold = itemAt(world.holds, offer.hold);
  offer.status = 'accepted';
  world.timers.delete(`offers.expire/${offerNo}`);
  hold.work = world.works.length;
  world.works.push({
    slot: offer.slot,
    offer: offerNo,
    hold: offer.hold,
    status: 'booked',
    funding: offer.funding,
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

export function canHireAtOnce(world: World, slotNo: number): boolean {
  const slot = itemAt(world.slots, slotNo);
  const job = itemAt(world.jobs, slot.job);
  const fits = spotsOf(world, slot.job).some(
    (spot) => itemAt(world.holds, spot).pay === wholePay(job, job.pay),
  );
  return job.instant && job.status === 'open' && freeSpots(job) > 0 && fits && !slot.over;
}

export function hireAtOnce(world: World, slotNo: number): void {
  makeOffer(world, slotNo, null, null);
  accept(world, world.offers.length - 1);
}

/** Half of the pay, for a shift at most four hours of it, if the business cancels late. */
function compensation(world: World, work: Work, by: 'worker' | 'business'): number {
  const job = itemAt(world.jobs, itemAt(world.slots, work.slot).job);
  const late = job.start === null ? work.status === 'in_progress' : world.now > job.start - dayMs;
  if (!late || by === 'worker') return 0;
  const half = share(work.planned, 5_000);
  const hourly = job.kind === 'shift' ? rateOf(job, work) : 0;
  return job.kind === 'task' ? half : Math.min(half, 4 * hourly);
}
/** Shifts here have whole hours. */
const rateOf = (job: Job, work: Work): number => (work.planned * 60) / job.minutes;

export function cancel(world: World, work: Work, by: 'worker' | 'business'): void {
  const { job: jobNo } = itemAt(world.slots, work.slot);
  const job = itemAt(world.jobs, jobNo);
  const spotIsFree = job.start === null ? work.status === 'booked' : world.now < job.start;
  const amount = compensation(world, work, by);
  work.status = by === 'worker' ? 'cancelled_by_worker' : 'cancelled_by_merchant';
  request(world, work, 'compensation', amount);
  finish(world, work);
  if (!spotIsFree) return;
  job.hired -= 1;
  if (job.status === 'filled') job.status = job.pausedBefore ? 'paused' : 'open';
  spotFreed(world, jobNo);
}

export function endCheckout(world: World, index: number): void {
  const hold = itemAt(world.holds, index);
  world.timers.delete(`holds.checkout/${index}`);
  if (hold.status !== 'authorising' || hold.offer === null) return;
  if (hold.payBy !== null && hold.payBy > world.now && canBeSent(world, hold.offer)) {
    world.timers.set(`holds.checkout/${index}`, hold.payBy);
    return;
  }
  Object.assign(hold, { status: 'expired', payBy: null });
  cancelCharges(world, index, 'hold');
  if (itemAt(world.offers, hold.offer).status === 'funding')
    endOffer(world, hold.offer, 'expired', { unpaid: true });
}

export const dispute = (hold: Hold): void => {
  if (hold.status === 'held' || hold.status === 'partly_released') hold.status = 'disputed';
};
