import { setTimeout as wait } from 'node:timers/promises';
import type Stripe from 'stripe';
import type { Config } from '../../platform/config/config.ts';
import { openClient } from './stripe.ts';
import { isStripeError } from './stripe-calls.ts';
import { chargeMin } from './stripe-charges.ts';

type WalkConfig = Pick<
  Config,
  'PUBLIC_URL' | 'STRIPE_SECRET_KEY' | 'STRIPE_CURRENCIES' | 'STRIPE_COUNTRIES' | 'STRIPE_API_URL'
>;

const attemptsMax = 10;

const checkName = 'Check of Nearhand';

/**
 * Tries the flows of money in Stripe's test mode with Stripe's test cards, and cleans up. `npm run providers`
 * runs it. Only a person can finish the page of a worker's account, so a first run leaves one open; the next
 * run pays it and closes it.
 * @returns the names of the flows that worked, a sentence for each that failed, and the page to finish, or null
 */
export async function walkStripe(
  config: WalkConfig,
  pauseMs = 1_000,
): Promise<{ worked: string[]; problems: string[]; page: string | null }> {
  if (!/^[rs]k_test_/.test(config.STRIPE_SECRET_KEY ?? ''))
    return { worked: [], problems: ['Only a key of test mode goes through the flows.'], page: null };
  const [code = 'EUR'] = config.STRIPE_CURRENCIES;
  const walk: Walk = {
    client: openClient(config),
    config,
    pauseMs,
    amount: 20 * chargeMin[code],
    currency: code.toLowerCase(),
    returnUrl: `${config.PUBLIC_URL}/`,
    worked: [],
    problems: [],
    cleaning: [],
  };
  await saveCard(walk);
  const charge = await chargeAndRefund(walk);
  await tryAuthentication(walk);
  await tryChargeback(walk);
  const page = await tryWorkerAccount(walk);
  if (charge) await tryEvents(walk, charge.id);
  for (const clean of walk.cleaning.toReversed())
    await clean().catch((error: unknown) => {
      walk.problems.push(`cleaning up: ${error instanceof Error ? error.message : String(error)}`);
    });
  return { worked: walk.worked, problems: walk.problems, page };
}

type Walk = {
  client: Stripe;
  config: WalkConfig;
  pauseMs: number;
  /** In minor units. */
  amount: number;
  currency: string;
  returnUrl: string;
  worked: string[];
  problems: string[];
  /** Remove what the flows created at Stripe; run at the end, last one first. */
  cleaning: (() => Promise<unknown>)[];
};

/** Tries one flow and notes whether it worked; null if it failed at Stripe. */
async function step<Result>(
  { worked, problems }: Walk,
  name: string,
  work: () => Promise<Result>,
): Promise<Result | null> {
  try {
    const result = await work();
    worked.push(name);
    return result;
  } catch (error) {
    problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    if (!isStripeError(error) && !(error instanceof UnexpectedResultError)) throw error;
    return null;
  }
}

const payWith = ({ client, amount, currency, returnUrl }: Walk, card: string) =>
  client.paymentIntents.create({
    amount,
    currency,
    payment_method: card,
    allowed_payment_method_types: ['card'],
    confirm: true,
    return_url: returnUrl,
    description: checkName,
  });

/** Polls until Stripe has created something on its own. */
async function until<Thing>(
  { pauseMs }: Walk,
  label: string,
  find: () => Promise<Thing | undefined>,
): Promise<Thing> {
  for (let times = 0; times < attemptsMax; times += 1) {
    const result = await find();
    if (result !== undefined) return result;
    await wait(pauseMs);
  }
  throw new UnexpectedResultError(label);
}

const saveCard = (walk: Walk) =>
  step(walk, 'save a card on a page', async () => {
    const { client, cleaning, returnUrl } = walk;
    const customer = await client.customers.create({ name: checkName });
    cleaning.push(() => client.customers.del(customer.id));
    const session = await client.checkout.sessions.create({
      mode: 'setup',
      allowed_payment_method_types: ['card'],
      customer: customer.id,
      success_url: returnUrl,
      cancel_url: returnUrl,
    });
    if (!session.url) throw new UnexpectedResultError('the session has no page');
  });

async function chargeAndRefund(walk: Walk): Promise<Stripe.PaymentIntent | null> {
  const charge = await step(walk, 'charge a card', async () => {
    const intent = await payWith(walk, 'pm_card_visa');
    if (intent.status !== 'succeeded') throw new UnexpectedResultError(`the charge is ${intent.status}`);
    return intent;
  });
  if (charge)
    await step(walk, 'refund it', () =>
      walk.client.refunds.create({ payment_intent: charge.id, amount: charge.amount }),
    );
  return charge;
}

