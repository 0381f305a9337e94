import { canBeSent, endOffer, markHeld, refundHold, send } from './holds.model.ts';
import { addToHold, fundingOf, isSettled, owedPay, payOwedAndFinish } from './pay.model.ts';
import {
  balanceOf,
  type CardKind,
  type Charge,
  cancelCharges,
  credit,
  type Hold,
  heldIn,
  isOpen,
  isUnderWay,
  itemAt,
  type Lines,
  move,
  post,
  RefusedError,
  setFunding,
  type World,
} from './world.model.ts';

// The destination of a charge's money (ADR 71), refunds to cards, and chargebacks (ADR 76).

type ProviderState = NonNullable<Charge['providerState']>;

const atFirst: Record<CardKind, ProviderState['status']> = {
  good: 'succeeded',
  declined: 'failed',
  confirms: 'requires_action',
  late: 'processing',
  refused: 'failed',
};

export function requestCharge(world: World, index: number): unknown {
  const charge = itemAt(world.charges, index);
  if (charge.status !== 'created') return;
  if (!charge.needed && !charge.sentToProvider) return stopCharge(world, index);
  charge.sentToProvider = true;
  charge.providerState ??= {
    status: atFirst[itemAt(world.cards, charge.card)],
    refunded: 0,
    chargebacks: [],
  };
  receiveCharge(world, index, charge.providerState);
}

/** Ends an unrequested charge here, and stops any other at the provider if possible. */
export function stopCharge(world: World, index: number): void {
  const charge = itemAt(world.charges, index);
  if (!isUnderWay(charge)) return;
  if (!charge.sentToProvider || charge.providerState === null) {
    charge.status = 'cancelled';
    notPaid(world, charge);
    return;
  }
  const isProcessing = charge.providerState.status === 'processing' && !world.stripe;
  if (isProcessing || charge.providerState.status === 'requires_action')
    charge.providerState.status = 'cancelled';
  receiveCharge(world, index, charge.providerState);
}

/** Applies the provider's state, however often and in any order. */
export function receiveCharge(world: World, index: number, providerState: ProviderState): void {
  const charge = itemAt(world.charges, index);
  const over = charge.status === 'succeeded' || (!isUnderWay(charge) && providerState.status !== 'succeeded');
  if (!over && charge.status !== providerState.status) {
    charge.sentToProvider = true;
    // The money arrives before it is marked, so that its subject can cancel everything in progress.
    const landed = providerState.status === 'succeeded' ? land(world, index) : null;
    if (providerState.status === 'failed' || providerState.status === 'cancelled') notPaid(world, charge);
    Object.assign(charge, { status: providerState.status, landed });
  }
  if (charge.status !== 'succeeded') return;
  for (const [no, { status, amount }] of providerState.chargebacks.entries()) {
    if (charge.chargebacks[no] === undefined) openChargeback(world, index, amount);
    if (charge.chargebacks[no]?.status === 'open' && status !== 'open')
      closeChargeback(world, index, no, status);
  }
}

function notPaid(world: World, { purpose, subject }: Charge): void {
  if (purpose !== 'tip' || subject === null) return;
  const tip = itemAt(world.tips, subject);
  if (tip.status === 'paying') tip.status = 'failed';
}

function land(world: World, index: number): 'subject' | 'balance' {
  const charge = itemAt(world.charges, index);
  const landed =
    charge.subject !== null &&
    { top_up: () => false, hold: holdPaid, cover: coverPaid, tip: tipPaid }[charge.purpose](world, charge);
  if (landed) return 'subject';
  move(world, 'provider', 'business', charge.amount);
  return 'balance';
}

function holdPaid(world: World, { subject, amount }: Charge): boolean {
  const index = subject ?? -1;
  const hold = itemAt(world.holds, index);
  if (hold.status !== 'authorising' || hold.offer === null) return false;
  if (!canBeSent(world, hold.offer)) {
    endOffer(world, hold.offer, 'expired', { unpaid: true });
    return false;
  }
  move(world, 'provider', `hold/${index}`, amount);
  markHeld(world, index, 'card');
  cancelCharges(world, index, 'hold');
  send(world, hold.offer);
  return true;
}

function coverPaid(world: World, { subject, amount }: Charge): boolean {
  const index = subject ?? -1;
  const hold = itemAt(world.holds, index);
  if (hold.work === null || hold.frozen) return false;
  const work = itemAt(world.works, hold.work);
  if (isSettled(world, work) && owedPay(work) === 0) return false;
  move(world, 'provider', `hold/${index}`, amount);
  addToHold(world, hold, work, amount);
  return true;
}

function tipPaid(world: World, { subject, amount }: Charge): boolean {
  const index = subject ?? -1;
  const tip = itemAt(world.tips, index);
  if (tip.status !== 'paying') return false;
  const { worker } = itemAt(world.slots, itemAt(world.works, tip.work).slot);
  credit(world, [['provider', -amount]], worker, amount, `t${index}`);
  tip.status = 'paid';
  return true;
}

