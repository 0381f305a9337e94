import { canBeSent, endOffer, held, refundHold, send } from './holds.model.ts';
import { added, isOver, lies, owed, payWhatWaited } from './pay.model.ts';
import {
  at,
  type CardKind,
  type Charge,
  credit,
  type Hold,
  has,
  isOpen,
  isUnderWay,
  type Lines,
  left,
  move,
  post,
  RefusedError,
  show,
  unwant,
  type World,
} from './world.model.ts';

/** The destination of a charge's money (ADR 71), refunds to cards, and chargebacks (ADR 76). */

type There = NonNullable<Charge['there']>;

const atFirst: Record<CardKind, There['status']> = {
  good: 'succeeded',
  declined: 'failed',
  confirms: 'requires_action',
  late: 'processing',
  refused: 'failed',
};

export function ask(w: World, index: number): unknown {
  const charge = at(w.charges, index);
  if (charge.status !== 'created') return;
  if (!charge.wanted && !charge.asked) return stop(w, index);
  charge.asked = true;
  charge.there ??= {
    status: atFirst[at(w.cards, charge.card)],
    refunded: 0,
    chargebacks: [],
  };
  receive(w, index, charge.there);
}

/** Ends an unrequested charge here, and stops any other at the provider if possible. */
export function stop(w: World, index: number): void {
  const charge = at(w.charges, index);
  if (!isUnderWay(charge)) return;
  if (!charge.asked || charge.there === null) {
    charge.status = 'cancelled';
    notPaid(w, charge);
    return;
  }
  const isUnderWayThere = charge.there.status === 'processing' && !w.stripe;
  if (isUnderWayThere || charge.there.status === 'requires_action') charge.there.status = 'cancelled';
  receive(w, index, charge.there);
}

/** Applies the provider's state, however often and in any order. */
export function receive(w: World, index: number, there: There): void {
  const charge = at(w.charges, index);
  const over = charge.status === 'succeeded' || (!isUnderWay(charge) && there.status !== 'succeeded');
  if (!over && charge.status !== there.status) {
    charge.asked = true;
    // The money arrives before it is marked, so that its subject can cancel everything in progress.
    const landed = there.status === 'succeeded' ? land(w, index) : null;
    if (there.status === 'failed' || there.status === 'cancelled') notPaid(w, charge);
    Object.assign(charge, { status: there.status, landed });
  }
  if (charge.status !== 'succeeded') return;
  for (const [no, { status, amount }] of there.chargebacks.entries()) {
    if (charge.chargebacks[no] === undefined) openChargeback(w, index, amount);
    if (charge.chargebacks[no]?.status === 'open' && status !== 'open') closeChargeback(w, index, no, status);
  }
}

function notPaid(w: World, { purpose, subject }: Charge): void {
  if (purpose !== 'tip' || subject === null) return;
  const tip = at(w.tips, subject);
  if (tip.status === 'paying') tip.status = 'failed';
}

function land(w: World, index: number): 'subject' | 'balance' {
  const charge = at(w.charges, index);
  const landed =
    charge.subject !== null &&
    { top_up: () => false, hold: holdPaid, cover: coverPaid, tip: tipPaid }[charge.purpose](w, charge);
  if (landed) return 'subject';
  move(w, 'provider', 'business', charge.amount);
  return 'balance';
}

function holdPaid(w: World, { subject, amount }: Charge): boolean {
  const index = subject ?? -1;
  const hold = at(w.holds, index);
  if (hold.status !== 'authorising' || hold.offer === null) return false;
  if (!canBeSent(w, hold.offer)) {
    endOffer(w, hold.offer, 'expired', { unpaid: true });
    return false;
  }
  move(w, 'provider', `hold/${index}`, amount);
  held(w, index, 'card');
  unwant(w, index, 'hold');
  send(w, hold.offer);
  return true;
}

function coverPaid(w: World, { subject, amount }: Charge): boolean {
  const index = subject ?? -1;
  const hold = at(w.holds, index);
  if (hold.work === null || hold.frozen) return false;
  const work = at(w.works, hold.work);
  if (isOver(w, work) && owed(work) === 0) return false;
  move(w, 'provider', `hold/${index}`, amount);
  added(w, hold, work, amount);
  return true;
}

function tipPaid(w: World, { subject, amount }: Charge): boolean {
  const index = subject ?? -1;
  const tip = at(w.tips, index);
  if (tip.status !== 'paying') return false;
  const { worker } = at(w.slots, at(w.works, tip.work).slot);
  credit(w, [['provider', -amount]], worker, amount, `t${index}`);
  tip.status = 'paid';
  return true;
}

