import { afterAll } from 'vitest';
import type { LedgerAccount } from '../../src/money/ledger/ledger.rules.ts';
import { postEntry } from '../../src/money/ledger/ledger.ts';
import { reconcile } from '../../src/money/provider/reconciliation.ts';
import { makeBusiness } from '../../src/people/businesses/businesses.fixtures.ts';
import { useTestApp } from '../harness.ts';
import { type StripeDouble, startStripeDouble, stripeCards } from './stripe-double.ts';

type Webhook = { headers: Record<string, string>; body: string };

/**
 * Runs the whole server with the stand-in for Stripe.
 * @param settings as for `useTestApp`
 */
export function useStripe(settings: Record<string, string> = {}) {
  let double: StripeDouble;
  const webhooks = { areDelivered: true, sent: [] as Webhook[], undelivered: [] as Webhook[] };
  const app = useTestApp(async () => {
    double = await startStripeDouble({
      now: () => app.clock.now(),
      send: async (headers, body) => {
        webhooks.sent.push({ headers, body });
        if (webhooks.areDelivered) await post({ headers, body });
        else webhooks.undelivered.push({ headers, body });
      },
    });
    return {
      PAYMENT_PROVIDER: 'stripe',
      STRIPE_SECRET_KEY: double.key,
      STRIPE_WEBHOOK_SECRETS: double.webhookSecret,
      STRIPE_CURRENCIES: 'EUR',
      STRIPE_COUNTRIES: 'NL',
      STRIPE_API_URL: double.url,
      PAYOUT_METHOD_HOLD_DAYS: '0',
      CLEARING_DAYS: '0',
      ...settings,
    };
  });
  afterAll(() => double.close());

  const post = async ({ headers, body }: Webhook) =>
    app.raw({ method: 'POST', url: '/api/webhooks/payments', headers, payload: body });
  const scope = () => ({
    ...app.scopeOf({ accountId: 'nobody' }),
    db: app.db,
    mailer: { send: async () => {} },
  });
  /** Posts pay or money from nowhere; the account that bears it is negative afterwards. */
  const move = (from: LedgerAccount, to: LedgerAccount, amountMinor: number) =>
    app.db.transaction().execute((tx) =>
      postEntry(tx, scope(), {
        key: `release/${crypto.randomUUID()}`,
        kind: 'release',
        currency: 'EUR',
        about: null,
        lines: [
          { account: from, amountMinor: -amountMinor },
          { account: to, amountMinor },
        ],
      }),
    );

  /** A business with saved cards, by their numbers. */
  async function payer(...numbers: string[]) {
    const owner = await app.person();
    const businessId = (await makeBusiness(app.db, app.scopeOf(owner), { funded: false })).id;
    const cards: string[] = [];
    for (const number of numbers.length > 0 ? numbers : [stripeCards.pays]) {
      const { url } = await owner.api.cards.openPage({ businessId });
      const token = new URL(await double.press(url, 'Continue', number)).searchParams.get('saved') ?? '';
      cards.push((await owner.api.cards.add({ businessId, token })).id);
    }
    const topUp = (amountMinor: number, card = 0) =>
      owner.api.wallet.topUp({ businessId, amountMinor, currency: 'EUR', cardId: cards[card] ?? '' });
    const refund = (amountMinor: number) =>
      owner.api.charges.refund({ businessId, amountMinor, currency: 'EUR' });
    const balance = async () => (await owner.api.wallet.get({ businessId })).balances[0]?.availableMinor ?? 0;
    const account: LedgerAccount = { kind: 'business_balance', ownerId: businessId };
    return { ...owner, businessId, cards, account, topUp, refund, balance };
  }

  /** A worker whose account at Stripe is active, with a bank account. */
  async function payee() {
    const worker = await app.person();
    const details = { legalName: 'Leila Haddad', bornOn: '1990-05-05', countryCode: 'NL', address: 'x' };
    await worker.api.payouts.verifyIdentity(details);
    const stripeAccount = double.all('v2.core.account').at(-1)?.id as string;
    await double.press((await worker.api.payouts.openPage({})).url, 'Continue');
    await worker.api.payouts.refresh({});
    const methodId = (await worker.api.payouts.balance({})).methods[0]?.id ?? '';
    const withdraw = (amountMinor: number) =>
      worker.api.payouts.withdraw({ methodId, amountMinor, speed: 'standard' });
    const balance = async () => (await worker.api.payouts.balance({})).balances[0]?.availableMinor ?? 0;
    const account: LedgerAccount = { kind: 'worker_available', ownerId: worker.accountId };
    return { ...worker, stripeAccount, methodId, account, withdraw, balance };
  }

  /** Runs tasks and reconciliation for twelve hours, after which nothing is pending. */
  async function settle(): Promise<void> {
    for (let times = 0; times < 6; times += 1) {
      app.clock.forward({ hours: 2 });
      await double.delivered();
      await app.runDue();
      await reconcile(scope());
    }
  }

  return {
    app,
    get double() {
      return double;
    },
    webhooks,
    post,
    scope,
    move,
    payer,
    payee,
    settle,
  };
}
