import { dayMs, minuteMs } from '@nearhand/contract/durations';
import { at, has, move, type PayoutStatus, RefusedError, type World } from './world.model.ts';

/** Clearing and withdrawals (docs/payments.md, Withdrawals). */

const digits = { EUR: 2, USD: 2, JPY: 0 } as const;
const scaled = (w: World, minor: number): number => Math.ceil((minor * 10 ** digits[w.currency]) / 100);

export function clear(w: World, of: string): void {
  const one = w.clearings.find((clearing) => clearing.of === of);
  if (!one || one.cleared) return;
  move(w, `pending/${one.worker}`, `available/${one.worker}`, one.amount);
  one.cleared = true;
}

/** Checks the minimum, the daily limit and the balance, in this order. */
export function withdraw(
  w: World,
  { worker, amount, instant }: { worker: number; amount: number; instant: boolean },
): void {
  const fee = instant ? scaled(w, 150) : 0;
  if (amount < Math.max(scaled(w, 500), fee + 1)) throw new RefusedError('payout/below-minimum');
  const today = w.withdrawals.filter(
    (withdrawal) =>
      withdrawal.worker === worker &&
      withdrawal.requestedAt > w.now - dayMs &&
      withdrawal.status !== 'cancelled' &&
      withdrawal.status !== 'failed',
  );
  if (today.length >= 5) throw new RefusedError('payout/daily-limit');
  if (amount > has(w, `available/${worker}`)) throw new RefusedError('payout/balance-short');
  move(w, `available/${worker}`, `reserved/${worker}`, amount);
  const cancelBy = instant ? null : w.now + 10 * minuteMs;
  w.timers.set(`payouts.send/${w.withdrawals.length}`, cancelBy ?? 0);
  w.withdrawals.push({
    worker,
    amount,
    fee,
    status: 'requested',
    requestedAt: w.now,
    cancelBy,
    there: null,
  });
}

const unreserve = (w: World, worker: number, amount: number): void =>
  move(w, `reserved/${worker}`, `available/${worker}`, amount);

export function cancelWithdrawal(w: World, index: number): void {
  const one = at(w.withdrawals, index);
  if (one.status === 'cancelled') return;
  if (one.status !== 'requested' || one.cancelBy === null || w.now >= one.cancelBy)
    throw new RefusedError('payout/wrong-state');
  unreserve(w, one.worker, one.amount);
  one.status = 'cancelled';
  w.timers.delete(`payouts.send/${index}`);
}

export function sendWithdrawal(w: World, index: number): void {
  const one = at(w.withdrawals, index);
  if (one.status !== 'requested') return;
  if (one.cancelBy !== null && w.now < one.cancelBy) {
    w.timers.set(`payouts.send/${index}`, one.cancelBy);
    return;
  }
  one.status = 'processing';
  one.there = at(w.banks, one.worker) === 'fails' ? 'failed' : 'in_transit';
  receivePayout(w, index);
}

const order: readonly string[] = ['in_transit', 'paid', 'returned'];
export const canBecome = (from: PayoutStatus | null, to: PayoutStatus): boolean =>
  from === 'in_transit' ? to !== 'in_transit' : from === 'paid' && order.indexOf(to) > order.indexOf(from);

/** Every missing step up to the provider's state: a returned one was paid first. */
export function receivePayout(w: World, index: number): void {
  const one = at(w.withdrawals, index);
  const { worker, amount, fee, there } = one;
  if (one.status === 'processing' && there === 'in_transit') one.status = 'in_transit';
  if (one.status === 'processing' || one.status === 'in_transit') {
    if (there === 'failed') {
      unreserve(w, worker, amount);
      one.status = 'failed';
    } else if (there === 'paid' || there === 'returned') {
      move(w, `reserved/${worker}`, 'provider', amount - fee);
      move(w, `reserved/${worker}`, 'fees', fee);
      one.status = 'paid';
    }
  }
  if (one.status === 'paid' && there === 'returned') {
    move(w, 'provider', `available/${worker}`, amount - fee);
    move(w, 'fees', `available/${worker}`, fee);
    one.status = 'returned';
  }
}
