import { describe, expect, it } from 'vitest';
import { StartRefusedError } from '../start-refused.ts';
import { readConfig } from './config.ts';

const production = {
  NODE_ENV: 'production',
  SECRET: 's'.repeat(32),
  PUBLIC_URL: 'https://town.example',
  SMTP_URL: 'smtp://mail.example',
  DOCUMENT_KEYS: `one:${'k'.repeat(43)}`,
};
const stripe = {
  PAYMENT_PROVIDER: 'stripe',
  STRIPE_SECRET_KEY: 'sk_test_0123456789abcdef',
  STRIPE_WEBHOOK_SECRETS: 'whsec_0123456789',
  STRIPE_CURRENCIES: 'EUR, USD',
  STRIPE_COUNTRIES: 'NL,DE',
};
const live = { ...stripe, STRIPE_SECRET_KEY: 'rk_live_0123456789abcdef' };

const problemsOf = (environment: Record<string, string>): string[] => {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (!(error instanceof StartRefusedError)) throw error;
    return error.message.split('\n');
  }
};

describe('the payment provider', () => {
  it('is the sandbox, or Stripe with all of its settings', () => {
    expect(readConfig({}).PAYMENT_PROVIDER).toBe('sandbox');
    expect(readConfig(stripe)).toMatchObject({
      STRIPE_WEBHOOK_SECRETS: ['whsec_0123456789'],
      STRIPE_CURRENCIES: ['EUR', 'USD'],
      STRIPE_COUNTRIES: ['NL', 'DE'],
    });
    expect(problemsOf({ ...production, ...live })).toEqual([]);
    expect(problemsOf({ ...stripe, STRIPE_WEBHOOK_SECRETS: 'whsec_0123456789,whsec_9876543210' })).toEqual(
      [],
    );
  });

  it.each(['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRETS', 'STRIPE_CURRENCIES', 'STRIPE_COUNTRIES'] as const)(
    'requires %s, and %s requires it',
    (name) => {
      const { [name]: value, ...rest } = stripe;
      expect(problemsOf(rest)).toEqual([
        expect.stringMatching(`^${name}: must be set with PAYMENT_PROVIDER=stripe`),
      ]);
      expect(problemsOf({ [name]: value })).toEqual([`${name}: also set PAYMENT_PROVIDER=stripe.`]);
    },
  );

  it("must match the server's mode", () => {
    const mode = (key: string) => expect.stringContaining(`STRIPE_SECRET_KEY: a key of ${key} mode`);
    expect(problemsOf({ ...production, ...stripe })).toEqual([mode('test')]);
    expect(problemsOf(live)).toEqual([mode('live')]);
    expect(problemsOf(production)).toEqual([
      expect.stringContaining('PAYMENT_PROVIDER=sandbox: it moves no money'),
    ]);
    expect(problemsOf({ ...production, PAYMENT_SANDBOX_IN_PRODUCTION: 'false' })).toHaveLength(1);
    expect(problemsOf({ ...production, PAYMENT_SANDBOX_IN_PRODUCTION: 'true' })).toEqual([]);
    expect(problemsOf({ ...production, ...live, PAYMENT_SANDBOX_IN_PRODUCTION: 'true' })).toEqual([
      expect.stringContaining('remove it'),
    ]);
  });

  it('can stand in for Stripe only in tests', () => {
    const standIn = { STRIPE_API_URL: 'http://127.0.0.1:4000' };
    expect(readConfig(stripe).STRIPE_API_URL).toBe('https://api.stripe.com');
    expect(readConfig({ ...stripe, ...standIn }).STRIPE_API_URL).toBe('http://127.0.0.1:4000');
    expect(problemsOf({ ...production, ...live, ...standIn })).toEqual([
      'STRIPE_API_URL: a production server speaks to https://api.stripe.com only.',
    ]);
  });

  it.each([
    ['PAYMENT_PROVIDER', 'paypal'],
    ['STRIPE_API_URL', 'ftp://stripe.example'],
    ['STRIPE_SECRET_KEY', 'pk_test_0123456789'],
    ['STRIPE_WEBHOOK_SECRETS', '0123456789'],
    ['STRIPE_WEBHOOK_SECRETS', Array(5).fill('whsec_0123456789').join()],
    ['STRIPE_CURRENCIES', 'EUR,XAU'],
    ['STRIPE_COUNTRIES', 'Netherlands'],
  ])('rejects %s=%s and prints no secret', (name, value) => {
    const problems = problemsOf({ ...stripe, [name]: value });
    expect(problems[0]).toContain(name);
    if (name.endsWith('KEY') || name.endsWith('SECRETS')) expect(problems.join()).not.toContain(value);
  });
});
