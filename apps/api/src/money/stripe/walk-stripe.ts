import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '../../platform/config/config.ts';
import { openClient } from './stripe.ts';
import { isStripeError } from './stripe-calls.ts';
import { chargeMin } from './stripe-charges.ts';

type WalkConfig = Pick<
  Config,
  'PUBLIC_URL' | 'STRIPE_SECRET_KEY' | 'STRIPE_CURRENCIES' | 'STRIPE_COUNTRIES' | 'STRIPE_API_URL'
>;

const attemptsMax = 10;

/**
 * Tries the flows of money in Stripe's test mode with Stripe's test cards, and cleans up. `npm run providers` runs it. It
 * pays no worker, because only a person can complete the page that sets up an account.
 * @returns the names of the flows that worked, and a sentence for each that failed
 */
export async function walkStripe(
  config: WalkConfig,
  pauseMs = 1_000,
): Promise<{ worked: string[]; problems: string[] }> {
  if (!/^[rs]k_test_/.test(config.STRIPE_SECRET_KEY ?? ''))
    return { worked: [], problems: ['Only a key of test mode goes through the flows.'] };
  const client = openClient(config);
  const worked: string[] = [];
  const problems: string[] = [];
  const cleaning: (() => Promise<unknown>)[] = [];
  const step = async <Result>(name: string, work: () => Promise<Result>): Promise<Result | null> => {
    try {
      const result = await work();
      worked.push(name);
      return result;
    } catch (error) {
      problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      if (!isStripeError(error) && !(error instanceof Unexpected)) throw error;
      return null;
    }
  };
  const [code = 'EUR'] = config.STRIPE_CURRENCIES;
  const amount = 20 * chargeMin[code];
  const returnUrl = `${config.PUBLIC_URL}/`;
  const pay = (card: string) =>
    client.paymentIntents.create({
      amount,
      currency: code.toLowerCase(),
      payment_method: card,
      allowed_payment_method_types: ['card'],
      confirm: true,
      return_url: returnUrl,
      description: 'Check of Nearhand',
    });
  /** Polls until Stripe has created something on its own. */
  const until = async <Thing>(what: string, find: () => Promise<Thing | undefined>): Promise<Thing> => {
    for (let times = 0; times < attemptsMax; times += 1) {
      const thing = await find();
      if (thing !== undefined) return thing;
      await wait(pauseMs);
    }
    throw new Unexpected(what);
  };

  await step('save a card on a page', async () => {
    const customer = await client.customers.create({ name: 'Check of Nearhand' });
    cleaning.push(() => client.customers.del(customer.id));
    const session = await client.checkout.sessions.create({
      mode: 'setup',
      allowed_payment_method_types: ['card'],
      customer: customer.id,
      success_url: returnUrl,
      cancel_url: returnUrl,
    });
    if (!session.url) throw new Unexpected('the session has no page');
  });

  const charge = await step('charge a card', async () => {
    const intent = await pay('pm_card_visa');
    if (intent.status !== 'succeeded') throw new Unexpected(`the charge is ${intent.status}`);
    return intent;
  });
  if (charge)
    await step('refund it', () =>
      client.refunds.create({ payment_intent: charge.id, amount: charge.amount }),
    );

  await step('a card that asks its owner', async () => {
    const intent = await pay('pm_card_threeDSecure2Required');
    cleaning.push(() => client.paymentIntents.cancel(intent.id));
    if (!intent.next_action?.redirect_to_url?.url) throw new Unexpected('it leads to no page');
  });

  await step('a chargeback, and an answer to it', async () => {
    const intent = await pay('pm_card_createDispute');
    const dispute = await until('Stripe opened no dispute', async () => {
      const { data } = await client.disputes.list({ payment_intent: intent.id, limit: 1 });
      return data[0];
    });
    await client.disputes.update(dispute.id, {
      evidence: { uncategorized_text: 'winning_evidence' },
      submit: true,
    });
  });

  await step('open an account for a worker, with its page', async () => {
    const account = await client.v2.core.accounts.create({
      display_name: 'Check of Nearhand',
      dashboard: 'express',
      identity: { country: config.STRIPE_COUNTRIES[0] ?? 'NL', entity_type: 'individual' },
      configuration: {
        recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } },
      },
      defaults: { responsibilities: { fees_collector: 'application', losses_collector: 'application' } },
    });
    cleaning.push(() => client.v2.core.accounts.close(account.id, { applied_configurations: ['recipient'] }));
    await client.v2.core.accountLinks.create({
      account: account.id,
      use_case: {
        type: 'account_onboarding',
        account_onboarding: { refresh_url: returnUrl, return_url: returnUrl },
      },
    });
  });

  if (charge)
    await step('events reach the server', () =>
      until(
        `the server at ${config.PUBLIC_URL} took no event: start it, and check STRIPE_WEBHOOK_SECRETS`,
        async () => {
          const { data } = await client.events.list({ types: ['payment_intent.succeeded'], limit: 20 });
          return data.find(
            ({ data: { object }, pending_webhooks }) =>
              'id' in object && object.id === charge.id && pending_webhooks === 0,
          );
        },
      ),
    );

  for (const clean of cleaning.toReversed())
    await clean().catch((error: unknown) => {
      problems.push(`cleaning up: ${error instanceof Error ? error.message : String(error)}`);
    });
  return { worked, problems };
}

/** An outcome of Stripe that a flow can't continue with. */
class Unexpected extends Error {}
