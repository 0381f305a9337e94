import { t } from '@lingui/core/macro';
import type { StatementDetail, StatementKind, StatementLine } from '@nearhand/contract/money/statements';
import { formatMoney } from '../../lib/words/format.ts';
import type { IconName } from '../../ui/art/icon-names.ts';

/** A line's kind, as its reader sees it. */
export function kindText(kind: StatementKind, side: 'worker' | 'business'): string {
  switch (kind) {
    case 'top_up':
      return t`Funding`;
    case 'hold':
      return t`Hold`;
    case 'hold_returned':
      return t`Returned`;
    case 'release':
      return side === 'worker' ? t`Pay` : t`Release`;
    case 'tip':
      return t`Tip`;
    case 'bonus':
      return t`Bonus`;
    case 'compensation':
      return t`Compensation`;
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
  return kind === 'tip' || kind === 'bonus' ? 'hand-coins' : amountMinor < 0 ? 'arrow-up-right' : 'coins';
}

export function lineStatusText(status: NonNullable<StatementLine['status']>): string {
  switch (status) {
    case 'held':
      return t`Held`;
    case 'paid':
      return t`Paid`;
    case 'partly':
      return t`Partly`;
    case 'pending':
      return t`Pending`;
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

/** Where a line's money came from or went. */
export function partText(
  what: StatementDetail['parts'][number]['what'],
  side: 'worker' | 'business',
): string {
  switch (what) {
    case 'card':
      return t`Card`;
    case 'balance':
      return side === 'worker' ? t`Balance of the business` : t`Balance`;
    case 'hold':
      return side === 'worker' ? t`Set aside by the business` : t`Hold`;
    case 'worker':
      return side === 'worker' ? t`To you` : t`To the worker`;
    case 'fee':
      return t`Nearhand fee`;
    case 'worker_fee':
      return t`Worker fee`;
    case 'bank':
      return t`Bank`;
    case 'pending':
      return side === 'worker' ? t`Your balance, pending` : t`Pending`;
    case 'available':
      return side === 'worker' ? t`Your balance, available` : t`Available`;
    case 'reserved':
      return side === 'worker' ? t`Your balance, reserved` : t`Reserved`;
    case 'loss':
      return t`Covered by Nearhand`;
  }
}

/** The parts of an entry, each account once: refunds of three spots are one line. */
export function sumParts<What extends string>(
  parts: readonly { what: What; amountMinor: number }[],
): { what: What; amountMinor: number }[] {
  const sums = new Map<What, number>();
  for (const { what, amountMinor } of parts) sums.set(what, (sums.get(what) ?? 0) + amountMinor);
  return [...sums].map(([what, amountMinor]) => ({ what, amountMinor }));
}

/**
 * A signed amount with a true minus; for a line that did not move the balance, what it was about, with our fee and without a sign: as in
 * the files (docs/payments.md).
 */
export function signedMoney(line: Pick<StatementLine, 'amountMinor' | 'grossMinor' | 'currency'>): string {
  const { amountMinor, grossMinor, currency } = line;
  if (amountMinor === 0) return formatMoney(Math.abs(grossMinor), currency);
  return `${amountMinor > 0 ? '+' : '−'}${formatMoney(Math.abs(amountMinor), currency)}`;
}
