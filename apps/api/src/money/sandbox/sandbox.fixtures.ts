import type { PaymentProvider } from '../../platform/payment-provider.ts';
import { isSandbox, makeToken } from './sandbox.ts';
import { fingerprintWith } from './sandbox-events.ts';
import { readTokenForm } from './sandbox-tokens.ts';

/** Card numbers by behaviour (docs/payments.md). */
export const testCards = {
  pays: '4242424242424242',
  paysMastercard: '5555555555554444',
  declined: '4000000000000002',
  insufficientFunds: '4000000000009995',
  expired: '4000000000000069',
  confirm: '4000000000003220',
  late: '4000000000000077',
  lateFailure: '4000000000005126',
  chargebackLost: '4000000000000259',
  chargebackWon: '4000000000002685',
} as const;

export const testIbans = {
  pays: 'NL89NRHD0000009000',
  closed: 'NL77NRHD0000000001',
  failsLater: 'NL50NRHD0000000002',
  returned: 'NL23NRHD0000000003',
  late: 'NL93NRHD0000000004',
  notInstant: 'NL66NRHD0000000005',
} as const;

/** An account that pays, one for each number from 0 to 999. */
export function testIban(number: number): string {
  const account = `NRHD${String(9_100_000 + number).padStart(10, '0')}`;
  const letters = (text: string) => text.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  const check = 98 - Number(BigInt(letters(`${account}NL00`)) % 97n);
  return `NL${String(check).padStart(2, '0')}${account}`;
}

export const testRouting = '110000000';

/** Another provider that takes the sandbox's numbers, as in `stripe-double/test-stripe.ts`. */
type TokenMaker = PaymentProvider & { tokenFor(fields: Record<string, unknown>): string };
const makesTokens = (provider: PaymentProvider): provider is TokenMaker => 'tokenFor' in provider;

export async function tokenFor(
  provider: PaymentProvider,
  fields: { kind: 'card' | 'bank' } & Record<string, unknown>,
): Promise<string> {
  if (makesTokens(provider)) return provider.tokenFor(fields);
  if (!isSandbox(provider)) throw new Error('only the sandbox makes tokens without a browser');
  const read = readTokenForm(fields, provider.sandbox.clock.now(), fingerprintWith(provider.sandbox.secret));
  if ('problem' in read) throw new Error(`${read.field}: ${read.problem}`);
  return makeToken(provider.sandbox, read);
}

export const cardToken = (
  provider: PaymentProvider,
  number: string = testCards.pays,
  expires: { month: number; year: number } = { month: 12, year: 2030 },
): Promise<string> =>
  tokenFor(provider, {
    kind: 'card',
    number,
    cvc: '123',
    expiresMonth: expires.month,
    expiresYear: expires.year,
  });

export const bankToken = (
  provider: PaymentProvider,
  iban: string = testIbans.pays,
  holderName = 'Nadia Haddad',
): Promise<string> => tokenFor(provider, { kind: 'bank', iban, holderName });
