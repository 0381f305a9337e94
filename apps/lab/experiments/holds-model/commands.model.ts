import { dayMs, hourMs, minuteMs } from '@nearhand/contract/durations';
import { receiveCharge, refund, requestCharge, sendRefund, stopCharge } from './charges.model.ts';
import {
  accept,
  cancel,
  canHireAtOnce,
  dispute,
  endCheckout,
  endOffer,
  hireAtOnce,
  makeOffer,
  payHold,
  setSpots,
} from './holds.model.ts';
import { addToHold, agreedPay, finish, missingPay, request, settle } from './pay.model.ts';
import {
  canBecome,
  cancelWithdrawal,
  clear,
  receivePayout,
  sendWithdrawal,
  withdraw,
} from './workers.model.ts';
import {
  cancelCharges,
  choose,
  credit,
  type Funding,
  itemAt,
  lastCharge,
  move,
  type PayoutStatus,
  RefusedError,
  startCharge,
  type World,
} from './world.model.ts';

/** Plain data that can be printed, shrunk and replayed. Numbers name things in order of creation. */
export type Command =
  | { do: 'top-up'; card: number; amount: number }
  | { do: 'offer'; slot: number; more: number | null; funding: Funding }
  | { do: 'pay-hold'; hold: number; funding: NonNullable<Funding> }
  | { do: 'withdraw-offer' | 'decline' | 'accept'; offer: number }
  | { do: 'start' | 'dispute' | 'pay-recorded' | 'approve' | 'auto-approve'; work: number }
  | { do: 'no-show' | 'contest'; work: number }
  | { do: 'finish'; work: number; claim: number }
  | { do: 'counter' | 'settle'; work: number; amount: number }
  | { do: 'decide'; work: number; amount: number | null }
  | { do: 'cancel'; work: number; by: 'worker' | 'business' }
  | { do: 'cover'; work: number; funding: NonNullable<Funding> }
  | { do: 'tip'; work: number; kind: 'tip' | 'bonus'; amount: number; funding: Funding }
  | { do: 'refund'; amount: number }
  | { do: 'card'; charge: number; becomes: 'succeeded' | 'failed'; received: number }
  | { do: 'chargeback'; charge: number; amount: number; received: number }
  | { do: 'decided'; charge: number; won: boolean; received: number }
  | { do: 'old-news'; charge: number }
  | { do: 'spots'; job: number; open: boolean; head: number; pay: number; all: boolean }
  | { do: 'instant'; slot: number }
  | { do: 'identity'; worker: number; verified: boolean }
  | { do: 'withdraw'; worker: number; amount: number; instant: boolean }
  | { do: 'cancel-withdrawal'; withdrawal: number }
  | { do: 'bank'; withdrawal: number; becomes: PayoutStatus; received: number }
  | { do: 'finish-again'; work: number }
  | { do: 'tasks' }
  | { do: 'wait'; minutes: number };

const states: Partial<Record<Command['do'], { shift: readonly string[]; task: readonly string[] }>> = {
  start: { shift: [], task: ['booked'] },
  finish: { shift: ['booked', 'counter_proposed'], task: ['booked', 'in_progress'] },
  counter: { shift: ['submitted'], task: [] },
  'pay-recorded': { shift: ['counter_proposed'], task: [] },
  approve: { shift: ['submitted'], task: ['delivered'] },
  'auto-approve': { shift: ['submitted'], task: ['delivered'] },
  dispute: { shift: ['submitted', 'counter_proposed'], task: ['delivered'] },
  settle: { shift: ['disputed'], task: ['disputed'] },
  cancel: { shift: ['booked'], task: ['booked', 'in_progress'] },
  'no-show': { shift: ['booked'], task: [] },
  contest: { shift: ['no_show_reported'], task: [] },
  decide: { shift: ['contested'], task: [] },
};

