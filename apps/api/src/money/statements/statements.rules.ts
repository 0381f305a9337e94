import type { Currency } from '@nearhand/contract/currencies';
import { bankText, cardText } from '@nearhand/contract/money/account-mask';
import type { businessGroups, workerGroups } from '@nearhand/contract/money/statement-groups.rules';
import type { StatementDetail, StatementKind, StatementLine } from '@nearhand/contract/money/statements';

/** A stored line: sums of its postings, and details of what it is about. */
export type LineRow = {
  entry_id: string;
  at: Date;
  kind: string;
  /** The kind of the entry it reverses. */
  undone_kind: string | null;
  moved: number;
  held: number;
  balance: number;
  /** What workers got, the platform's fees, and what came from the provider. */
  paid: number;
  taken: number;
  provided: number;
  release_id: string | null;
  worker_fee_minor: number;
  tip_id: string | null;
  pending: boolean;
  hold_status: string | null;
  hold_frozen: boolean | null;
  refund_status: string | null;
  chargeback: string | null;
  card_brand: string | null;
  card_last4: string | null;
  withdrawal_id: string | null;
  withdrawal_status: string | null;
  withdrawal_minor: number | null;
  withdrawal_fee_minor: number | null;
  bank_name: string | null;
  bank_last4: string | null;
  engagement_id: string | null;
  engagement_status: string | null;
  job_title: string | null;
  business_name: string | null;
  worker_name: string | null;
};

/** A range of entry ids: from the first, before the second. They sort by time. */
export type Span = { from: string; before: string };

type Side = 'worker' | 'business';
type WorkerGroup = (typeof workerGroups)[number];
type BusinessGroup = (typeof businessGroups)[number];

/** The entry kinds of each group, a reversal counting as the kind it reverses; null for all. */
const kindsOfGroup: Record<WorkerGroup | BusinessGroup, readonly string[] | null> = {
  all: null,
  earned: ['release', 'compensation'],
  tips: ['tip', 'bonus'],
  withdrawals: ['reserve', 'paid_out'],
  funding: ['top_up', 'refund', 'chargeback'],
  holds: ['fund', 'hold_returned'],
  releases: ['release', 'compensation', 'tip', 'bonus'],
  fees: null,
};

/** What totals count as earned, as tips and as withdrawn. */
export const earnedKinds = ['release', 'compensation'];
export const tipKinds = ['tip', 'bonus'];
export const withdrawnKinds = ['paid_out', 'payout_returned'];

export const kindsOf = (group: WorkerGroup | BusinessGroup): readonly string[] | null => kindsOfGroup[group];

const kindNames: Record<string, StatementKind> = {
  top_up: 'top_up',
  fund: 'hold',
  hold_returned: 'hold_returned',
  release: 'release',
  tip: 'tip',
  bonus: 'bonus',
  compensation: 'compensation',
  clear: 'cleared',
  reserve: 'withdrawal',
  paid_out: 'withdrawal',
  unreserve: 'withdrawal_back',
  payout_returned: 'withdrawal_back',
  refund: 'refund',
  chargeback: 'chargeback',
  chargeback_won: 'chargeback',
  referral: 'referral',
  promo_ended: 'referral',
};

/** An entry as its holder sees it. Amounts in minor units of `currency`. */
export function lineOf(row: LineRow, side: Side, currency: Currency): StatementLine {
  const kind = kindNames[row.kind] ?? 'correction';
  return {
    id: row.entry_id,
    at: row.at.toISOString(),
    kind,
    amountMinor: row.moved,
    ...amountsOf(row, side, kind),
    currency,
    balanceMinor: row.balance,
    about: row.job_title ?? accountOf(row) ?? '',
    party: side === 'worker' ? row.business_name : row.worker_name,
    status: side === 'worker' ? workerStatus(row, kind) : businessStatus(row, kind),
    engagementId: row.engagement_id,
    withdrawalId: side === 'worker' ? row.withdrawal_id : null,
  };
}

/** The account or card the money went to or came from. */
function accountOf({ bank_name, bank_last4, card_brand, card_last4 }: LineRow): string | null {
  if (bank_name !== null && bank_last4 !== null) return bankText({ bankName: bank_name, last4: bank_last4 });
  if (card_brand !== null && card_last4 !== null) return cardText({ brand: card_brand, last4: card_last4 });
  return null;
}