export function refund(world: World, amount: number): void {
  if (balanceOf(world, 'business') < amount) throw new RefusedError('payment/balance-short');
  let remaining = amount;
  for (let index = world.charges.length - 1; index >= 0 && remaining > 0; index -= 1) {
    const charge = itemAt(world.charges, index);
    const isPaid = charge.status === 'succeeded' && (charge.purpose !== 'tip' || charge.landed === 'balance');
    if (!isPaid || isDisputed(charge)) continue;
    const payback = Math.min(remaining, charge.amount - charge.refunded);
    if (payback === 0) continue;
    charge.refunded += payback;
    move(world, 'business', 'provider', payback);
    world.timers.set(`payments.refund/${world.refunds.length}`, 0);
    world.refunds.push({ charge: index, amount: payback, status: 'created' });
    remaining -= payback;
  }
  if (remaining > 0) throw new RefusedError('payment/refund-too-much');
}

export function sendRefund(world: World, index: number): void {
  const cardRefund = itemAt(world.refunds, index);
  if (cardRefund.status !== 'created') return;
  const charge = itemAt(world.charges, cardRefund.charge);
  const providerState = charge.providerState as ProviderState;
  if (isDisputed(providerState)) {
    cardRefund.status = 'failed';
    charge.refunded -= cardRefund.amount;
    move(world, 'provider', 'business', cardRefund.amount);
    return;
  }
  providerState.refunded += cardRefund.amount;
  cardRefund.status = 'sent';
  receiveCharge(world, cardRefund.charge, providerState);
}

const isDisputed = ({ chargebacks }: Pick<ProviderState, 'chargebacks'>): boolean =>
  chargebacks.some(({ status }) => status !== 'won');

const holdOf = ({ landed, purpose, subject }: Charge): number | null =>
  landed === 'subject' && (purpose === 'hold' || purpose === 'cover') ? subject : null;

/** Freezes the rest of the hold; the balance bears the missing part, then the platform. */
function openChargeback(world: World, index: number, amount: number): void {
  const charge = itemAt(world.charges, index);
  const hold = holdOf(charge);
  if (hold !== null) freeze(world, hold, true);
  const inHold = hold === null ? 0 : heldIn(world, hold);
  const borne = Math.min(balanceOf(world, 'business'), amount - Math.min(inHold, amount));
  const opening: Lines = [
    ['provider', amount],
    ['business', -borne],
    ['losses', borne - amount],
  ];
  post(world, opening);
  charge.chargebacks.push({ status: 'open', amount, borne, opening });
}

/** Won: reversed. Lost: recovered from the hold, then from the balance. */
function closeChargeback(world: World, index: number, no: number, decision: 'won' | 'lost'): void {
  const charge = itemAt(world.charges, index);
  const hold = holdOf(charge);
  const chargeback = itemAt(charge.chargebacks, no);
  const { amount } = chargeback;
  let { borne } = chargeback;
  if (decision === 'won') {
    post(
      world,
      chargeback.opening.map(([account, minor]) => [account, -minor]),
    );
    borne = 0;
  } else {
    if (hold !== null) borne += chargeBack(world, hold, amount - borne);
    const more = Math.min(amount - borne, balanceOf(world, 'business'));
    move(world, 'business', 'losses', more);
    borne += more;
  }
  Object.assign(chargeback, { status: decision, borne });
  if (hold === null) return;
  const others = world.charges.some(
    (other) => holdOf(other) === hold && other.chargebacks.some(({ status }) => status === 'open'),
  );
  freeze(world, hold, others);
}

/** Nothing leaves a frozen hold. */
function freeze(world: World, index: number, frozen: boolean): void {
  const hold = itemAt(world.holds, index);
  if (hold.frozen === frozen || (frozen && !isOpen(hold))) return;
  hold.frozen = frozen;
  setFunding(world, hold, fundingOf(world, index));
  if (!frozen) thaw(world, hold, index);
}

function thaw(world: World, hold: Hold, index: number): void {
  if (hold.work !== null) {
    payOwedAndFinish(world, itemAt(world.works, hold.work));
  } else if (hold.offer !== null && itemAt(world.offers, hold.offer).status !== 'sent')
    refundHold(world, index);
}

function chargeBack(world: World, index: number, amount: number): number {
  const hold = itemAt(world.holds, index);
  if (!isOpen(hold)) return 0;
  const recovered = Math.min(amount, heldIn(world, index));
  move(world, `hold/${index}`, 'losses', recovered);
  if (heldIn(world, index) > 0) return recovered;
  hold.frozen = false;
  if (hold.status !== 'disputed') hold.status = hold.status === 'held' ? 'refunded' : 'released';
  setFunding(world, hold, 'not_funded');
  return recovered;
}
