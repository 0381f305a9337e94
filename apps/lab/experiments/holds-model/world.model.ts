import { dayMs } from '@nearhand/contract/durations';

/**
 * A second, independent model of the money from product.md (Money, States) and docs/payments.md; it imports
 * only durations.
 */

export type Funding = { from: 'balance' } | { from: 'card'; card: number } | null;
export type CardKind = 'good' | 'declined' | 'confirms' | 'late' | 'refused';
type HoldStatus =
  | ('created' | 'authorising' | 'expired' | 'held' | 'partly_released')
  | ('released' | 'refunded' | 'disputed' | 'split');
export type FundingState = 'not_funded' | 'partly_funded' | 'funded' | 'frozen';

export type Hold = {
  job: number;
  offer: number | null;
  work: number | null;
  status: HoldStatus;
  frozen: boolean;
  source: 'balance' | 'card' | null;
  pay: number;
  fee: number;
  added: number;
  payBy: number | null;
};
type Offer = {
  slot: number;
  hold: number;
  status: 'funding' | 'sent' | 'accepted' | 'declined' | 'expired' | 'withdrawn';
  funding: FundingState;
  expires: number;
};
export type Release = {
  serial: number;
  kind: 'undisputed' | 'rest' | 'compensation';
  amount: number;
  fee: number;
  workerFee: number;
  paid: boolean;
};
export type Work = {
  slot: number;
  offer: number;
  hold: number;
  status: string;
  funding: FundingState;
  planned: number;
  /** The claim, and the business's answer to it. */
  claim: number | null;
  counter: number | null;
  approvedAt: number | null;
  noShowAt: number | null;
  contested: boolean;
  releases: Release[];
};
export type Lines = [account: string, amount: number][];
/** A won chargeback can be followed by another. */
type Chargeback = { status: 'open' | 'won' | 'lost'; amount: number };
export type Charge = {
  card: number;
  purpose: 'hold' | 'top_up' | 'cover' | 'tip';
  subject: number | null;
  amount: number;
  status: 'created' | 'processing' | 'requires_action' | 'succeeded' | 'failed' | 'cancelled';
  needed: boolean;
  sentToProvider: boolean;
  landed: 'subject' | 'balance' | null;
  refunded: number;
  chargebacks: (Chargeback & { borne: number; opening: Lines })[];
  /** The provider's state, which we may not know yet. */
  providerState: null | {
    status: Exclude<Charge['status'], 'created'>;
    refunded: number;
    chargebacks: Chargeback[];
  };
};
type Tip = {
  work: number;
  kind: 'tip' | 'bonus';
  amount: number;
  status: 'paying' | 'paid' | 'failed';
};
type Refund = { charge: number; amount: number; status: 'created' | 'sent' | 'failed' };
export type PayoutStatus = 'in_transit' | 'paid' | 'failed' | 'returned';
type Withdrawal = {
  worker: number;
  amount: number;
  fee: number;
  status: 'requested' | 'processing' | 'cancelled' | PayoutStatus;
  requestedAt: number;
  cancelBy: number | null;
  providerState: PayoutStatus | null;
};
/** A release (`r` and its serial) or a tip (`t` and its index). */
type Clearing = { of: string; worker: number; amount: number; cleared: boolean };

export type Job = {
  kind: 'shift' | 'task';
  instant: boolean;
  pay: number;
  start: number | null;
  minutes: number;
  status: 'open' | 'paused' | 'filled';
  pausedBefore?: boolean;
  head: number;
  hired: number;
  offered: number;
};
type Slot = { job: number; worker: number; over: boolean };

export type Cast = {
  /** The provider is Stripe's adapter: it charges no less than 50, and can't stop a payment under way. */
  stripe: boolean;
  currency: 'EUR' | 'USD' | 'JPY';
  businessFee: number;
  workerFee: number;
  begins: number;
  cards: CardKind[];
  banks: ('pays' | 'fails')[];
  verified: boolean[];
  jobs: Job[];
};

export type World = Cast & {
  now: number;
  slots: Slot[];
  accounts: Map<string, number>;
  timers: Map<string, number>;
  serial: number;
  holds: Hold[];
  offers: Offer[];
  works: Work[];
  charges: Charge[];
  tips: Tip[];
  refunds: Refund[];
  withdrawals: Withdrawal[];
  clearings: Clearing[];
  mistake: string | undefined;
};

export class RefusedError extends Error {}