function amountsOf(row: LineRow, side: Side, kind: StatementKind): { grossMinor: number; feeMinor: number } {
  if (row.withdrawal_minor !== null)
    return { grossMinor: row.withdrawal_minor, feeMinor: row.withdrawal_fee_minor ?? 0 };
  if (row.release_id !== null || row.tip_id !== null) {
    // A reversal is negative throughout.
    const workerFee = Math.sign(row.paid) * row.worker_fee_minor;
    if (side === 'worker') return { grossMinor: row.paid + workerFee, feeMinor: workerFee };
    return { grossMinor: row.paid + row.taken, feeMinor: row.taken - workerFee };
  }
  if (kind === 'hold' || kind === 'hold_returned') return { grossMinor: Math.abs(row.held), feeMinor: 0 };
  if (kind === 'chargeback') return { grossMinor: Math.abs(row.provided), feeMinor: 0 };
  return { grossMinor: Math.abs(row.moved), feeMinor: 0 };
}

type Status = StatementLine['status'];

function workerStatus(row: LineRow, kind: StatementKind): Status {
  if (kind === 'withdrawal') return withdrawalStatuses[row.withdrawal_status ?? ''] ?? null;
  if (kind === 'withdrawal_back') return 'returned';
  const isPay = row.release_id !== null || row.tip_id !== null;
  if (isPay || kind === 'referral') return row.pending ? 'pending' : 'paid';
  return null;
}

const withdrawalStatuses: Record<string, Status> = {
  requested: 'not_sent',
  processing: 'pending',
  in_transit: 'in_transit',
  paid: 'paid',
  failed: 'failed',
  cancelled: 'failed',
  returned: 'returned',
};

const holdStatuses: Record<string, Status> = {
  held: 'held',
  partly_released: 'partly',
  released: 'paid',
  refunded: 'returned',
  disputed: 'in_dispute',
  split: 'paid',
};

function businessStatus(row: LineRow, kind: StatementKind): Status {
  if (kind === 'hold') return row.hold_frozen ? 'in_dispute' : (holdStatuses[row.hold_status ?? ''] ?? null);
  if (kind === 'release') return row.engagement_status === 'disputed' ? 'in_dispute' : 'paid';
  if (['tip', 'bonus', 'compensation', 'referral'].includes(kind)) return 'paid';
  if (kind === 'refund') return refundStatuses[row.refund_status ?? ''] ?? null;
  if (kind === 'chargeback') return row.chargeback === 'open' ? 'in_dispute' : null;
  return null;
}

const refundStatuses: Record<string, Status> = { created: 'pending', sent: 'paid', failed: 'failed' };

type Part = StatementDetail['parts'][number];

const partNames: Record<string, Part['what']> = {
  business_balance: 'balance',
  business_promo: 'promo',
  hold: 'hold',
  hold_promo: 'hold_promo',
  platform_losses: 'loss',
  platform_marketing: 'reward',
  worker_pending: 'pending',
  worker_available: 'available',
  worker_reserved: 'reserved',
};

/**
 * An entry's postings as text keys, in order; they sum to zero. A worker's clearing is hidden from the business, and the two fees, which
 * the ledger posts together, are shown separately.
 */
export function partsOf(
  row: Pick<LineRow, 'paid' | 'worker_fee_minor' | 'withdrawal_id'>,
  lines: readonly { kind: string; amountMinor: number }[],
  side: Side,
): Part[] {
  return lines.flatMap(({ kind, amountMinor }): Part[] => {
    if (kind === 'provider_clearing')
      return [{ what: row.withdrawal_id === null ? 'card' : 'bank', amountMinor }];
    if (kind === 'platform_fees') {
      const workerFee = Math.sign(amountMinor) * row.worker_fee_minor;
      const parts: Part[] = [
        { what: 'fee', amountMinor: amountMinor - workerFee },
        { what: 'worker_fee', amountMinor: workerFee },
      ];
      return parts.filter((part) => part.amountMinor !== 0);
    }
    if (side === 'business' && kind.startsWith('worker_')) return [{ what: 'worker', amountMinor }];
    const what = partNames[kind];
    if (what === undefined) throw new Error(`a statement has no word for ${kind}`);
    return [{ what, amountMinor }];
  });
}
