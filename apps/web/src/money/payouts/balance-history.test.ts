import type { Withdrawal } from '@nearhand/contract/money/payouts';
import type { StatementLine } from '@nearhand/contract/money/statements';
import { describe, expect, it } from 'vitest';
import { historyRows } from './balance-history.tsx';

const out = (id: string, requestedAt: string, currency = 'EUR') =>
  ({ id, requestedAt, currency }) as unknown as Withdrawal;
const line = (id: string, at: string, kind: StatementLine['kind'] = 'release') =>
  ({ id, at, kind }) as unknown as StatementLine;
const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).join(' ');

describe('the history of a balance', () => {
  const pay = [line('p3', '2026-11-20T09:00:00Z'), line('p1', '2026-11-10T09:00:00Z')];

  it('contains withdrawals and pay by time, newest first', () => {
    const outs = [out('w2', '2026-11-15T09:00:00Z')];
    expect(ids(historyRows('EUR', { items: outs, more: false }, { items: pay, more: false }))).toBe(
      'p3 w2 p1',
    );
  });

  it('lists a withdrawal once, and only in its currency', () => {
    const outs = [out('w2', '2026-11-15T09:00:00Z'), out('usd', '2026-11-14T09:00:00Z', 'USD')];
    const lines = [...pay, line('s2', '2026-11-16T09:00:00Z', 'withdrawal')];
    expect(ids(historyRows('EUR', { items: outs, more: false }, { items: lines, more: false }))).toBe(
      'p3 w2 p1',
    );
  });

  it('omits rows older than the end of a partial list', () => {
    const outs = [out('w2', '2026-11-15T09:00:00Z'), out('w0', '2026-10-01T09:00:00Z')];
    expect(ids(historyRows('EUR', { items: outs, more: false }, { items: pay, more: true }))).toBe(
      'p3 w2 p1',
    );
  });

  it('is empty without movements', () => {
    expect(historyRows('EUR', { items: [], more: false }, { items: [], more: false })).toEqual([]);
  });
});
