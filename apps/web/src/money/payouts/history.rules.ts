import type { Withdrawal } from '@nearhand/contract/money/payouts';
import type { StatementLine } from '@nearhand/contract/money/statements';

export type HistoryRow =
  | { kind: 'withdrawal'; id: string; at: string; withdrawal: Withdrawal }
  | { kind: 'line'; id: string; at: string; line: StatementLine };

type Loaded<Item> = { items: readonly Item[]; more: boolean };

/**
 * Withdrawals and pay as one list, newest first. Both are paged: rows older than the last loaded one of either are left out until more is
 * loaded, or the order would be wrong. The statement's own withdrawal lines are left out: it lacks cancelled and failed ones.
 */
export function historyRows(
  currency: string,
  withdrawals: Loaded<Withdrawal>,
  lines: Loaded<StatementLine>,
): HistoryRow[] {
  const since = Math.max(
    withdrawals.more ? time(withdrawals.items.at(-1)?.requestedAt) : 0,
    lines.more ? time(lines.items.at(-1)?.at) : 0,
  );
  const rows: HistoryRow[] = [
    ...withdrawals.items
      .filter((one) => one.currency === currency)
      .map((one) => ({
        kind: 'withdrawal' as const,
        id: one.id,
        at: one.requestedAt,
        withdrawal: one,
      })),
    ...lines.items
      .filter(({ kind }) => kind !== 'withdrawal' && kind !== 'withdrawal_back')
      .map((line) => ({ kind: 'line' as const, id: line.id, at: line.at, line })),
  ];
  return rows.filter(({ at }) => time(at) >= since).sort((a, b) => time(b.at) - time(a.at));
}

const time = (instant: string | undefined): number => (instant ? Date.parse(instant) : 0);
