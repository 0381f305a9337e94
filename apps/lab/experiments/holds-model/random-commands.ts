import { dayMs, hourMs, minuteMs } from '@nearhand/contract/durations';
import { payMinOf } from '@nearhand/contract/hiring/pay-units.rules';
import type { createChance } from '../ledger-model/random-entries.ts';
import { applies, type Command } from './commands.model.ts';
import { agreed, missing } from './pay.model.ts';
import {
  at,
  type CardKind,
  type Cast,
  type Funding,
  has,
  type Job,
  type PayoutStatus,
  type World,
} from './world.model.ts';

type Chance = ReturnType<typeof createChance>;

/** Fixed, so that a seed gives the same run. */
const begins = Date.UTC(2027, 0, 4, 8);

/** Ordinary and odd fees, pay from the minimum to thousands. */
export function randomCast(chance: Chance, stripe = false): Cast {
  const small = chance.below(4) === 0;
  const currency = chance.pick(['EUR', 'EUR', 'USD', 'JPY'] as const);
  const pay = (max: number) => payMinOf(currency, 'fixed') + chance.below(small ? 40 : max);
  const task = (instant: boolean): Job => ({
    kind: 'task',
    instant,
    pay: pay(30_000),
    start: null,
    minutes: 0,
    status: instant ? 'paused' : 'open',
    head: instant ? 1 : 100,
    hired: 0,
    offered: 0,
  });
  const shift = (start: number): Job => ({
    kind: 'shift',
    instant: false,
    pay: pay(4_000),
    start,
    minutes: 60 * (1 + chance.below(8)),
    status: 'open',
    head: 100,
    hired: 0,
    offered: 0,
  });
  const others: CardKind[] = ['good', 'declined', 'confirms', 'late', 'refused'];
  return {
    stripe,
    currency,
    merchantFee: chance.pick([1_000, 1_000, 0, 333, 1_250]),
    workerFee: chance.pick([0, 0, 500, 777]),
    begins,
    cards: [chance.pick(['good', 'good', 'confirms', 'late', 'declined']), ...others],
    banks: [chance.pick(['pays', 'pays', 'fails']), 'pays'],
    verified: [chance.below(2) === 0, chance.below(2) === 0],
    jobs: [
      task(false),
      shift(begins + (12 + chance.below(30)) * hourMs),
      shift(begins + (3 + chance.below(3)) * dayMs),
      task(true),
    ],
  };
}

/** Nearly all commands succeed; amounts are occasionally too large or too small. */
export function randomCommand(w: World, chance: Chance): Command {
  // Money first, and what is due soon: most of the rest needs both.
  if (w.charges.length === 0 && chance.below(4) > 0)
    return { do: 'top-up', card: 1, amount: topUp(w, chance) };
  if (chance.below(3) === 0 && [...w.timers.values()].some((due) => due <= w.now)) return { do: 'tasks' };
  for (let tries = 0; tries < 400; tries += 1) {
    const [make] = pickWeighted(chance);
    const command = make(w, chance);
    if (command && applies(w, command) && (chance.below(12) === 0 || promises(w, command))) return command;
  }
  return { do: 'tasks' };
}

/** Prefers commands that are likely to have an effect. */
function promises(w: World, command: Command): boolean {
  switch (command.do) {
    case 'offer': {
      const { start } = at(w.jobs, at(w.slots, command.slot).job);
      return start === null || start > w.now;
    }
    case 'pay-hold':
      return w.holds[command.hold]?.status === 'authorising';
    case 'cover': {
      const work = at(w.works, command.work);
      return missing(w, work, ['submitted', 'delivered'].includes(work.status) ? work.claim : null) > 0;
    }
    case 'tip':
      return w.works[command.work]?.status === 'completed';
    case 'withdraw':
      return has(w, `available/${command.worker}`) > 0;
    case 'refund':
      return command.amount <= has(w, 'business');
    case 'cancel-withdrawal':
      return w.withdrawals[command.withdrawal]?.status === 'requested';
    default:
      return true;
  }
}

const card = (w: World, chance: Chance): Funding => ({
  from: 'card',
  card: chance.below(5) < 2 ? 1 : chance.below(w.cards.length),
});
const source = (w: World, chance: Chance): NonNullable<Funding> =>
  chance.below(2) === 0 ? { from: 'balance' } : (card(w, chance) as NonNullable<Funding>);