/** Refused hiring commands are left to the hiring model. */
export function applies(world: World, command: Command): boolean {
  if ('work' in command) {
    const work = world.works[command.work];
    if (!work) return false;
    const job = itemAt(world.jobs, itemAt(world.slots, work.slot).job);
    const allowed = states[command.do];
    if (allowed && !allowed[job.kind].includes(work.status)) return false;
    if (command.do === 'cancel') return job.start === null || world.now < job.start;
    if (command.do === 'no-show') return job.start !== null && world.now >= job.start + hourMs;
    if (command.do === 'contest')
      return !work.contested && work.noShowAt !== null && world.now < work.noShowAt + dayMs;
    if (command.do === 'counter')
      return command.amount < (work.claim ?? 0) && command.amount >= agreedPay(work);
    if (command.do === 'settle') return command.amount >= agreedPay(work);
    if (command.do === 'finish') return job.kind === 'task' || command.claim >= agreedPay(work);
    return true;
  }
  switch (command.do) {
    case 'offer': {
      const slot = itemAt(world.slots, command.slot);
      const live = world.offers.some(({ slot: no, status }) => no === command.slot && status === 'funding');
      return !slot.over && !live;
    }
    case 'instant':
      return (
        canHireAtOnce(world, command.slot) &&
        !world.offers.some(({ slot, status }) => slot === command.slot && status === 'funding')
      );
    case 'pay-hold':
      return world.holds[command.hold] !== undefined;
    case 'withdraw-offer':
      return ['funding', 'sent'].includes(world.offers[command.offer]?.status ?? '');
    case 'decline':
      return world.offers[command.offer]?.status === 'sent';
    case 'accept': {
      const offer = world.offers[command.offer];
      return offer?.status === 'sent' && offer.expires > world.now;
    }
    case 'card':
      return ['processing', 'requires_action'].includes(
        world.charges[command.charge]?.providerState?.status ?? '',
      );
    case 'chargeback': {
      const providerState = world.charges[command.charge]?.providerState;
      const maxLeft = (world.charges[command.charge]?.amount ?? 0) - (providerState?.refunded ?? 0);
      return (
        providerState?.status === 'succeeded' &&
        providerState.chargebacks.every(({ status }) => status === 'won') &&
        command.amount <= maxLeft
      );
    }
    case 'decided':
      return world.charges[command.charge]?.providerState?.chargebacks.at(-1)?.status === 'open';
    case 'old-news':
      return ['succeeded', 'failed', 'cancelled'].includes(world.charges[command.charge]?.status ?? '');
    case 'spots': {
      const job = itemAt(world.jobs, command.job);
      return command.head >= job.hired + job.offered + (command.open ? 1 : 0);
    }
    case 'cancel-withdrawal':
      return world.withdrawals[command.withdrawal] !== undefined;
    case 'bank': {
      const withdrawal = world.withdrawals[command.withdrawal];
      return withdrawal !== undefined && canBecome(withdrawal.providerState, command.becomes);
    }
    default:
      return true;
  }
}

/** Refusals are thrown as `Refused`. Tasks run one by one in step with the server's (`runTimer`). */
function perform(world: World, command: Command): unknown {
  const work = 'work' in command ? itemAt(world.works, command.work) : null;
  switch (command.do) {
    case 'top-up':
      return startCharge(world, {
        card: command.card,
        purpose: 'top_up',
        subject: null,
        amount: command.amount,
      });
    case 'offer':
      return makeOffer(world, command.slot, command.more, command.funding);
    case 'instant':
      return hireAtOnce(world, command.slot);
    case 'pay-hold':
      return payHold(world, command.hold, command.funding);
    case 'withdraw-offer':
      return endOffer(world, command.offer, 'withdrawn');
    case 'decline':
      return endOffer(world, command.offer, 'declined');
    case 'accept':
      return accept(world, command.offer);
    case 'refund':
      return refund(world, command.amount);
    case 'identity':
      world.verified[command.worker] = command.verified;
      return;
    case 'withdraw':
      return withdraw(world, command);
    case 'cancel-withdrawal':
      return cancelWithdrawal(world, command.withdrawal);
    case 'spots': {
      const job = itemAt(world.jobs, command.job);
      Object.assign(job, { status: command.open ? 'open' : 'paused', head: command.head, pay: command.pay });
      return setSpots(world, command.job, command.all);
    }
    case 'card':
    case 'chargeback':
    case 'decided': {
      const { providerState } = itemAt(world.charges, command.charge);
      if (!providerState) return;
      if (command.do === 'card') providerState.status = command.becomes;
      else if (command.do === 'chargeback')
        providerState.chargebacks.push({ status: 'open', amount: command.amount });
      else
        Object.assign(itemAt(providerState.chargebacks, providerState.chargebacks.length - 1), {
          status: command.won ? 'won' : 'lost',
        });
      for (let times = 0; times < command.received; times += 1)
        receiveCharge(world, command.charge, providerState);
      return;
    }
    case 'bank':
      itemAt(world.withdrawals, command.withdrawal).providerState = command.becomes;
      for (let times = 0; times < command.received; times += 1) receivePayout(world, command.withdrawal);
      return;
    case 'wait':
      world.now += command.minutes * minuteMs;
      return;
    default:
      if (work) performWork(world, work, command);
  }
}

