import { dayMs, hourMs, minuteMs } from '@nearhand/contract/durations';
import { ask, receive, refund, sendRefund, stop } from './charges.model.ts';
import {
  accept,
  cancel,
  canHireAtOnce,
  dispute,
  endCheckout,
  endOffer,
  hireAtOnce,
  offer,
  payHold,
  setSpots,
} from './holds.model.ts';
import { added, agreed, finish, missing, request, settle } from './pay.model.ts';
import {
  canBecome,
  cancelWithdrawal,
  clear,
  receivePayout,
  sendWithdrawal,
  withdraw,
} from './workers.model.ts';
import {
  at,
  choose,
  credit,
  type Funding,
  lastCharge,
  move,
  type PayoutStatus,
  RefusedError,
  startCharge,
  unwant,
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
export function applies(w: World, command: Command): boolean {
  if ('work' in command) {
    const work = w.works[command.work];
    if (!work) return false;
    const job = at(w.jobs, at(w.slots, work.slot).job);
    const allowed = states[command.do];
    if (allowed && !allowed[job.kind].includes(work.status)) return false;
    if (command.do === 'cancel') return job.start === null || w.now < job.start;
    if (command.do === 'no-show') return job.start !== null && w.now >= job.start + hourMs;
    if (command.do === 'contest')
      return !work.contested && work.noShowAt !== null && w.now < work.noShowAt + dayMs;
    if (command.do === 'counter') return command.amount < (work.claim ?? 0) && command.amount >= agreed(work);
    if (command.do === 'settle') return command.amount >= agreed(work);
    if (command.do === 'finish') return job.kind === 'task' || command.claim >= agreed(work);
    return true;
  }
  switch (command.do) {
    case 'offer': {
      const slot = at(w.slots, command.slot);
      const live = w.offers.some(({ slot: no, status }) => no === command.slot && status === 'funding');
      return !slot.over && !live;
    }
    case 'instant':
      return (
        canHireAtOnce(w, command.slot) &&
        !w.offers.some(({ slot, status }) => slot === command.slot && status === 'funding')
      );
    case 'pay-hold':
      return w.holds[command.hold] !== undefined;
    case 'withdraw-offer':
      return ['funding', 'sent'].includes(w.offers[command.offer]?.status ?? '');
    case 'decline':
      return w.offers[command.offer]?.status === 'sent';
    case 'accept': {
      const one = w.offers[command.offer];
      return one?.status === 'sent' && one.expires > w.now;
    }
    case 'card':
      return ['processing', 'requires_action'].includes(w.charges[command.charge]?.there?.status ?? '');
    case 'chargeback': {
      const there = w.charges[command.charge]?.there;
      const maxLeft = (w.charges[command.charge]?.amount ?? 0) - (there?.refunded ?? 0);
      return (
        there?.status === 'succeeded' &&
        there.chargebacks.every(({ status }) => status === 'won') &&
        command.amount <= maxLeft
      );
    }
    case 'decided':
      return w.charges[command.charge]?.there?.chargebacks.at(-1)?.status === 'open';
    case 'old-news':
      return ['succeeded', 'failed', 'cancelled'].includes(w.charges[command.charge]?.status ?? '');
    case 'spots': {
      const job = at(w.jobs, command.job);
      return command.head >= job.hired + job.offered + (command.open ? 1 : 0);
    }
    case 'cancel-withdrawal':
      return w.withdrawals[command.withdrawal] !== undefined;
    case 'bank': {
      const one = w.withdrawals[command.withdrawal];
      return one !== undefined && canBecome(one.there, command.becomes);
    }
    default:
      return true;
  }
}

/** Refusals are thrown as `Refused`. Tasks run one by one in step with the server's (`runTimer`). */
function perform(w: World, command: Command): unknown {
  const work = 'work' in command ? at(w.works, command.work) : null;
  switch (command.do) {
    case 'top-up':
      return startCharge(w, { card: command.card, purpose: 'top_up', subject: null, amount: command.amount });
    case 'offer':
      return offer(w, command.slot, command.more, command.funding);
    case 'instant':
      return hireAtOnce(w, command.slot);
    case 'pay-hold':
      return payHold(w, command.hold, command.funding);
    case 'withdraw-offer':
      return endOffer(w, command.offer, 'withdrawn');
    case 'decline':
      return endOffer(w, command.offer, 'declined');
    case 'accept':
      return accept(w, command.offer);
    case 'refund':
      return refund(w, command.amount);
    case 'identity':
      w.verified[command.worker] = command.verified;
      return;
    case 'withdraw':
      return withdraw(w, command);
    case 'cancel-withdrawal':
      return cancelWithdrawal(w, command.withdrawal);
    case 'spots': {
      const job = at(w.jobs, command.job);
      Object.assign(job, { status: command.open ? 'open' : 'paused', head: command.head, pay: command.pay });
      return setSpots(w, command.job, command.all);
    }
    case 'card':
    case 'chargeback':
    case 'decided': {
      const { there } = at(w.charges, command.charge);
      if (!there) return;
      if (command.do === 'card') there.status = command.becomes;
      else if (command.do === 'chargeback')
        there.chargebacks.push({ status: 'open', amount: command.amount });
      else
        Object.assign(at(there.chargebacks, there.chargebacks.length - 1), {
          status: command.won ? 'won' : 'lost',
        });
      for (let times = 0; times < command.received; times += 1) receive(w, command.charge, there);
      return;
    }
    case 'bank':
      at(w.withdrawals, command.withdrawal).there = command.becomes;
      for (let times = 0; times < command.received; times += 1) receivePayout(w, command.withdrawal);
      return;
    case 'wait':
      w.now += command.minutes * minuteMs;
      return;
    default:
      if (work) performWork(w, work, command);
  }
}

function performWork(w: World, work: World['works'][number], command: Command): unknown {
  const job = at(w.jobs, at(w.slots, work.slot).job);
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
      return request(w, work, 'undisputed', command.amount - agreed(work));
    case 'pay-recorded':
      return settle(w, work, work.counter ?? 0);
    case 'approve':
      // An approver first adds what the hold lacks.
      if (missing(w, work, work.claim) > 0) throw new RefusedError('payment/hold-short');
      return settle(w, work, work.claim ?? 0);
    case 'auto-approve':
      return settle(
        w,
        work,
        Math.max(agreed(work), Math.min(work.claim ?? 0, Math.max(work.planned, agreed(work)))),
      );
    case 'dispute':
      work.status = 'disputed';
      return dispute(at(w.holds, work.hold));
    case 'settle':
      return settle(w, work, command.amount);
    case 'cancel':
      return cancel(w, work, command.by);
    case 'no-show':
      Object.assign(work, { status: 'no_show_reported', noShowAt: w.now });
      w.timers.set(`holds.no-show-end/${command.work}`, w.now + dayMs);
      return;
    case 'contest':
      Object.assign(work, { status: 'contested', contested: true });
      return;
    case 'decide':
      if (command.amount !== null) return settle(w, work, command.amount);
      work.status = 'no_show_reported';
      return finish(w, work);
    case 'finish-again':
      if (['completed', 'cancelled_by_worker', 'cancelled_by_merchant'].includes(work.status))
        finish(w, work);
      return;
    case 'cover':
      return cover(w, work, command.funding);
    case 'tip':
      return tip(w, command);
    default:
  }
}

