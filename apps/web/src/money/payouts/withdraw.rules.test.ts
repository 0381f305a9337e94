import { describe, expect, it } from 'vitest';
import { judgeAmount, methodToUse, takesSelection } from './withdraw.rules.ts';

const rules = { minMinor: 500, availableMinor: 41_250 };

describe('the amount to take out', () => {
  it.each([
    ['200', 20_000, null],
    ['412.50', 41_250, null],
    ['412,5', 41_250, null],
    [' 5 ', 500, null],
    ['', null, 'missing'],
    ['   ', null, 'missing'],
    ['0', 0, 'below-minimum'],
    ['4.99', 499, 'below-minimum'],
    ['412.51', 41_251, 'too-much'],
    ['99999999', null, 'too-much'],
    ['10.005', null, 'too-fine'],
    ['-20', null, 'not-an-amount'],
    ['abc', null, 'not-an-amount'],
    ['1e3', null, 'not-an-amount'],
    ['٢٠', 2_000, null],
  ])('%j is %j, wrong by %j', (typed, minor, problem) => {
    expect(judgeAmount(typed, 2, rules)).toEqual({ minor, problem });
  });

  it('has no decimals if the currency has none', () => {
    expect(judgeAmount('500', 0, rules)).toEqual({ minor: 500, problem: null });
    expect(judgeAmount('500.5', 0, rules)).toEqual({ minor: null, problem: 'too-fine' });
  });

  it('reports a low balance first when there is less than the minimum', () => {
    expect(judgeAmount('4', 2, { minMinor: 500, availableMinor: 300 }).problem).toBe('too-much');
  });
});

describe('the account to begin with', () => {
  const now = new Date('2026-11-21T09:00:00Z');
  const method = (id: string, part: object = {}) => ({
    id,
    currency: 'EUR',
    isDefault: false,
    usableFrom: '2026-11-01T00:00:00Z',
    ...part,
  });
  const heldMethod = { usableFrom: '2026-11-24T09:00:00Z' };

  it('is the selected one, otherwise the default', () => {
    const all = [method('a'), method('b', { isDefault: true })];
    expect(methodToUse(all, 'EUR', 'a', now)?.id).toBe('a');
    expect(methodToUse(all, 'EUR', null, now)?.id).toBe('b');
    expect(methodToUse(all, 'EUR', 'gone', now)?.id).toBe('b');
  });

  it('is a usable one before a pending one', () => {
    const all = [method('a', { isDefault: true, ...heldMethod }), method('b')];
    expect(methodToUse(all, 'EUR', null, now)?.id).toBe('b');
    expect(methodToUse(all.slice(0, 1), 'EUR', null, now)?.id).toBe('a');
  });

  it('is a newly added one, unless it is pending while another is usable', () => {
    const held = method('b', heldMethod);
    expect(takesSelection(held, [method('a')], 'EUR', now)).toBe(false);
    expect(takesSelection(held, [method('a', heldMethod)], 'EUR', now)).toBe(true);
    expect(takesSelection(held, [method('a', { currency: 'USD' })], 'EUR', now)).toBe(true);
    expect(takesSelection(method('b'), [method('a')], 'EUR', now)).toBe(true);
  });

  it('matches the currency', () => {
    expect(methodToUse([method('a', { currency: 'USD' })], 'EUR', 'a', now)).toBeUndefined();
  });
});