function performWork(world: World, work: World['works'][number], command: Command): unknown {
  const job = itemAt(world.jobs, itemAt(world.slots, work.slot).job);
  switch (command.do) {
    case 'start':
      work.status = 'in_progress';
      return;
    case 'finish':
      work.status = job.kind === 'shift' ? 'submitted' : 'delivered';
      work.claim = job.kind === 'shift' ? command.claim : work.planned;
      return;
    case 'counter':
      work.status = 'counter_proposed';
      work.counter = command.amount;
      return request(world, work, 'undisputed', command.amount - agreedPay(work));
    case 'pay-recorded':
      return settle(world, work, work.counter ?? 0);
    case 'approve':
      // An approver first adds what the hold lacks.
      if (missingPay(world, work, work.claim) > 0) throw new RefusedError('payment/hold-short');
      return settle(world, work, work.claim ?? 0);
    case 'auto-approve':
      return settle(
        world,
        work,
        Math.max(agreedPay(work), Math.min(work.claim ?? 0, Math.max(work.planned, agreedPay(work)))),
      );
    case 'dispute':
      work.status = 'disputed';
      return dispute(itemAt(world.holds, work.hold));
    case 'settle':
      return settle(world, work, command.amount);
    case 'cancel':
      return cancel(world, work, command.by);
    case 'no-show':
      Object.assign(work, { status: 'no_show_reported', noShowAt: world.now });
      world.timers.set(`holds.no-show-end/${command.work}`, world.now + dayMs);
      return;
    case 'contest':
      Object.assign(work, { status: 'contested', contested: true });
      return;
    case 'decide':
      if (command.amount !== null) return settle(world, work, command.amount);
      work.status = 'no_show_reported';
      return finish(world, work);
    case 'finish-again':
      if (['completed', 'cancelled_by_worker', 'cancelled_by_merchant'].includes(work.status))
        finish(world, work);
      return;
    case 'cover':
      return cover(world, work, command.funding);
    case 'tip':
      return tip(world, command);
    default:
  }
}

function cover(world: World, work: World['works'][number], choice: NonNullable<Funding>): unknown {
  const hold = itemAt(world.holds, work.hold);
  const isSubmitted = work.status === 'submitted' || work.status === 'delivered';
  const amount = missingPay(world, work, isSubmitted ? work.claim : null);
  if (amount === 0) throw new RefusedError('payment/nothing-missing');
  const last = lastCharge(world, work.hold);
  if (last?.purpose === 'cover' && (last.status === 'created' || last.status === 'processing')) return;
  const funding = choose(world, amount, choice);
  cancelCharges(world, work.hold, 'cover');
  if (funding.from === 'card')
    return startCharge(world, { card: funding.card, purpose: 'cover', subject: work.hold, amount });
  move(world, 'business', `hold/${work.hold}`, amount);
  addToHold(world, hold, work, amount);
}

function tip(world: World, command: Extract<Command, { do: 'tip' }>): unknown {
  const work = itemAt(world.works, command.work);
  const { amount, kind } = command;
  if (work.status !== 'completed') throw new RefusedError('engagement/wrong-state');
  if (world.now > (work.approvedAt ?? 0) + 30 * dayMs) throw new RefusedError('payment/tip-too-late');
  if (amount > 100_000) throw new RefusedError('payment/tip-too-much');
  const funding = choose(world, amount, command.funding);
  const index = world.tips.length;
  world.tips.push({ work: command.work, kind, amount, status: 'paying' });
  if (funding.from === 'card')
    return startCharge(world, { card: funding.card, purpose: 'tip', subject: index, amount });
  credit(world, [['business', -amount]], itemAt(world.slots, work.slot).worker, amount, `t${index}`);
  itemAt(world.tips, index).status = 'paid';
}

export function answer(world: World, command: Command): string {
  const before = structuredClone(world);
  try {
    perform(world, command);
    return 'done';
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    Object.assign(world, before);
    return error.message;
  }
}

/** False if the model has no such task due. */
export function runTimer(world: World, key: string): boolean {
  const due = world.timers.get(key);
  if (due === undefined || due > world.now) return false;
  const [name = '', of = ''] = key.split('/');
  const index = Number(of);
  world.timers.delete(key);
  const timers: Record<string, () => void> = {
    'payments.charge': () => requestCharge(world, index),
    'payments.cancel-charge': () => stopCharge(world, index),
    'payments.refund': () => sendRefund(world, index),
    'payouts.clear': () => clear(world, of),
    'payouts.send': () => sendWithdrawal(world, index),
    'holds.checkout': () => endCheckout(world, index),
    'holds.no-show-end': () => {
      const work = itemAt(world.works, index);
      if (work.status === 'no_show_reported') finish(world, work);
    },
    'offers.expire': () => {
      if (itemAt(world.offers, index).status === 'sent') endOffer(world, index, 'expired');
    },
  };
  timers[name]?.();
  return true;
}
