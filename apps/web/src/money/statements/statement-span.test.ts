import { i18n } from '@lingui/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { formatMonth } from '../../lib/words/format.ts';
import { linesByMonth, spanChoices, spanOf } from './statement-span.ts';

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));

describe('the span of a statement', () => {
  it('is a whole month, including leap years', () => {
    expect(spanOf('2026-11')).toEqual({ from: '2026-11-01', to: '2026-11-30' });
    expect(spanOf('2028-02')).toEqual({ from: '2028-02-01', to: '2028-02-29' });
    expect(spanOf('2026-12')).toEqual({ from: '2026-12-01', to: '2026-12-31' });
  });

  it('is a whole year', () => {
    expect(spanOf('2026')).toEqual({ from: '2026-01-01', to: '2026-12-31' });
  });

  it('is everything without a selection', () => {
    expect(spanOf('')).toEqual({});
  });

  it('offers this year and this month first and continues across the turn of the year', () => {
    const choices = spanChoices(new Date(2026, 0, 31), '', 3);
    expect(choices.map(({ value }) => value)).toEqual(['2026', '2026-01', '2025', '2025-12', '2025-11']);
    expect(choices[0]).toEqual({ value: '2026', label: '2026', note: 'The whole year' });
    expect(choices[1]?.label).toMatch(/January 2026/);
  });

  it('offers a month from the address that is older than all of them', () => {
    const choices = spanChoices(new Date(2026, 0, 31), '2020-02', 3);
    expect(choices.at(-1)).toEqual({ value: '2020-02', label: formatMonth('2020-02') });
    expect(choices).toHaveLength(6);
  });
});

describe('lines under their months', () => {
  it('use the month of the place, not UTC', () => {
    const lines = [{ at: '2026-11-30T23:30:00Z' }, { at: '2026-11-30T21:00:00Z' }];
    const months = (zone: string) =>
      linesByMonth(lines, zone).map(({ month, items }) => [month, items.length]);
    expect(months('Europe/Amsterdam')).toEqual([
      ['2026-12', 1],
      ['2026-11', 1],
    ]);
    expect(months('America/New_York')).toEqual([['2026-11', 2]]);
  });

  it('are empty without lines', () => {
    expect(linesByMonth([], 'UTC')).toEqual([]);
  });
});
