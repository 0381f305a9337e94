import { dayMs } from '@nearhand/contract/durations';
import { isCardExpired, isCardNumber } from '@nearhand/contract/money/cards.rules';
import { describe, expect, it } from 'vitest';
import { testCards, testIbans, testRouting } from './sandbox.fixtures.ts';
import { deliveryDelays, nextBusinessDay, retryAt, webhookPlan } from './sandbox.rules.ts';
import { ownReturn } from './sandbox-charges.ts';
import { brandOfCard, isIban, isRoutingNumber } from './sandbox-numbers.rules.ts';
import { readTokenForm } from './sandbox-tokens.ts';

const now = new Date('2026-11-21T09:00:00Z');

describe('numbers', () => {
  it('accepts every documented card and none with one digit changed', () => {
    for (const number of Object.values(testCards)) {
      expect(isCardNumber(number)).toBe(true);
      expect(isCardNumber(number.replace(/.$/, (digit) => String((Number(digit) + 1) % 10)))).toBe(false);
    }
    expect(isCardNumber('4242 4242 4242 4242')).toBe(false);
    expect(isCardNumber('0'.repeat(20))).toBe(false);
    expect(isCardNumber('٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢')).toBe(false);
  });

  it('returns the brand', () => {
    expect(brandOfCard(testCards.pays)).toBe('Visa');
    expect(brandOfCard(testCards.paysMastercard)).toBe('Mastercard');
    expect(brandOfCard('2221000000000009')).toBe('Mastercard');
    expect(brandOfCard('378282246310005')).toBe('American Express');
    expect(brandOfCard('6011111111111117')).toBe('Card');
  });

  it.each([
    'NL91ABNA0417164300',
    'DE89370400440532013000',
    'GB29NWBK60161331926819',
    'FR1420041010050500013M02606',
    'NO9386011117947',
    'MT84MALT011000012345MTLCAST001S',
    ...Object.values(testIbans),
  ])('accepts the IBAN %s, and rejects it with two digits swapped or one more', (iban) => {
    expect(isIban(iban)).toBe(true);
    expect(isIban(`${iban}0`)).toBe(false);
    expect(isIban(iban.slice(0, 2) + (iban.slice(2, 4) === '97' ? '96' : '97') + iban.slice(4))).toBe(false);
  });

  it('rejects invalid IBANs', () => {
    for (const text of [
      '',
      'NL',
      'XX91ABNA0417164300',
      'nl91abna0417164300',
      'NL91ABNA041716430\u0000',
      '🏦',
    ])
      expect(isIban(text)).toBe(false);
  });

  it('checks routing numbers', () => {
    for (const number of [testRouting, '021000021', '011401533']) expect(isRoutingNumber(number)).toBe(true);
    for (const number of ['021000022', '000000000', '1100000000', '11000000', ''])
      expect(isRoutingNumber(number)).toBe(false);
  });
});

describe('the form', () => {
  const card = {
    kind: 'card',
    number: '4242 4242 4242 4242',
    expiresMonth: 11,
    expiresYear: 2026,
    cvc: '123',
  };
  const bank = { kind: 'bank', holderName: 'Leïla محمد', iban: 'nl91 abna 0417 1643 00' };

  it('accepts a card until the last day of its month', () => {
    expect(readTokenForm(card, now, (number) => `name of ${number.length} digits`)).toMatchObject({
      details: { last4: '4242', behaviour: 'pays' },
    });
    expect(
      readTokenForm(
        { ...card, expiresMonth: '1', expiresYear: '27' },
        now,
        (number) => `name of ${number.length} digits`,
      ),
    ).toMatchObject({
      details: { expiresMonth: 1, expiresYear: 2027 },
    });
    expect(isCardExpired({ month: 11, year: 2026 }, new Date('2026-11-30T23:59:59Z'))).toBe(false);
    expect(isCardExpired({ month: 11, year: 2026 }, new Date('2026-12-01T00:00:00Z'))).toBe(true);
  });

  it('stores no number', () => {
    expect(
      JSON.stringify(readTokenForm(card, now, (number) => `name of ${number.length} digits`)),
    ).not.toContain('42424242');
    expect(
      JSON.stringify(readTokenForm(bank, now, (number) => `name of ${number.length} digits`)),
    ).not.toContain('0417');
  });

  it.each([
    [{ ...card, number: undefined }, 'number', 'missing'],
    [{ ...card, number: '4242424242424241' }, 'number', 'invalid'],
    [{ ...card, number: '4'.repeat(10_000) }, 'number', 'invalid'],
    [{ ...card, number: [4242] }, 'number', 'invalid'],
    [{ ...card, number: '4242\u00004242' }, 'number', 'invalid'],
    [{ ...card, expiresMonth: 13 }, 'expiresMonth', 'invalid'],
    [{ ...card, expiresMonth: Number.POSITIVE_INFINITY }, 'expiresMonth', 'invalid'],
    [{ ...card, expiresMonth: 10 }, 'expiresMonth', 'expired'],
    [{ ...card, expiresYear: 2025 }, 'expiresYear', 'expired'],
    [{ ...card, expiresYear: 9999 }, 'expiresYear', 'invalid'],
    [{ ...card, cvc: '12' }, 'cvc', 'invalid'],
    [{ ...card, cvc: {} }, 'cvc', 'invalid'],
    [{ ...bank, holderName: '  ' }, 'holderName', 'invalid'],
    [{ ...bank, holderName: 'a\u0000b' }, 'holderName', 'invalid'],
    [{ ...bank, holderName: '\ud800' }, 'holderName', 'invalid'],
    [{ ...bank, iban: 'NL92ABNA0417164300' }, 'iban', 'invalid'],
    [{ ...bank, country: 'DE' }, 'country', 'other_country'],
    [{ ...bank, currency: 'XAU' }, 'currency', 'unsupported'],
    [{ ...bank, iban: '', country: 'NL' }, 'iban', 'missing'],
    [{ ...bank, iban: '', country: 'US', account: '000123456789' }, 'routing', 'missing'],
    [{ ...bank, iban: '', routing: '021000022', account: '000123456789' }, 'routing', 'invalid'],
    [{ ...bank, iban: '', routing: testRouting, account: '1' }, 'account', 'invalid'],
    [{ kind: 'cash' }, 'kind', 'invalid'],
    [{}, 'kind', 'missing'],
    [null, 'kind', 'missing'],
    [['card'], 'kind', 'missing'],
    ['card', 'kind', 'missing'],
  ])('rejects %j', (form, field, problem) => {
    expect(readTokenForm(form, now, (number) => `name of ${number.length} digits`)).toEqual({
      field,
      problem,
    });
  });

  it('accepts a United States account and its currency', () => {
    const us = {
      kind: 'bank',
      holderName: 'Sam',
      country: 'US',
      routing: testRouting,
      account: '000123456789',
    };
    expect(readTokenForm(us, now, (number) => `name of ${number.length} digits`)).toMatchObject({
      details: { currency: 'USD', last4: '6789', instant: true },
    });
    expect(readTokenForm(bank, now, (number) => `name of ${number.length} digits`)).toMatchObject({
      details: { currency: 'EUR', country: 'NL', last4: '4300' },
    });
    expect(
      readTokenForm(
        { ...bank, iban: testIbans.notInstant },
        now,
        (number) => `name of ${number.length} digits`,
      ),
    ).toMatchObject({
      details: { instant: false, behaviour: 'not_instant' },
    });
  });
});

