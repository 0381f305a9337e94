import type { StatementLine } from './statements.ts';

type Line = Pick<StatementLine, 'kind' | 'status' | 'amountMinor' | 'grossMinor'>;

/**
 * The figure of a line on the screen and in the PDF. `minor` has the sign of the balance change; a withdrawal
 * is negative from the start. Other lines without a change are unsigned and include our fee.
 */
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
