import { type Currency, currencies } from '@nearhand/contract/currencies';
import { isCardExpired, isCardNumber, isSecurityCode } from '@nearhand/contract/money/cards.rules';
import { currencyOfCountry } from '@nearhand/contract/people/country-currency.rules';
import {
  type BankBehaviour,
  behaviourOfBank,
  behaviourOfCard,
  brandOfCard,
  type CardBehaviour,
  isIban,
  isRoutingNumber,
  withoutSeparators,
} from './sandbox-numbers.rules.ts';

export type TokenDetails =
  | {
      kind: 'card';
      details: {
        brand: string;
        last4: string;
        expiresMonth: number;
        expiresYear: number;
        behaviour: CardBehaviour;
        fingerprint: string;
      };
    }
  | {
      kind: 'bank';
      details: {
        bankName: string;
        last4: string;
        holderName: string;
        country: string;
        currency: Currency;
        instant: boolean;
        behaviour: BankBehaviour;
        fingerprint: string;
      };
    };

export type SandboxTokenProblem = {
  field:
    | 'kind'
    | 'number'
    | 'expiresMonth'
    | 'expiresYear'
    | 'cvc'
    | 'country'
    | 'currency'
    | 'holderName'
    | 'iban'
    | 'routing'
    | 'account';
  problem: 'missing' | 'invalid' | 'expired' | 'other_country' | 'unsupported';
};

type Form = Record<string, unknown>;
const wrong = (
  field: SandboxTokenProblem['field'],
  problem: SandboxTokenProblem['problem'] = 'invalid',
): SandboxTokenProblem => ({
  field,
  problem,
});

const fieldMax = 200;

const stringOrNull = (value: unknown): string | null => {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  return typeof text === 'string' && text.length <= fieldMax && text.trim() !== '' ? text.trim() : null;
};
const isThere = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
const fieldProblem = (field: SandboxTokenProblem['field'], value: unknown) =>
  wrong(field, isThere(value) ? 'invalid' : 'missing');

type FingerprintOf = (number: string) => string;

/** Parses the form of a card or bank account from untrusted input. */
export function readTokenForm(
  body: unknown,
  now: Date,
  fingerprintOf: FingerprintOf,
): TokenDetails | SandboxTokenProblem {
  const form: Form = body !== null && typeof body === 'object' && !Array.isArray(body) ? (body as Form) : {};
  if (form.kind === 'card') return readCard(form, now, fingerprintOf);
  if (form.kind === 'bank') return readBank(form, fingerprintOf);
  return fieldProblem('kind', form.kind);
}

function readCard(form: Form, now: Date, fingerprintOf: FingerprintOf): TokenDetails | SandboxTokenProblem {
  const number = withoutSeparators(stringOrNull(form.number) ?? '');
  if (!isCardNumber(number)) return fieldProblem('number', form.number);
  const month = Number(/^\d{1,2}$/.exec(stringOrNull(form.expiresMonth) ?? '')?.[0] ?? Number.NaN);
  if (!(month >= 1 && month <= 12)) return fieldProblem('expiresMonth', form.expiresMonth);
  const yearDigits = /^(\d{2}|\d{4})$/.exec(stringOrNull(form.expiresYear) ?? '')?.[0];
  if (yearDigits === undefined) return fieldProblem('expiresYear', form.expiresYear);
  const year = Number(yearDigits) + (yearDigits.length === 2 ? 2000 : 0);
  if (year > now.getUTCFullYear() + 50) return wrong('expiresYear');
  if (isCardExpired({ month, year }, now))
    return wrong(year < now.getUTCFullYear() ? 'expiresYear' : 'expiresMonth', 'expired');
  if (!isSecurityCode(stringOrNull(form.cvc) ?? '')) return fieldProblem('cvc', form.cvc);
  return {
    kind: 'card',
    details: {
      brand: brandOfCard(number),
      last4: number.slice(-4),
      expiresMonth: month,
      expiresYear: year,
      behaviour: behaviourOfCard(number),
      fingerprint: fingerprintOf(number),
    },
  };
}

function readBank(form: Form, fingerprintOf: FingerprintOf): TokenDetails | SandboxTokenProblem {
  const holderName = stringOrNull(form.holderName);
  if (holderName === null || !holderName.isWellFormed() || /\p{Cc}/u.test(holderName))
    return fieldProblem('holderName', form.holderName);
  const account = isThere(form.iban) ? readIban(form) : readRouted(form);
  if ('problem' in account) return account;
  const { country, number } = account;
  const currency = isThere(form.currency)
    ? currencies.find((currency) => currency === form.currency)
    : accountCurrency(country);
  if (currency === undefined) return wrong('currency', 'unsupported');
  const behaviour = behaviourOfBank(number);
  return {
    kind: 'bank',
    details: {
      bankName: `Sandbox Bank ${country}`,
      last4: number.slice(-4),
      holderName: holderName.slice(0, 140).toWellFormed(),
      country,
      currency,
      instant: behaviour !== 'not_instant',
      behaviour,
      fingerprint: fingerprintOf(number),
    },
  };
}

type Account = { country: string; number: string };

function readIban(form: Form): Account | SandboxTokenProblem {
  const iban = withoutSeparators(stringOrNull(form.iban) ?? '').toUpperCase();
  if (!isIban(iban)) return wrong('iban');
  const country = iban.slice(0, 2);
  if (isThere(form.country) && form.country !== country) return wrong('country', 'other_country');
  return { country, number: iban };
}

function readRouted(form: Form): Account | SandboxTokenProblem {
  if (isThere(form.country) && form.country !== 'US')
    return typeof form.country === 'string' && /^[A-Z]{2}$/.test(form.country)
      ? wrong('iban', 'missing')
      : wrong('country');
  if (!isThere(form.country) && !isThere(form.routing)) return wrong('iban', 'missing');
  if (!isRoutingNumber(withoutSeparators(stringOrNull(form.routing) ?? '')))
    return fieldProblem('routing', form.routing);
  const number = withoutSeparators(stringOrNull(form.account) ?? '');
  return /^\d{4,17}$/.test(number) ? { country: 'US', number } : fieldProblem('account', form.account);
}

/** The pound of Gibraltar isn't a currency of the platform, but its banks have accounts in British pounds. */
const accountCurrency = (country: string): Currency | undefined =>
  country === 'GI' ? 'GBP' : (currencyOfCountry(country) ?? undefined);
