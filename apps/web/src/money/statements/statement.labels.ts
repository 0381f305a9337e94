import { t } from '@lingui/core/macro';
import type { StatementDetail, StatementKind, StatementLine } from '@nearhand/contract/money/statements';
import { shownAmount } from '@nearhand/contract/money/statements.rules';
import { formatChange, formatMoney } from '../../lib/words/format.ts';
import type { IconName } from '../../ui/art/icon-names.ts';

export function entryKindText(kind: StatementKind, side: 'worker' | 'business'): string {
  switch (kind) {
    case 'top_up':
      return t`Funding`;
    case 'hold':
      return t`Hold`;
    case 'hold_returned':
      return t`Returned`;
    case 'release':
      // It leaves the balance unchanged, and would read as income without its source.
      return side === 'worker' ? t`Pay` : t`Release from the hold`;
    case 'tip':
      return t`Tip`;
    case 'bonus':
      return t`Bonus`;
    case 'compensation':
      return side === 'worker' ? t`Compensation` : t`Compensation from the hold`;
    case 'cleared':
      return t`Cleared`;
    case 'withdrawal':
      return t`Withdrawal`;
    case 'withdrawal_back':
      return t`Withdrawal returned`;
    case 'refund':
      return t`Refund`;
    case 'chargeback':
      return t`Chargeback`;
    case 'referral':
      return t`Referral reward`;
    case 'goodwill':
      return t`Goodwill from Nearhand`;
    case 'credit_drawn':
      return t`Drawn on the credit limit`;
    case 'credit_repaid':
      return t`Credit limit repaid`;
    case 'correction':
      return t`Correction`;
  }
}

export function kindIcon({ kind, amountMinor }: Pick<StatementLine, 'kind' | 'amountMinor'>): IconName {
  if (kind === 'withdrawal') return 'arrow-up-right';
  if (kind === 'withdrawal_back' || kind === 'refund' || kind === 'hold_returned')
    return 'arrow-counter-clockwise';
  if (kind === 'hold') return 'lock-key';
  if (kind === 'cleared') return 'check';
  if (kind === 'chargeback' || kind === 'correction') return 'warning-circle';
  if (kind === 'tip' || kind === 'bonus') return 'hand-coins';
  return amountMinor < 0 ? 'arrow-up-right' : 'coins';
}

/** A line's status; for a withdrawal the same words as on the balance (`payout.labels.ts`). */
export function lineStatusText(status: NonNullable<StatementLine['status']>, kind: StatementKind): string {
  if (kind === 'withdrawal' && status === 'pending') return t`Sending`;
  if (kind === 'withdrawal' && status === 'paid') return t`Arrived`;
  switch (status) {
    case 'held':
      return t`Held`;
    case 'paid':
      return t`Paid`;
    case 'partly':
      return t`Partly`;
    case 'pending':
      return t`Pending`;
    case 'not_sent':
      return t`Not sent yet`;
    case 'in_transit':
      return t`In transit`;
    case 'returned':
      return t`Returned`;
    case 'in_dispute':
      return t`In dispute`;
    case 'failed':
      return t`Failed`;
  }
}

export const lineStatusTone = (
  status: NonNullable<StatementLine['status']>,
): 'good' | 'wait' | 'bad' | 'here' | undefined => {
  if (status === 'paid') return 'good';
  if (status === 'in_dispute' || status === 'failed') return 'bad';
  if (status === 'partly' || status === 'pending') return 'wait';
  return status === 'returned' ? undefined : 'here';
};

export function partText(kind: StatementDetail['parts'][number]['kind']): string {
  switch (kind) {
    case 'card':
      return t`Card`;
    case 'balance':
      return t`Balance`;
    case 'credit':
      return t`Credit limit`;
    case 'promo':
      return t`Credit for hires`;
    case 'hold_promo':
      return t`Credit in the hold`;
    case 'hold':
      return t`Hold`;
    case 'worker':
      return t`To the worker`;
    case 'fee':
      return t`Nearhand fee`;
    case 'worker_fee':
      return t`Worker fee`;
    case 'bank':
      return t`Bank`;
    case 'pending':
      return t`Pending`;
    case 'available':
      return t`Available`;
    case 'reserved':
      return t`Reserved`;
    case 'reward':
      return t`Paid by Nearhand`;
    case 'loss':
      return t`Covered by Nearhand`;
  }
}

/** The parts of an entry, each account once: refunds of three spots are one line. */
export function sumParts<What extends string>(
  parts: readonly { kind: What; amountMinor: number }[],
): { kind: What; amountMinor: number }[] {
  const sums = new Map<What, number>();
  for (const { kind, amountMinor } of parts) sums.set(kind, (sums.get(kind) ?? 0) + amountMinor);
  return [...sums].map(([kind, amountMinor]) => ({ kind, amountMinor }));
}

/** The worker's share of a line and our fee on it, in minor units; negative for a reversal. */
export function workerSums(line: Pick<StatementLine, 'grossMinor' | 'feeMinor'>): {
  grossMinor: number;
  feeMinor: number;
  netMinor: number;
} {
  const { grossMinor, feeMinor } = line;
  return { grossMinor, feeMinor, netMinor: grossMinor - feeMinor };
}

export function netLabel(kind: StatementKind): string {
  if (kind === 'withdrawal') return t`To your bank`;
  if (kind === 'withdrawal_back') return t`Back in your balance`;
  return t`You got`;
}

/** Our fee as a change of the holder's money: negative if it is charged, positive if it returns. */
export const signedFee = ({ feeMinor, currency }: Pick<StatementLine, 'feeMinor' | 'currency'>): string =>
  signedMoney({ amountMinor: -feeMinor, grossMinor: 0, currency });

export function signedMoney(
  line: Parameters<typeof shownAmount>[0] & Pick<StatementLine, 'currency'>,
): string {
  const { minor, signed } = shownAmount(line);
  return signed ? formatChange(minor, line.currency) : formatMoney(Math.abs(minor), line.currency);
}
