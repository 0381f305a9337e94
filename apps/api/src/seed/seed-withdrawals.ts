import { addMs, dayMs, hourMs, subtractMs } from '@nearhand/contract/durations';
import type { PayoutMethod, Withdrawal } from '@nearhand/contract/money/payouts';
import { balanceOf } from '../money/ledger/ledger.ts';
import { addMethod, removeMethod, saveBank } from '../money/payouts/methods.ts';
import { applyPayout } from '../money/payouts/withdrawal-lifecycle.ts';
import { withdraw } from '../money/payouts/withdrawals.ts';
import { bankToken, testIbans } from '../money/sandbox/sandbox.fixtures.ts';
import type { Tx } from '../platform/db.ts';
import type { Scope } from '../platform/http/scope.ts';
import { giveTip } from '../work/pay/tips.ts';
import { type Parts, pastScope } from './seed-timers.ts';
import { createChance, createTown, type Person } from './town/town.ts';
import { dayAfter, instantAt } from './town/town-time.ts';

type RunTo = (at: Date) => Promise<void>;

const aMinuteMs = 60_000;

/** Seeds a returned withdrawal and a successful one. Tasks run in between, so that money has cleared. */
export async function seedWithdrawals(parts: Parts, leila: Person, runTo: RunTo): Promise<void> {
  const on = (daysAgo: number, time: string) => instantAt(dayAfter(parts.clock.now(), -daysAgo), time);
  const deeds = deedsOf(parts, leila, runTo);
  const closed = await deeds.addBank(on(21, '19:40'), testIbans.returned);
  const first = await deeds.takeOut(on(14, '18:10'), closed, 0.4);
  if (first) {
    const arrived = await deeds.hearOf(first);
    await deeds.hearOf(first, addMs(arrived, 2 * dayMs));
  }
  const bank = await deeds.addBank(on(8, '12:05'), testIbans.pays);
  await deeds.removeBank(on(8, '12:07'), closed);
  const second = await deeds.takeOut(on(5, '20:30'), bank, 0.5);
  if (second) await deeds.hearOf(second);
  // Her identity is not verified, so this is still clearing when the town opens.
  await deeds.thankLate(subtractMs(parts.clock.now(), 30 * hourMs + 26 * aMinuteMs));
}

export async function seedMoneyUnderWay(parts: Parts, leila: Person, runTo: RunTo): Promise<void> {
  const method = await parts.db
    .selectFrom('payout_methods')
    .select('id')
    .where('accountId', '=', leila.accountId)
    .where('removedAt', 'is', null)
    .executeTakeFirst();
  const deeds = deedsOf(parts, leila, runTo);
  if (method) await deeds.takeOut(subtractMs(parts.clock.now(), 3 * hourMs + 12 * aMinuteMs), method, 0.15);
}

function deedsOf(parts: Parts, { accountId, name }: Person, runTo: RunTo) {
  async function at<Result>(
    time: Date,
    work: (tx: Tx, scope: Scope) => Promise<Result>,
    actor = accountId,
  ): Promise<Result> {
    await runTo(time);
    return parts.db.transaction().execute((tx) => {
      const town = createTown(parts, tx, createChance(0), () => {});
      return work(tx, town.scopeOf(actor, time));
    });
  }
  return {
    addBank: (time: Date, iban: string): Promise<PayoutMethod> =>
      at(time, async (tx, scope) => {
        const input = { token: await bankToken(scope.provider, iban, name) };
        return addMethod(tx, scope, input, await saveBank(scope, input, tx));
      }),
    removeBank: (time: Date, { id: methodId }: { id: string }) =>
      at(time, (tx, scope) => removeMethod(tx, scope, { methodId })),
    /** Withdraws a share of the available money in tens; null if that is too little. */
    takeOut: (time: Date, { id: methodId }: { id: string }, part: number): Promise<Withdrawal | null> =>
      at(time, async (tx, scope) => {
        const account = { kind: 'worker_available', ownerId: accountId } as const;
        const amountMinor = Math.floor(((await balanceOf(tx, account, 'EUR')) * part) / 1_000) * 1_000;
        if (amountMinor < scope.config.WITHDRAWAL_MIN_MINOR) return null;
        return withdraw(tx, scope, { methodId, amountMinor, speed: 'standard' });
      }),
    async thankLate(time: Date): Promise<void> {
      const last = await parts.db
        .selectFrom('engagements')
        .innerJoin('business_members', 'business_members.businessId', 'engagements.businessId')
        .select(['engagements.id', 'business_members.accountId'])
        .where('workerId', '=', accountId)
        .where('status', '=', 'completed')
        .where('role', '=', 'owner')
        .orderBy('startsAt', 'desc')
        .executeTakeFirst();
      if (!last) return;
      const request = {
        kind: 'bonus',
        amountMinor: 2_500,
        note: 'Thank you for helping us out this week.',
      } as const;
      const funding = { from: 'balance' } as const;
      await at(
        time,
        (tx, scope) => giveTip(tx, scope, { engagementId: last.id, ...request, funding }),
        last.accountId,
      );
    },
    /** Applies the provider's next payout update, at its expected arrival by default. */
    async hearOf({ id, arrivesOn }: Withdrawal, when?: Date): Promise<Date> {
      const time = when ?? new Date(Date.parse(`${arrivesOn}T09:00:00Z`) + aMinuteMs);
      await runTo(time);
      const { providerRef: ref } = await parts.db
        .selectFrom('withdrawals')
        .select('providerRef')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      // No server receives the webhook yet.
      if (ref) await applyPayout(pastScope(parts, time), ref);
      return time;
    },
  };
}