const anySource = (w: World, chance: Chance): Funding => (chance.below(3) === 0 ? null : source(w, chance));

/** Prefers later items, since early ones have ended. */
const some = (list: readonly unknown[], chance: Chance): number =>
  chance.below(2) === 0
    ? Math.max(0, list.length - 1 - chance.below(3))
    : chance.below(Math.max(1, list.length));
const part = (chance: Chance, whole: number): number =>
  chance.pick([whole, 1 + chance.below(Math.max(1, whole)), 1 + chance.below(Math.max(1, whole))]);
const received = (chance: Chance): number => chance.pick([0, 1, 1, 1, 2]);

type Make = (w: World, chance: Chance) => Command | null;

const onWork =
  (
    name:
      | 'start'
      | 'dispute'
      | 'pay-recorded'
      | 'approve'
      | 'auto-approve'
      | 'no-show'
      | 'contest'
      | 'finish-again',
  ): Make =>
  (w, chance) => ({ do: name, work: some(w.works, chance) });
const onOffer =
  (name: 'withdraw-offer' | 'decline' | 'accept'): Make =>
  (w, chance) => ({ do: name, offer: some(w.offers, chance) });

const makers: [make: Make, weight: number][] = [
  [
    (w, chance) => ({
      do: 'top-up',
      card: chance.below(2) === 0 ? 1 : chance.below(w.cards.length),
      amount: topUp(w, chance),
    }),
    4,
  ],
  [
    (w, chance) => ({
      do: 'offer',
      slot: chance.below(w.slots.length),
      funding: anySource(w, chance),
      more: chance.below(3) === 0 ? chance.below(50) : null,
    }),
    16,
  ],
  [(w, chance) => ({ do: 'pay-hold', hold: some(w.holds, chance), funding: source(w, chance) }), 8],
  [onOffer('withdraw-offer'), 2],
  [onOffer('decline'), 2],
  [onOffer('accept'), 40],
  [onWork('start'), 6],
  [(w, chance) => finishWork(w, chance), 30],
  [(w, chance) => counter(w, chance), 14],
  [onWork('pay-recorded'), 12],
  [onWork('approve'), 14],
  [onWork('auto-approve'), 12],
  [onWork('dispute'), 8],
  [(w, chance) => settleDispute(w, chance), 20],
  [
    (w, chance) => ({
      do: 'cancel',
      work: some(w.works, chance),
      by: chance.pick(['worker', 'business', 'business']),
    }),
    5,
  ],
  [onWork('no-show'), 8],
  [onWork('contest'), 5],
  [
    (w, chance) => ({
      do: 'decide',
      work: some(w.works, chance),
      amount: chance.below(2) === 0 ? null : 1 + chance.below(9_000),
    }),
    12,
  ],
  [(w, chance) => ({ do: 'cover', work: some(w.works, chance), funding: source(w, chance) }), 30],
  [
    (w, chance) => ({
      do: 'tip',
      work: some(w.works, chance),
      kind: chance.pick(['tip', 'bonus']),

      amount: chance.below(12) === 0 ? 100_001 : 1 + chance.below(3_000),
      funding: anySource(w, chance),
    }),
    12,
  ],
  [
    (w, chance) => ({
      do: 'refund',
      amount: part(chance, Math.max(1, has(w, 'business'))) + chance.pick([0, 0, 0, 3]),
    }),
    4,
  ],
  [
    (w, chance) => ({
      do: 'card',
      charge: some(w.charges, chance),
      received: received(chance),
      becomes: chance.pick(['succeeded', 'succeeded', 'failed']),
    }),
    16,
  ],
  [
    (w, chance) => {
      const charge = some(w.charges, chance);
      const one = w.charges[charge];
      const whole = (one?.amount ?? 0) - (one?.there?.refunded ?? 0);
      return whole < 1
        ? null
        : { do: 'chargeback', charge, amount: part(chance, whole), received: received(chance) };
    },
    5,
  ],
  [
    (w, chance) => ({
      do: 'decided',
      charge: some(w.charges, chance),
      won: chance.below(2) === 0,
      received: received(chance),
    }),
    10,
  ],
  [(w, chance) => ({ do: 'old-news', charge: some(w.charges, chance) }), 1],
  [(w, chance) => spots(w, chance), 4],
  [(w, chance) => ({ do: 'instant', slot: chance.below(w.slots.length) }), 14],
  [
    (w, chance) => ({
      do: 'identity',
      worker: chance.below(w.banks.length),
      verified: chance.below(2) === 0,
    }),
    1,
  ],
  [(w, chance) => takeOut(w, chance), 16],
  [(w, chance) => ({ do: 'cancel-withdrawal', withdrawal: some(w.withdrawals, chance) }), 5],
  [
    (w, chance) => ({
      do: 'bank',
      withdrawal: some(w.withdrawals, chance),
      received: received(chance),
      becomes: chance.pick<PayoutStatus>(['paid', 'paid', 'failed', 'returned', 'returned']),
    }),
    16,
  ],
  [onWork('finish-again'), 1],
  [(w) => noShowDue(w), 2],
  [() => ({ do: 'tasks' }), 3],
  [
    (_, chance) => ({
      do: 'wait',
      minutes: chance.pick([
        1,
        9,
        10,
        16,
        16,
        16,
        60,
        60,
        600,
        600,
        1_440,
        1_440,
        2_881,
        7_201,
        chance.below(3) === 0 ? 44_000 : 5,
      ]),
    }),
    7,
  ],
];
const bag = makers.flatMap((maker) => Array.from({ length: maker[1] }, () => maker));
const pickWeighted = (chance: Chance) => chance.pick(bag);

