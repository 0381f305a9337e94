import { describe, expect, it } from 'vitest';
import { monthChoices, spanOf } from './statement-span.ts';

describe('the span of a statement', () => {
  it('is a whole month, leap years included', () => {
    expect(spanOf('2026-11')).toEqual({ from: '2026-11-01', to: '2026-11-30' });
    expect(spanOf('2028-02')).toEqual({ from: '2028-02-01', to: '2028-02-29' });
    expect(spanOf('2026-12')).toEqual({ from: '2026-12-01', to: '2026-12-31' });
  });

  it('is everything where no month is chosen', () => {
    expect(spanOf('')).toEqual({});
  });

  it('offers this month first and goes back over the turn of the year', () => {
    const choices = monthChoices(new Date(2026, 0, 31), 3);
    expect(choices.map(({ value }) => value)).toEqual(['2026-01', '2025-12', '2025-11']);
    expect(choices[0]?.label).toMatch(/January 2026/);
  });
});