const tryAuthentication = (walk: Walk) =>
  step(walk, 'a card that asks its owner', async () => {
    const intent = await payWith(walk, 'pm_card_threeDSecure2Required');
    walk.cleaning.push(() => walk.client.paymentIntents.cancel(intent.id));
    if (!intent.next_action?.redirect_to_url?.url) throw new UnexpectedResultError('it leads to no page');
  });

const tryChargeback = (walk: Walk) =>
  step(walk, 'a chargeback, and an answer to it', async () => {
    const { client } = walk;
    const intent = await payWith(walk, 'pm_card_createDispute');
    const dispute = await until(walk, 'Stripe opened no dispute', async () => {
      const { data } = await client.disputes.list({ payment_intent: intent.id, limit: 1 });
      return data[0];
    });
    await client.disputes.update(dispute.id, {
      evidence: { uncategorized_text: 'winning_evidence' },
      submit: true,
    });
  });

/** Pays the account that an earlier run left open and closes it; otherwise returns the page to finish. */
async function tryWorkerAccount(walk: Walk): Promise<string | null> {
  const { client, config, returnUrl } = walk;
  const account = await step(walk, 'open an account for a worker', () => openAccount(client, config));
  if (!account) return null;
  if (transfersOf(account)?.status !== 'active')
    return step(walk, 'its page', () => accountPage(client, account.id, returnUrl));
  await payAccount(walk, account.id);
  return null;
}

async function payAccount(walk: Walk, accountId: string): Promise<void> {
  const { client, cleaning, amount, currency } = walk;
  const on = { stripeContext: accountId };
  cleaning.push(() => client.v2.core.accounts.close(accountId, { applied_configurations: ['recipient'] }));
  const part = { amount: Math.floor(amount / 4), currency };
  const transfer = async () => {
    await payWith(walk, 'pm_card_bypassPending');
    return client.transfers.create({ ...part, destination: accountId });
  };
  await step(walk, 'pay a worker: transfer and payout', async () => {
    const manual = { payments: { payouts: { schedule: { interval: 'manual' as const } } } };
    await client.balanceSettings.update(manual, on);
    await transfer();
    const payout = await client.payouts.create(part, on);
    if (payout.status === 'failed')
      throw new UnexpectedResultError(`the payout failed: ${payout.failure_code}`);
  });
  await step(walk, 'take a transfer back', async () => {
    const { id } = await transfer();
    await client.transfers.createReversal(id, {});
    if (!(await client.transfers.retrieve(id)).reversed)
      throw new UnexpectedResultError('it is not reversed');
  });
}

const tryEvents = (walk: Walk, chargeId: string) =>
  step(walk, 'events reach the server', () =>
    until(
      walk,
      `the server at ${walk.config.PUBLIC_URL} took no event: start it, and check STRIPE_WEBHOOK_SECRETS`,
      async () => {
        const { data } = await walk.client.events.list({ types: ['payment_intent.succeeded'], limit: 20 });
        return data.find(
          ({ data: { object }, pending_webhooks }) =>
            'id' in object && object.id === chargeId && pending_webhooks === 0,
        );
      },
    ),
  );

type Account = Stripe.V2.Core.Account;

const transfersOf = ({ configuration }: Account) =>
  configuration?.recipient?.capabilities?.stripe_balance?.stripe_transfers;

/** The account that an earlier run left open, or a new one, as a worker's is made. */
async function openAccount(client: Stripe, config: WalkConfig): Promise<Account> {
  const include: Stripe.V2.Core.AccountRetrieveParams.Include[] = ['configuration.recipient'];
  for await (const { id, display_name, closed } of client.v2.core.accounts.list({ limit: 100 }))
    if (display_name === checkName && !closed) return client.v2.core.accounts.retrieve(id, { include });
  return client.v2.core.accounts.create({
    display_name: checkName,
    dashboard: 'express',
    identity: {
      country: config.STRIPE_COUNTRIES[0] ?? 'NL',
      entity_type: 'individual',
      individual: { given_name: 'Check', surname: 'Nearhand' },
    },
    configuration: {
      recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } },
    },
    defaults: { responsibilities: { fees_collector: 'application', losses_collector: 'application' } },
    include,
  });
}

async function accountPage(client: Stripe, account: string, returnUrl: string): Promise<string> {
  const { url } = await client.v2.core.accountLinks.create({
    account,
    use_case: {
      type: 'account_onboarding',
      account_onboarding: { refresh_url: returnUrl, return_url: returnUrl },
    },
  });
  return url;
}

/** An outcome at Stripe that a flow can't continue with. */
class UnexpectedResultError extends Error {}
