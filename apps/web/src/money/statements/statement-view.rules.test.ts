import { businessGroups } from '@nearhand/contract/money/statements.rules';
import { describe, expect, it } from 'vitest';
import { readStatementView, writeStatementView } from './statement-view.rules.ts';

const line = '0199aa00-1111-7222-8333-444455556666';

describe('the view of a statement in its address', () => {
  it('is empty by default', () => {
    const start = readStatementView('', businessGroups);
    expect(start).toEqual({ group: 'all', month: '', currency: undefined, line: null, show: 'entries' });
    expect(writeStatementView(start, businessGroups)).toBe('');
  });

  it('survives a round trip', () => {
    const view = { group: 'holds', month: '2026-11', currency: 'USD', line, show: 'invoices' } as const;
    const search = writeStatementView(view, businessGroups);
    expect(search).toBe(`?group=holds&month=2026-11&currency=USD&line=${line}&show=invoices`);
    expect(readStatementView(search, businessGroups)).toEqual(view);
  });

  it('can be a whole year', () => {
    expect(readStatementView('?month=2026', ['all'])).toMatchObject({ month: '2026' });
  });
  it.each([
    '?group=nothing',
    '?month=2026-13',
    '?month=20261',
    '?month=November',
    '?currency=XTS',
    '?line=1',
    '?line=..%2F',
  ])('drops invalid parts: %s', (search) => {
    expect(writeStatementView(readStatementView(search, businessGroups), businessGroups)).toBe('');
  });
});
