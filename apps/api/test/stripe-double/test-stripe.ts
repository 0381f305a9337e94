import { testCards, testIbans } from '../../src/money/sandbox/sandbox.fixtures.ts';
import { createStripe } from '../../src/money/stripe/stripe.ts';
import type { PaymentProvider } from '../../src/platform/payment-provider.ts';
import { type StripeDouble, stripeCards } from './stripe-double.ts';

/** The Stripe adapter with its stand-in, for tests that are written with the sandbox's numbers. */
export type TestStripe = PaymentProvider & {
  /** A token for this card number, as the stand-in's page would return it. */
  tokenFor(fields: Record<string, unknown>): string;
};

/** Money of most cards is available at once, so that withdrawals need not wait. */
const numbers: Record<string, string> = {
  [testCards.declined]: stripeCards.declined,
  [testCards.lateFailure]: stripeCards.declined,
  [testCards.insufficientFunds]: stripeCards.insufficientFunds,
  [testCards.expired]: stripeCards.expired,
  [testCards.confirm]: stripeCards.confirm,
  [testCards.chargebackLost]: stripeCards.chargedBack,
  [testCards.chargebackWon]: stripeCards.chargedBack,
};

export function createTestStripe(
  double: StripeDouble,
  parts: Parameters<typeof createStripe>[0],
): TestStripe {
  const stripe = createStripe(parts);
  return {
    ...stripe,
    tokenFor: ({ number, iban }) => String(number ?? iban),
    saveCard: ({ token, ...o }) =>
      stripe.saveCard({
        ...o,
        token: double.saveCard(o.ownerId, numbers[token] ?? stripeCards.paysAtOnce),
      }),
    async saveBank({ token: iban, ...o }) {
      const details = { legalName: 'Nadia Haddad', bornOn: '1990-05-05', country: 'NL', address: 'x' };
      const { ownerId } = await stripe.checkIdentity({ ...details, ...o });
      const account = double.accountOf(ownerId);
      await double.onboard(account);
      const token = double.addBank(account, {
        number: iban,
        behaviour: iban === testIbans.closed ? 'closed' : 'pays',
        instant: iban !== testIbans.notInstant,
      });
      return stripe.saveBank({ ...o, token });
    },
  };
}