describe('time', () => {
  it('returns the next business day', () => {
    expect(nextBusinessDay(new Date('2026-11-19T23:59:59Z'))).toBe('2026-11-20');
    for (const day of ['20T00:00', '21T09:00', '22T23:00'])
      expect(nextBusinessDay(new Date(`2026-11-${day}:00Z`))).toBe('2026-11-23');
    expect(nextBusinessDay(new Date('2026-12-31T12:00:00Z'))).toBe('2027-01-01');
  });

  it('retries a webhook for about three days, then gives up', () => {
    let at = now;
    let attempts = 0;
    for (let next = retryAt(1, at); next; next = retryAt(attempts + 1, at)) {
      expect(next > at).toBe(true);
      at = next;
      attempts += 1;
    }
    const days = (at.getTime() - now.getTime()) / dayMs;
    expect(days).toBeGreaterThan(2);
    expect(days).toBeLessThan(4);
  });
});

describe('plans for webhooks', () => {
  it('parses them', () => {
    expect(webhookPlan('normal')).toEqual({ copies: 1, again: false, lostPercent: 0, spreadSeconds: 0 });
    expect(webhookPlan('copies=5,lost=10%,spread=60s')).toEqual({
      copies: 5,
      again: false,
      lostPercent: 10,
      spreadSeconds: 60,
    });
    for (const text of ['', 'chaos', 'copies=5', 'copies=55,lost=1%,spread=1s', 'lossy '])
      expect(() => webhookPlan(text)).toThrow();
  });

  it('loses and duplicates about as many as configured', () => {
    const plan = webhookPlan('lossy');
    const counts = Array.from({ length: 4_000 }, () => deliveryDelays(plan, Math.random).length);
    const share = (copies: number) => counts.filter((count) => count === copies).length / counts.length;
    expect(share(0)).toBeCloseTo(0.1, 1);
    expect(share(2)).toBeCloseTo(0.27, 1);
    expect(deliveryDelays(webhookPlan('copies=0,lost=0%,spread=0s'), Math.random)).toEqual([]);
    expect(deliveryDelays(webhookPlan('normal'), Math.random)).toEqual([0]);
  });
});

describe('the return address', () => {
  const home = 'https://town.example';
  it.each([
    ['https://town.example/wallet?charge=1', 'https://town.example/wallet?charge=1'],
    ['nearhand://wallet', 'nearhand://wallet'],
    ['https://town.example', 'https://town.example/'],
  ])('leads to %s', (wanted, to) => {
    expect(ownReturn(wanted, home)).toBe(to);
  });

  it.each([
    'https://evil.example/',
    'https://town.example.evil.example/',
    'https://town.example@evil.example/',
    'https://a:b@town.example/',
    'http://town.example/',
    'https://town.example:444/',
    '//evil.example',
    '/wallet',
    'javascript:alert(1)',
    'data:text/html,x',
    'https:\\\\evil.example',
    'https://town.example/\r\nset-cookie: a=b',
    `https://town.example/${'a'.repeat(2_000)}`,
    'https://town.example/\ud800',
    '',
    'nearhand',
  ])('never leads to %j', (url) => {
    expect(ownReturn(url, home)).toBe('https://town.example/');
  });
});