const topUp = (w: World, chance: Chance): number =>
  chance.below(5) === 0 ? 1 + chance.below(500) : 1 + chance.below(3 * at(w.jobs, 0).pay + 60_000);

function finishWork(w: World, chance: Chance): Command | null {
  const work = some(w.works, chance);
  const planned = w.works[work]?.planned;
  if (planned === undefined) return null;
  const claim = chance.pick([
    planned,
    1 + chance.below(Math.max(1, planned)),
    planned + chance.below(Math.ceil(planned / 4) + 1),
    planned + chance.below(planned + 1),
  ]);
  return { do: 'finish', work, claim };
}

function noShowDue(w: World): Command | null {
  const starts = w.works
    .filter(({ status }) => status === 'booked')
    .flatMap(({ slot }) => at(w.jobs, at(w.slots, slot).job).start ?? [])
    .filter((start) => start + hourMs > w.now);
  const next = Math.min(...starts);
  return starts.length === 0 ? null : { do: 'wait', minutes: Math.ceil((next + hourMs - w.now) / minuteMs) };
}

function counter(w: World, chance: Chance): Command | null {
  const work = some(w.works, chance);
  const one = w.works[work];
  if (!one?.claim) return null;
  const paid = agreed(one);
  return { do: 'counter', work, amount: paid + chance.below(Math.max(1, one.claim - paid)) };
}

function settleDispute(w: World, chance: Chance): Command | null {
  const work = some(w.works, chance);
  const one = w.works[work];
  if (!one) return null;
  const paid = agreed(one);
  const max = Math.max(one.claim ?? one.planned, paid);
  return { do: 'settle', work, amount: chance.pick([paid, max, paid + chance.below(max - paid + 1)]) };
}

function spots(w: World, chance: Chance): Command {
  const job = w.jobs.findIndex(({ instant }) => instant);
  const { hired, offered, pay } = at(w.jobs, job);
  return {
    do: 'spots',
    job,
    open: chance.below(4) > 0,
    head: hired + offered + 1 + chance.below(3),
    pay: chance.below(3) === 0 ? payMinOf(w.currency, 'fixed') + chance.below(20_000) : pay,
    all: chance.below(2) === 0,
  };
}

function takeOut(w: World, chance: Chance): Command {
  const worker = chance.below(w.banks.length);
  const there = has(w, `available/${worker}`);
  const amount = chance.pick([part(chance, Math.max(1, there)), part(chance, Math.max(1, there)), there + 1]);
  return { do: 'withdraw', worker, amount, instant: chance.below(2) === 0 };
}
