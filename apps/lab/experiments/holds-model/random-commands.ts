import { dayMs, hourMs, minuteMs } from '@nearhand/contract/durations';
import { payMinOf } from '@nearhand/contract/hiring/pay-units.rules';
import type { createChance } from '../ledger-model/random-entries.ts';
import { applies, type Command } from './commands.model.ts';
import { agreedPay, missingPay } from './pay.model.ts';
import {
  balanceOf,
  type CardKind,
  type Cast,
  type Funding,
  itemAt,
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
    businessFee: chance.pick([1_000, 1_000, 0, 333, 1_250]),
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
export function randomCommand(world: World, chance: Chance): Command {
  // Money first, and what is due soon: most of the rest needs both.
  if (world.charges.length === 0 && chance.below(4) > 0)
    return { do: 'top-up', card: 1, amount: topUp(world, chance) };
  if (chance.below(3) === 0 && [...world.timers.values()].some((due) => due <= world.now))
    return { do: 'tasks' };
  for (let tries = 0; tries < 400; tries += 1) {
    const [make] = pickWeighted(chance);
    const command = make(world, chance);
    if (command && applies(world, command) && (chance.below(12) === 0 || promises(world, command)))
      return command;
  }
  return { do: 'tasks' };
}

/** Prefers commands that are likely to have an effect. */
function promises(world: World, command: Command): boolean {
  switch (command.do) {
    case 'offer': {
      const { start } = itemAt(world.jobs, itemAt(world.slots, command.slot).job);
      return start === null || start > world.now;
    }
    case 'pay-hold':
      return world.holds[command.hold]?.status === 'authorising';
    case 'cover': {
      const work = itemAt(world.works, command.work);
      return (
        missingPay(world, work, ['submitted', 'delivered'].includes(work.status) ? work.claim : null) > 0
      );
    }
    case 'tip':
      return world.works[command.work]?.status === 'completed';
    case 'withdraw':
      return balanceOf(world, `available/${command.worker}`) > 0;
    case 'refund':
      return command.amount <= balanceOf(world, 'business');
    case 'cancel-withdrawal':
      return world.withdrawals[command.withdrawal]?.status === 'requested';
    default:
      return true;
  }
}

const card = (world: World, chance: Chance): Funding => ({
  from: 'card',
  card: chance.below(5) < 2 ? 1 : chance.below(world.cards.length),
});
const source = (world: World, chance: Chance): NonNullable<Funding> =>
  chance.below(2) === 0 ? { from: 'balance' } : (card(world, chance) as NonNullable<Funding>);
const anySource = (world: World, chance: Chance): Funding =>
  chance.below(3) === 0 ? null : source(world, chance);

/** Prefers later items, since early ones have ended. */
const some = (list: readonly unknown[], chance: Chance): number =>
  chance.below(2) === 0
    ? Math.max(0, list.length - 1 - chance.below(3))
    : chance.below(Math.max(1, list.length));
const part = (chance: Chance, whole: number): number =>
  chance.pick([whole, 1 + chance.below(Math.max(1, whole)), 1 + chance.below(Math.max(1, whole))]);
const received = (chance: Chance): number => chance.pick([0, 1, 1, 1, 2]);

type Make = (world: World, chance: Chance) => Command | null;

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
  (world, chance) => ({ do: name, work: some(world.works, chance) });
const onOffer =
  (name: 'withdraw-offer' | 'decline' | 'accept'): Make =>
  (world, chance) => ({ do: name, offer: some(world.offers, chance) });

const makers: [make: Make, weight: number][] = [
  [
    (world, chance) => ({
      do: 'top-up',
      card: chance.below(2) === 0 ? 1 : chance.below(world.cards.length),
      amount: topUp(world, chance),
    }),
    4,
  ],
  [
    (world, chance) => ({
      do: 'offer',
      slot: chance.below(world.slots.length),
      funding: anySource(world, chance),
      more: chance.below(3) === 0 ? chance.below(50) : null,
    }),
    16,
  ],
  [
    (world, chance) => ({ do: 'pay-hold', hold: some(world.holds, chance), funding: source(world, chance) }),
    8,
  ],
  [onOffer('withdraw-offer'), 2],
  [onOffer('decline'), 2],
  [onOffer('accept'), 40],
  [onWork('start'), 6],
  [(world, chance) => finishWork(world, chance), 30],
  [(world, chance) => counter(world, chance), 14],
  [onWork('pay-recorded'), 12],
  [onWork('approve'), 14],
  [onWork('auto-approve'), 12],
  [onWork('dispute'), 8],
  [(world, chance) => settleDispute(world, chance), 20],
  [
    (world, chance) => ({
      do: 'cancel',
      work: some(world.works, chance),
      by: chance.pick(['worker', 'business', 'business']),
    }),
    5,
  ],
  [onWork('no-show'), 8],
  [onWork('contest'), 5],
  [
    (world, chance) => ({
      do: 'decide',
      work: some(world.works, chance),
      amount: chance.below(2) === 0 ? null : 1 + chance.below(9_000),
    }),
    12,
  ],
  [(world, chance) => ({ do: 'cover', work: some(world.works, chance), funding: source(world, chance) }), 30],
  [
    (world, chance) => ({
      do: 'tip',
      work: some(world.works, chance),
      kind: chance.pick(['tip', 'bonus']),

      amount: chance.below(12) === 0 ? 100_001 : 1 + chance.below(3_000),
      funding: anySource(world, chance),
    }),
    12,
  ],
  [
    (world, chance) => ({
      do: 'refund',
      amount: part(chance, Math.max(1, balanceOf(world, 'business'))) + chance.pick([0, 0, 0, 3]),
    }),
    4,
  ],
  [
    (world, chance) => ({
      do: 'card',
      charge: some(world.charges, chance),
      received: received(chance),
      becomes: chance.pick(['succeeded', 'succeeded', 'failed']),
    }),
    16,
  ],
  [
    (world, chance) => {
      const charge = some(world.charges, chance);
      const target = world.charges[charge];
      const whole = (target?.amount ?? 0) - (target?.providerState?.refunded ?? 0);
      return whole < 1
        ? null
        : { do: 'chargeback', charge, amount: part(chance, whole), received: received(chance) };
    },
    5,
  ],
  [
    (world, chance) => ({
      do: 'decided',
      charge: some(world.charges, chance),
      won: chance.below(2) === 0,
      received: received(chance),
    }),
    10,
  ],
  [(world, chance) => ({ do: 'old-news', charge: some(world.charges, chance) }), 1],
  [(world, chance) => spots(world, chance), 4],
  [(world, chance) => ({ do: 'instant', slot: chance.below(world.slots.length) }), 14],
  [
    (world, chance) => ({
      do: 'identity',
      worker: chance.below(world.banks.length),
      verified: chance.below(2) === 0,
    }),
    1,
  ],
  [(world, chance) => takeOut(world, chance), 16],
  [(world, chance) => ({ do: 'cancel-withdrawal', withdrawal: some(world.withdrawals, chance) }), 5],
  [
    (world, chance) => ({
      do: 'bank',
      withdrawal: some(world.withdrawals, chance),
      received: received(chance),
      becomes: chance.pick<PayoutStatus>(['paid', 'paid', 'failed', 'returned', 'returned']),
    }),
    16,
  ],
  [onWork('finish-again'), 1],
  [(world) => noShowDue(world), 2],
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

const topUp = (world: World, chance: Chance): number =>
  chance.below(5) === 0 ? 1 + chance.below(500) : 1 + chance.below(3 * itemAt(world.jobs, 0).pay + 60_000);

function finishWork(world: World, chance: Chance): Command | null {
  const work = some(world.works, chance);
  const planned = world.works[work]?.planned;
  if (planned === undefined) return null;
  const claim = chance.pick([
    planned,
    1 + chance.below(Math.max(1, planned)),
    planned + chance.below(Math.ceil(planned / 4) + 1),
    planned + chance.below(planned + 1),
  ]);
  return { do: 'finish', work, claim };
}

function noShowDue(world: World): Command | null {
  const starts = world.works
    .filter(({ status }) => status === 'booked')
    .flatMap(({ slot }) => itemAt(world.jobs, itemAt(world.slots, slot).job).start ?? [])
    .filter((start) => start + hourMs > world.now);
  const next = Math.min(...starts);
  return starts.length === 0
    ? null
    : { do: 'wait', minutes: Math.ceil((next + hourMs - world.now) / minuteMs) };
}

function counter(world: World, chance: Chance): Command | null {
  const work = some(world.works, chance);
  const engagement = world.works[work];
  if (!engagement?.claim) return null;
  const paid = agreedPay(engagement);
  return { do: 'counter', work, amount: paid + chance.below(Math.max(1, engagement.claim - paid)) };
}

function settleDispute(world: World, chance: Chance): Command | null {
  const work = some(world.works, chance);
  const engagement = world.works[work];
  if (!engagement) return null;
  const paid = agreedPay(engagement);
  const max = Math.max(engagement.claim ?? engagement.planned, paid);
  return { do: 'settle', work, amount: chance.pick([paid, max, paid + chance.below(max - paid + 1)]) };
}

function spots(world: World, chance: Chance): Command {
  const job = world.jobs.findIndex(({ instant }) => instant);
  const { hired, offered, pay } = itemAt(world.jobs, job);
  return {
    do: 'spots',
    job,
    open: chance.below(4) > 0,
    head: hired + offered + 1 + chance.below(3),
    pay: chance.below(3) === 0 ? payMinOf(world.currency, 'fixed') + chance.below(20_000) : pay,
    all: chance.below(2) === 0,
  };
}

function takeOut(world: World, chance: Chance): Command {
  const worker = chance.below(world.banks.length);
  const providerState = balanceOf(world, `available/${worker}`);
  const amount = chance.pick([
    part(chance, Math.max(1, providerState)),
    part(chance, Math.max(1, providerState)),
    providerState + 1,
  ]);
  return { do: 'withdraw', worker, amount, instant: chance.below(2) === 0 };
}