function cover(w: World, work: World['works'][number], asked: NonNullable<Funding>): unknown {
  const hold = at(w.holds, work.hold);
  const waits = work.status === 'submitted' || work.status === 'delivered';
  const amount = missing(w, work, waits ? work.claim : null);
  if (amount === 0) throw new RefusedError('payment/nothing-missing');
  const last = lastCharge(w, work.hold);
  if (last?.purpose === 'cover' && (last.status === 'created' || last.status === 'processing')) return;
  const funding = choose(w, amount, asked);
  unwant(w, work.hold, 'cover');
  if (funding.from === 'card')
    return startCharge(w, { card: funding.card, purpose: 'cover', subject: work.hold, amount });
  move(w, 'business', `hold/${work.hold}`, amount);
  added(w, hold, work, amount);
}

function tip(w: World, command: Extract<Command, { do: 'tip' }>): unknown {
  const work = at(w.works, command.work);
  const { amount, kind } = command;
  if (work.status !== 'completed') throw new RefusedError('engagement/wrong-state');
  if (w.now > (work.approvedAt ?? 0) + 30 * dayMs) throw new RefusedError('payment/tip-too-late');
  if (amount > 100_000) throw new RefusedError('payment/tip-too-much');
  const funding = choose(w, amount, command.funding);
  const index = w.tips.length;
  w.tips.push({ work: command.work, kind, amount, status: 'paying' });
  if (funding.from === 'card')
    return startCharge(w, { card: funding.card, purpose: 'tip', subject: index, amount });
  credit(w, [['business', -amount]], at(w.slots, work.slot).worker, amount, `t${index}`);
  at(w.tips, index).status = 'paid';
}

export function answer(w: World, command: Command): string {
  const before = structuredClone(w);
  try {
    perform(w, command);
    return 'done';
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    Object.assign(w, before);
    return error.message;
  }
}

/** False if the model has no such task due. */
export function runTimer(w: World, key: string): boolean {
  const due = w.timers.get(key);
  if (due === undefined || due > w.now) return false;
  const [name = '', of = ''] = key.split('/');
  const index = Number(of);
  w.timers.delete(key);
  const timers: Record<string, () => void> = {
    'payments.charge': () => ask(w, index),
    'payments.cancel-charge': () => stop(w, index),
    'payments.refund': () => sendRefund(w, index),
    'payouts.clear': () => clear(w, of),
    'payouts.send': () => sendWithdrawal(w, index),
    'holds.checkout': () => endCheckout(w, index),
    'holds.no-show-end': () => {
      const work = at(w.works, index);
      if (work.status === 'no_show_reported') finish(w, work);
    },
    'offers.expire': () => {
      if (at(w.offers, index).status === 'sent') endOffer(w, index, 'expired');
    },
  };
  timers[name]?.();
  return true;
}