export function refund(w: World, amount: number): void {
  if (has(w, 'business') < amount) throw new RefusedError('payment/balance-short');
  let wanted = amount;
  for (let index = w.charges.length - 1; index >= 0 && wanted > 0; index -= 1) {
    const charge = at(w.charges, index);
    const taken = charge.status === 'succeeded' && (charge.purpose !== 'tip' || charge.landed === 'balance');
    if (!taken || isDisputed(charge)) continue;
    const part = Math.min(wanted, charge.amount - charge.refunded);
    if (part === 0) continue;
    charge.refunded += part;
    move(w, 'business', 'provider', part);
    w.timers.set(`payments.refund/${w.refunds.length}`, 0);
    w.refunds.push({ charge: index, amount: part, status: 'created' });
    wanted -= part;
  }
  if (wanted > 0) throw new RefusedError('payment/refund-too-much');
}

export function sendRefund(w: World, index: number): void {
  const one = at(w.refunds, index);
  if (one.status !== 'created') return;
  const charge = at(w.charges, one.charge);
  const there = charge.there as There;
  if (isDisputed(there)) {
    one.status = 'failed';
    charge.refunded -= one.amount;
    move(w, 'provider', 'business', one.amount);
    return;
  }
  there.refunded += one.amount;
  one.status = 'sent';
  receive(w, one.charge, there);
}

const isDisputed = ({ chargebacks }: Pick<There, 'chargebacks'>): boolean =>
  chargebacks.some(({ status }) => status !== 'won');

const holdOf = ({ landed, purpose, subject }: Charge): number | null =>
  landed === 'subject' && (purpose === 'hold' || purpose === 'cover') ? subject : null;

/** Freezes the rest of the hold; the balance bears the missing part, then the platform. */
function openChargeback(w: World, index: number, amount: number): void {
  const charge = at(w.charges, index);
  const hold = holdOf(charge);
  if (hold !== null) freeze(w, hold, true);
  const inHold = hold === null ? 0 : left(w, hold);
  const borne = Math.min(has(w, 'business'), amount - Math.min(inHold, amount));
  const opening: Lines = [
    ['provider', amount],
    ['business', -borne],
    ['losses', borne - amount],
  ];
  post(w, opening);
  charge.chargebacks.push({ status: 'open', amount, borne, opening });
}

/** Won: reversed. Lost: recovered from the hold, then from the balance. */
function closeChargeback(w: World, index: number, no: number, decision: 'won' | 'lost'): void {
  const charge = at(w.charges, index);
  const hold = holdOf(charge);
  const chargeback = at(charge.chargebacks, no);
  const { amount } = chargeback;
  let { borne } = chargeback;
  if (decision === 'won') {
    post(
      w,
      chargeback.opening.map(([account, minor]) => [account, -minor]),
    );
    borne = 0;
  } else {
    if (hold !== null) borne += chargeBack(w, hold, amount - borne);
    const more = Math.min(amount - borne, has(w, 'business'));
    move(w, 'business', 'losses', more);
    borne += more;
  }
  Object.assign(chargeback, { status: decision, borne });
  if (hold === null) return;
  const others = w.charges.some(
    (other) => holdOf(other) === hold && other.chargebacks.some(({ status }) => status === 'open'),
  );
  freeze(w, hold, others);
}

/** Nothing leaves a frozen hold. */
function freeze(w: World, index: number, frozen: boolean): void {
  const hold = at(w.holds, index);
  if (hold.frozen === frozen || (frozen && !isOpen(hold))) return;
  hold.frozen = frozen;
  show(w, hold, lies(w, index));
  if (!frozen) thaw(w, hold, index);
}

function thaw(w: World, hold: Hold, index: number): void {
  if (hold.work !== null) {
    payWhatWaited(w, at(w.works, hold.work));
  } else if (hold.offer !== null && at(w.offers, hold.offer).status !== 'sent') refundHold(w, index);
}

function chargeBack(w: World, index: number, amount: number): number {
  const hold = at(w.holds, index);
  if (!isOpen(hold)) return 0;
  const takes = Math.min(amount, left(w, index));
  move(w, `hold/${index}`, 'losses', takes);
  if (left(w, index) > 0) return takes;
  hold.frozen = false;
  if (hold.status !== 'disputed') hold.status = hold.status === 'held' ? 'refunded' : 'released';
  show(w, hold, 'not_funded');
  return takes;
}
