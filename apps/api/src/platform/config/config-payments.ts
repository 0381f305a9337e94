import { currencies } from '@nearhand/contract/currencies';
import { z } from 'zod';
import { flag } from './config-shapes.ts';

const secretKey = /^[rs]k_(test|live)_\w{8,200}$/;
const webhookSecret = /^whsec_[\w+/=-]{8,200}$/;

const stripeUrl = 'https://api.stripe.com';

/** Two destinations, each with the old secret while it is replaced. */
const secretsMax = 4;

const codeList = <Code extends string>(label: string, read: (code: string) => Code | undefined) =>
  z
    .string()
    .optional()
    .transform((text, context): Code[] => {
      if (text === undefined) return [];
      const codes = text.split(',').map((part) => read(part.trim()));
      const knownCodes = codes.filter((code) => code !== undefined);
      if (knownCodes.length === codes.length) return knownCodes;
      context.addIssue(label);
      return z.NEVER;
    });

const stripeMethods = ['sepa_debit', 'ideal', 'bancontact'] as const;
export type StripeMethod = (typeof stripeMethods)[number];

export const paymentSettings = {
  PAYMENT_PROVIDER: {
    shape: z.enum(['sandbox', 'stripe']).default('sandbox'),
    doc: 'Who moves the money: the built-in sandbox, which moves none, or Stripe (docs/payments.md).',
  },
  STRIPE_SECRET_KEY: {
    shape: z.string().regex(secretKey, 'sk_… or rk_…, of test or live mode').optional(),
    secret: true,
    doc: 'Secret key of the platform’s Stripe account, better a restricted one (docs/payments.md names its permissions). A production server needs one of live mode, any other one of test mode.',
  },
  STRIPE_WEBHOOK_SECRETS: {
    shape: z
      .string()
      .optional()
      .transform((text, context) => {
        const secrets = (text ?? '').split(',').map((part) => part.trim());
        if (text === undefined) return [];
        if (secrets.length <= secretsMax && secrets.every((secret) => webhookSecret.test(secret)))
          return secrets;
        context.addIssue('whsec_…, or several of them separated by commas');
        return z.NEVER;
      }),
    secret: true,
    doc: 'Signing secrets of the webhook destinations that lead to PUBLIC_URL/api/webhooks/payments, separated by commas: one of each, and the old one too while it is replaced.',
  },
  STRIPE_CURRENCIES: {
    shape: codeList('currencies, such as EUR,USD', (code) =>
      currencies.find((currency) => currency === code),
    ),
    doc: 'Currencies that the Stripe account settles in, separated by commas; in another one Stripe would convert, and the books would differ. Charges and payouts in others are refused.',
  },
  STRIPE_COUNTRIES: {
    shape: codeList('countries, such as NL,DE', (code) => (/^[A-Z]{2}$/.test(code) ? code : undefined)),
    doc: 'Countries of workers that Stripe may pay, as ISO 3166-1 codes separated by commas.',
  },
  STRIPE_METHODS: {
    shape: codeList('methods, such as sepa_debit,ideal', (code) =>
      stripeMethods.find((method) => method === code),
    ),
    doc: `How businesses pay besides cards and their wallets, separated by commas: ${stripeMethods.join(', ')}. Turn them on in the Stripe account first.`,
  },
  STRIPE_API_URL: {
    shape: z.url({ protocol: /^https?$/ }).default(stripeUrl),
    doc: 'Where Stripe answers. Only tests set it, for their stand-in; a production server refuses another.',
  },
  PAYMENT_SANDBOX_IN_PRODUCTION: {
    shape: flag.default(false),
    doc: 'true allows a production server to run on the sandbox, where no one is charged or paid. Without it the server does not start.',
  },
} as const;

const stripeNames = [
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRETS',
  'STRIPE_CURRENCIES',
  'STRIPE_COUNTRIES',
] as const;
type StripeName = (typeof stripeNames)[number];

/** A value that was refused for its shape is undefined. */
type PaymentConfig = {
  NODE_ENV: string;
  PAYMENT_PROVIDER?: 'sandbox' | 'stripe';
  STRIPE_SECRET_KEY?: string;
  STRIPE_API_URL?: string;
  PAYMENT_SANDBOX_IN_PRODUCTION?: boolean;
};

/** One sentence for each incomplete configuration, and for a key of the wrong mode. */
export function paymentProblems(config: PaymentConfig, isSet: (name: StripeName) => boolean): string[] {
  const isProduction = config.NODE_ENV === 'production';
  const key = config.STRIPE_SECRET_KEY;
  const problems: string[] = [];
  if (config.PAYMENT_PROVIDER === undefined) return [];
  if (config.PAYMENT_PROVIDER === 'sandbox') {
    for (const name of stripeNames)
      if (isSet(name)) problems.push(`${name}: also set PAYMENT_PROVIDER=stripe.`);
    // The sandbox must not be mistaken for real payments (ADR 67).
    if (isProduction && !config.PAYMENT_SANDBOX_IN_PRODUCTION)
      problems.push(
        'PAYMENT_PROVIDER=sandbox: it moves no money. Set PAYMENT_PROVIDER=stripe, or PAYMENT_SANDBOX_IN_PRODUCTION=true to run without real payments.',
      );
    return problems;
  }
  for (const name of stripeNames)
    if (!isSet(name))
      problems.push(`${name}: must be set with PAYMENT_PROVIDER=stripe. ${paymentSettings[name].doc}`);
  const isLive = key?.includes('_live_') ?? isProduction;
  if (isProduction && !isLive)
    problems.push(
      'STRIPE_SECRET_KEY: a key of test mode moves no money, so a production server needs one of live mode.',
    );
  if (!isProduction && isLive)
    problems.push('STRIPE_SECRET_KEY: a key of live mode moves real money, so it needs NODE_ENV=production.');
  if (isProduction && config.STRIPE_API_URL !== stripeUrl)
    problems.push(`STRIPE_API_URL: a production server speaks to ${stripeUrl} only.`);
  if (config.PAYMENT_SANDBOX_IN_PRODUCTION)
    problems.push('PAYMENT_SANDBOX_IN_PRODUCTION: does nothing with PAYMENT_PROVIDER=stripe; remove it.');
  return problems;
}
