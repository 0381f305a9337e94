import { makeApplication } from '@nearhand/api/src/hiring/applications/applications.fixtures.ts';
import { makeJob } from '@nearhand/api/src/hiring/jobs/jobs.fixtures.ts';
import { makeOffer } from '@nearhand/api/src/hiring/offers/offers.fixtures.ts';
import { acceptOffer } from '@nearhand/api/src/hiring/offers/offers.ts';
import { refundBalance } from '@nearhand/api/src/money/charges/refunds.ts';
import { makeBank, payWorker } from '@nearhand/api/src/money/payouts/payouts.fixtures.ts';
import { withdraw } from '@nearhand/api/src/money/payouts/withdrawals.ts';
import { testCards, testIbans } from '@nearhand/api/src/money/sandbox/sandbox.fixtures.ts';
import { topUp } from '@nearhand/api/src/money/wallet/business-wallet.ts';
import { fundBusiness, makeCard } from '@nearhand/api/src/money/wallet/wallet.fixtures.ts';
import { makeAccount } from '@nearhand/api/src/people/accounts/accounts.fixtures.ts';
import { makeBusiness } from '@nearhand/api/src/people/businesses/businesses.fixtures.ts';
import type { Clock } from '@nearhand/api/src/platform/clock.ts';
import type { Db } from '@nearhand/api/src/platform/db.ts';
import type { Scope } from '@nearhand/api/src/platform/http/scope.ts';
import type { PaymentProvider } from '@nearhand/api/src/platform/payment-provider.ts';
import { makeEngagement, workThrough } from '@nearhand/api/src/work/engagements/engagements.fixtures.ts';
import { giveTip } from '@nearhand/api/src/work/pay/tips.ts';
import type { Currency } from '@nearhand/contract/currencies';
import { dayMs, hourMs } from '@nearhand/contract/durations';
import { chargeMinor } from '../money/prepared-work.ts';
import type { Bank } from './banks.ts';
import type { Chances } from './chances.ts';

export type Stage = {
  db: Db;
  clock: Clock & { forward(ms: number): void };
  secret: string;
  provider: PaymentProvider;
  bank: Bank;
  scopeOf(accountId: string): Scope;
};

type Business = { id: string; scope: Scope; cards: string[]; engagementId: string };
type Worker = { scope: Scope; methods: string[] };

export async function makeCast(stage: Stage, options: { businesses: number; workers: number }) {
  const { db, clock, secret, scopeOf } = stage;
  const businesses: Business[] = [];
  const workers: Worker[] = [];
  const account = async () => scopeOf((await makeAccount(db, clock, secret, {})).accountId);
  for (let count = 0; count < options.businesses; count += 1) {
    const scope = await account();
    const worker = await account();
    const { id } = await makeBusiness(db, scope, { funded: false });
    await fundBusiness(db, scope, id, { amountMinor: chargeMinor });
    const cards: string[] = [];
    for (const number of Object.values(testCards)) cards.push((await makeCard(db, scope, id, number)).id);
    const engagement = await makeEngagement(db, { worker, recruiter: scope }, id);
    const at = (side: 'worker' | 'recruiter', moment: Date) => ({
      ...(side === 'worker' ? worker : scope),
      clock: { now: () => moment },
    });
    const done = await workThrough(db, at, engagement, 'completed');
    businesses.push({ id, scope, cards, engagementId: done.id });
  }
  for (let count = 0; count < options.workers; count += 1) {
    const scope = await account();
    await payWorker(db, scope, scope.actor.accountId, 400_000, { atOnce: true });
    const methods: string[] = [];
    for (const iban of Object.values(testIbans).slice(0, 5))
      methods.push((await makeBank(db, scope, iban)).id);
    workers.push({ scope, methods });
  }
  // The work has ended, and new banks may be used.
  clock.forward(5 * dayMs);
  return { businesses, workers };
}
export type Cast = Awaited<ReturnType<typeof makeCast>>;

/** Random money actions through the services; refusals are thrown. */
export function actionsOf(stage: Stage, { businesses, workers }: Cast, chances: Chances) {
  const { db, clock, bank } = stage;
  const business = () => chances.oneOf(businesses);
  const actions = {
    'top up': async () => {
      const { id, scope, cards } = business();
      const currency = chances.oneOf<Currency>(['EUR', 'EUR', 'EUR', 'USD', 'JPY']);
      const amountMinor = chances.between(500, 90_000);
      const request = { businessId: id, amountMinor, currency, cardId: chances.oneOf(cards) };
      await db.transaction().execute((tx) => topUp(tx, scope, request));
    },
    tip: async () => {
      const { scope, cards, engagementId } = business();
      const funding = { from: 'card' as const, cardId: chances.oneOf(cards) };
      const request = {
        engagementId,
        kind: 'tip' as const,
        amountMinor: chances.between(100, 9_000),
        note: '',
        funding,
      };
      await db.transaction().execute((tx) => giveTip(tx, scope, request));
    },
    offer: async () => {
      const { id, scope, cards } = business();
      const worker = stage.scopeOf((await makeAccount(db, clock, stage.secret, {})).accountId);
      const startsAt = clock.now().getTime() + 20 * dayMs;
      const job = await makeJob(db, scope, id, {
        startsAt: new Date(startsAt).toISOString(),
        endsAt: new Date(startsAt + 4 * hourMs).toISOString(),
      });
      const application = await makeApplication(db, worker, job.id);
      await makeOffer(db, scope, application.id, { funding: { from: 'card', cardId: chances.oneOf(cards) } });
    },
    accept: async () => {
      const sent = await db
        .selectFrom('offers')
        .select(['id', 'version', 'workerId'])
        .where('status', '=', 'sent')
        .orderBy('id')
        .execute();
      const offer = chances.oneOf(sent);
      if (!offer) return;
      const worker = stage.scopeOf(offer.workerId);
      const request = { offerId: offer.id, version: offer.version };
      await db.transaction().execute((tx) => acceptOffer(tx, worker, request));
    },
    refund: async () => {
      const { id, scope } = business();
      const request = { businessId: id, amountMinor: chances.between(100, 60_000), currency: 'EUR' as const };
      await db.transaction().execute((tx) => refundBalance(tx, scope, request));
    },
    withdraw: async () => {
      const { scope, methods } = chances.oneOf(workers);
      const speed = chances.oneOf(['standard', 'instant'] as const);
      const request = { amountMinor: chances.between(500, 40_000), methodId: chances.oneOf(methods), speed };
      await db.transaction().execute((tx) => withdraw(tx, scope, request));
    },
    confirm: async () => {
      const open = await db
        .selectFrom('charges')
        .select('providerRef')
        .where('status', '=', 'requires_action')
        .orderBy('id')
        .execute();
      const ref = chances.oneOf(open)?.providerRef;
      if (ref) await bank.decide(ref, chances.happens(0.7));
    },
  };
  const often: (keyof typeof actions)[] = [
    'top up',
    'top up',
    'top up',
    'top up',
    'tip',
    'tip',
    'offer',
    'offer',
    'accept',
    'refund',
    'refund',
    'withdraw',
    'withdraw',
    'confirm',
    'confirm',
  ];
  return async (): Promise<string> => {
    const name = chances.oneOf(often);
    await actions[name]();
    return name;
  };
}
