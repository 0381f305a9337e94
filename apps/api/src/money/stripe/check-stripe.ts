import type { Config } from '../../platform/config/config.ts';
import { openClient } from './stripe.ts';
import { isStripeError } from './stripe-calls.ts';

/** The path of our webhook, which Stripe has to know. */
const webhookPath = '/api/webhooks/payments';

/** Required events: without them, news of money arrives only with reconciliation. */
const neededEvents = {
  snapshot: [
    'payment_intent.succeeded',
    'payment_intent.payment_failed',
    'refund.failed',
    'charge.dispute.created',
    'charge.dispute.closed',
    'payout.paid',
    'payout.failed',
  ],
  thin: [
    'v2.core.account[requirements].updated',
    'v2.core.account[configuration.recipient].capability_status_updated',
  ],
};

/**
 * Asks Stripe, without changing anything, whether this server's key and account are ready. For `npm run providers`.
 * @returns a sentence for each problem; empty if nothing is wrong
 */
export async function checkStripe(
  config: Pick<
    Config,
    'PUBLIC_URL' | 'STRIPE_SECRET_KEY' | 'STRIPE_CURRENCIES' | 'STRIPE_API_URL' | 'PAYMENT_PROVIDER'
  >,
): Promise<string[]> {
  if (config.PAYMENT_PROVIDER !== 'stripe') return ['PAYMENT_PROVIDER is not stripe.'];
  const client = openClient(config);
  const problems: string[] = [];
  /** Names the subject of a refused read; a wrong key is refused everywhere but reported once. */
  const attempt = async <Answer>(label: string, work: () => Promise<Answer>): Promise<Answer | null> => {
    try {
      return await work();
    } catch (error) {
      if (!isStripeError(error)) throw error;
      const refusals: Record<number, string> = {
        401: 'Stripe does not accept STRIPE_SECRET_KEY.',
        403: `STRIPE_SECRET_KEY may not read ${label}: give it the permissions in docs/payments.md.`,
      };
      const refusal =
        refusals[error.statusCode ?? 0] ?? `Stripe did not answer about ${label}: ${error.message}`;
      if (!problems.includes(refusal)) problems.push(refusal);
      return null;
    }
  };

  const balance = await attempt('the balance', () => client.balance.retrieve());
  const settled = [...(balance?.available ?? []), ...(balance?.pending ?? [])].map(({ currency }) =>
    currency.toUpperCase(),
  );
  for (const currency of balance ? config.STRIPE_CURRENCIES : [])
    if (!settled.includes(currency))
      problems.push(`The account has no balance in ${currency} yet: make sure that it settles in it.`);

  const settings = await attempt('balance settings', () => client.balanceSettings.retrieve());
  if (settings && settings.payments.payouts?.schedule?.interval !== 'manual')
    problems.push(
      'The account pays itself out automatically: set its payout schedule to manual, or workers cannot be paid from its balance.',
    );

  const destinations = await attempt('event destinations', () =>
    client.v2.core.eventDestinations
      .list({ include: ['webhook_endpoint.url'], limit: 100 })
      .autoPagingToArray({ limit: 1_000 }),
  );
  const address = config.PUBLIC_URL + webhookPath;
  const ourDestinations = (destinations ?? []).filter(
    ({ webhook_endpoint, status }) => webhook_endpoint?.url === address && status === 'enabled',
  );
  for (const [payload, needed] of Object.entries(neededEvents)) {
    const sending = ourDestinations.filter(({ event_payload }) => event_payload === payload);
    const missing = needed.filter(
      (type) => !sending.some((endpoint) => endpoint.enabled_events.includes(type)),
    );
    if (destinations && missing.length > 0)
      problems.push(
        `Stripe sends no ${payload} events ${missing.join(', ')} to ${address}: add a destination (docs/payments.md).`,
      );
  }
  if (
    ourDestinations.length > 0 &&
    !ourDestinations.some(({ events_from }) => events_from?.includes('@accounts'))
  )
    problems.push(`Stripe sends no events of connected accounts to ${address}: add them to its destination.`);

  await attempt('payments', () => client.paymentIntents.list({ limit: 1 }));
  await attempt('disputes', () => client.disputes.list({ limit: 1 }));
  await attempt('transfers', () => client.transfers.list({ limit: 1 }));
  await attempt('events', () => client.events.list({ limit: 1 }));
  await attempt('accounts of workers', () => client.v2.core.accounts.list({ limit: 1 }));
  return problems;
}