export const createWorld = (cast: Cast, mistake?: string): World => ({
  ...structuredClone(cast),
  now: cast.begins,
  slots: cast.jobs.flatMap((_, job) => cast.banks.map((_, worker) => ({ job, worker, over: false }))),
  accounts: new Map(),
  timers: new Map(),
  serial: 0,
  holds: [],
  offers: [],
  works: [],
  charges: [],
  tips: [],
  refunds: [],
  withdrawals: [],
  clearings: [],
  mistake,
});

/** A share in basis points, rounded half up to the minor unit. */
export const share = (amount: number, points: number): number =>
  Math.floor((amount * points + 5_000) / 10_000);

export const balanceOf = (world: World, account: string): number => world.accounts.get(account) ?? 0;

/**
 * False, moving nothing, if a limited account would go below zero. Lines that don't sum to zero are a bug in
 * the model.
 */
export function post(world: World, lines: Lines): boolean {
  const nets = new Map<string, number>();
  let sum = 0;
  for (const [account, amount] of lines) {
    nets.set(account, (nets.get(account) ?? 0) + amount);
    sum += amount;
  }
  if (sum !== 0) throw new Error(`the model posts what sums to ${sum}`);
  const unlimited = (account: string) => account === 'provider' || account === 'losses';
  for (const [account, net] of nets)
    if (!unlimited(account) && balanceOf(world, account) + net < 0) return false;
  for (const [account, net] of nets) world.accounts.set(account, balanceOf(world, account) + net);
  return true;
}

export function move(world: World, from: string, to: string, amount: number): void {
  if (amount === 0) return;
  if (amount < 0) throw new Error('the model moves less than nothing');
  if (
    !post(world, [
      [from, -amount],
      [to, amount],
    ])
  )
    throw new Error(`the model has no ${amount} in ${from}`);
}

export const heldIn = (world: World, hold: number): number => balanceOf(world, `hold/${hold}`);
export const isOpen = (hold: Hold): boolean => ['held', 'partly_released', 'disputed'].includes(hold.status);
export const itemAt = <Item>(items: readonly Item[], index: number): Item => items[index] as Item;

export function setFunding(world: World, hold: Hold, funding: FundingState): void {
  if (hold.offer !== null) itemAt(world.offers, hold.offer).funding = funding;
  if (hold.work !== null) itemAt(world.works, hold.work).funding = funding;
}

/** The requested source. Without one, the balance if it is enough, otherwise the first card. */
export function choose(world: World, amount: number, request: Funding): NonNullable<Funding> {
  if (request?.from === 'card') return request;
  if (balanceOf(world, 'business') >= amount) return { from: 'balance' };
  if (request?.from === 'balance') throw new RefusedError('payment/balance-short');
  if (world.cards.length === 0) throw new RefusedError('payment/method-missing');
  return { from: 'card', card: 0 };
}

export function startCharge(
  world: World,
  request: Pick<Charge, 'card' | 'purpose' | 'subject' | 'amount'>,
): void {
  if (world.stripe && request.amount < 50) throw new RefusedError('payment/too-little');
  world.timers.set(`payments.charge/${world.charges.length}`, 0);
  world.charges.push({
    ...request,
    status: 'created',
    needed: true,
    sentToProvider: false,
    landed: null,
    refunded: 0,
    chargebacks: [],
    providerState: null,
  });
}

const open: readonly string[] = ['created', 'processing', 'requires_action'];
export const isUnderWay = (charge: Charge): boolean => open.includes(charge.status);

export function cancelCharges(world: World, hold: number, purpose: 'hold' | 'cover'): void {
  for (const [index, charge] of world.charges.entries()) {
    if (charge.purpose !== purpose || charge.subject !== hold) continue;
    if (!charge.needed || !isUnderWay(charge)) continue;
    charge.needed = false;
    world.timers.set(`payments.cancel-charge/${index}`, 0);
  }
}

export const lastCharge = (world: World, hold: number): Charge | undefined =>
  world.charges.findLast(
    ({ purpose, subject }) => subject === hold && (purpose === 'hold' || purpose === 'cover'),
  );

export function credit(world: World, from: Lines, worker: number, gets: number, of: string): boolean {
  const atOnce = world.verified[worker] === true;
  const lines: Lines = [...from, [`${atOnce ? 'available' : 'pending'}/${worker}`, gets]];
  if (
    !post(
      world,
      lines.filter(([, amount]) => amount !== 0),
    )
  )
    return false;
  if (!atOnce && gets > 0) {
    world.clearings.push({ of, worker, amount: gets, cleared: false });
    world.timers.set(`payouts.clear/${of}`, world.now + 5 * dayMs);
  }
  return true;
}
