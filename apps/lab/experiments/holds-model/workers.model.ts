import { dayMs, minuteMs } from '@nearhand/contract/durations';
import { balanceOf, itemAt, move, type PayoutStatus, RefusedError, type World } from './world.model.ts';

// Clearing and withdrawals (docs/payments.md, Withdrawals).

const digits = { EUR: 2, USD: 2, JPY: 0 } as const;
const scaled = (world: World, minor: number): number =>
  Math.ceil((minor * 10 ** digits[world.currency]) / 100);

export function clear(world: World, of: string): void {
  const clearing = world.clearings.find((entry) => entry.of === of);
  if (!clearing || clearing.cleared) return;
  move(world, `pending/${clearing.worker}`, `available/${clearing.worker}`, clearing.amount);
  clearing.cleared = true;
}

/** Checks the minimum, the daily limit and the balance, in this order. */
export function withdraw(
  world: World,
  { worker, amount, instant }: { worker: number; amount: number; instant: boolean },
): void {
  const fee = instant ? scaled(world, 150) : 0;
  if (amount < Math.max(scaled(world, 500), fee + 1)) throw new RefusedError('payout/below-minimum');
  const today = world.withdrawals.filter(
    (withdrawal) =>
      withdrawal.worker === worker &&
      withdrawal.requestedAt > world.now - dayMs &&
      withdrawal.status !== 'cancelled' &&
      withdrawal.status !== 'failed',
  );
  if (today.length >= 5) throw new RefusedError('payout/daily-limit');
  if (amount > balanceOf(world, `available/${worker}`)) throw new RefusedError('payout/balance-short');
  move(world, `available/${worker}`, `reserved/${worker}`, amount);
  const cancelBy = instant ? null : world.now + 10 * minuteMs;
  world.timers.set(`payouts.send/${world.withdrawals.length}`, cancelBy ?? 0);
  world.withdrawals.push({
    worker,
    amount,
    fee,
    status: 'requested',
    requestedAt: world.now,
    cancelBy,
    providerState: null,
  });
}

const unreserve = (world: World, worker: number, amount: number): void =>
  move(world, `reserved/${worker}`, `available/${worker}`, amount);

export function cancelWithdrawal(world: World, index: number): void {
  const withdrawal = itemAt(world.withdrawals, index);
  if (withdrawal.status === 'cancelled') return;
  if (withdrawal.status !== 'requested' || withdrawal.cancelBy === null || world.now >= withdrawal.cancelBy)
    throw new RefusedError('payout/wrong-state');
  unreserve(world, withdrawal.worker, withdrawal.amount);
  withdrawal.status = 'cancelled';
  world.timers.delete(`payouts.send/${index}`);
}

export function sendWithdrawal(world: World, index: number): void {
  const withdrawal = itemAt(world.withdrawals, index);
  if (withdrawal.status !== 'requested') return;
  if (withdrawal.cancelBy !== null && world.now < withdrawal.cancelBy) {
    world.timers.set(`payouts.send/${index}`, withdrawal.cancelBy);
    return;
  }
  withdrawal.status = 'processing';
  withdrawal.providerState = itemAt(world.banks, withdrawal.worker) === 'fails' ? 'failed' : 'in_transit';
  receivePayout(world, index);
}

const order: readonly string[] = ['in_transit', 'paid', 'returned'];
export const canBecome = (from: PayoutStatus | null, to: PayoutStatus): boolean =>
  from === 'in_transit' ? to !== 'in_transit' : from === 'paid' && order.indexOf(to) > order.indexOf(from);

/** Every missing step up to the provider's state: a returned one was paid first. */
export function receivePayout(world: World, index: number): void {
  const withdrawal = itemAt(world.withdrawals, index);
  const { worker, amount, fee, providerState } = withdrawal;
  if (withdrawal.status === 'processing' && providerState === 'in_transit') withdrawal.status = 'in_transit';
  if (withdrawal.status === 'processing' || withdrawal.status === 'in_transit') {
    if (providerState === 'failed') {
      unreserve(world, worker, amount);
      withdrawal.status = 'failed';
    } else if (providerState === 'paid' || providerState === 'returned') {
      move(world, `reserved/${worker}`, 'provider', amount - fee);
      move(world, `reserved/${worker}`, 'fees', fee);
      withdrawal.status = 'paid';
    }
  }
  if (withdrawal.status === 'paid' && providerState === 'returned') {
    move(world, 'provider', `available/${worker}`, amount - fee);
    move(world, 'fees', `available/${worker}`, fee);
    withdrawal.status = 'returned';
  }
}
