import type { StatementLine } from './statements.ts';

export const businessGroups = ['all', 'funding', 'holds', 'releases', 'fees'] as const;
export const workerGroups = ['all', 'earned', 'tips', 'withdrawals'] as const;

type Line = Pick<StatementLine, 'kind' | 'status' | 'amountMinor' | 'grossMinor'>;

/** A line's figure: `minor` has the sign of the balance change. Lines without a change include our fee. */
export function shownAmount({ kind, status, amountMinor, grossMinor }: Line): {
  minor: number;
  signed: boolean;
} {
  if (amountMinor !== 0) return { minor: amountMinor, signed: true };
  const leaving = kind === 'withdrawal' && status !== 'failed' && status !== 'returned';
  return leaving
    ? { minor: -Math.abs(grossMinor), signed: true }
    : { minor: Math.abs(grossMinor), signed: false };
}
