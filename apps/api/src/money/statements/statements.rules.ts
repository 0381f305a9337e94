import type { Currency } from '@nearhand/contract/currencies';
import { bankText, cardText } from '@nearhand/contract/money/account-mask';
import type { StatementDetail, StatementKind, StatementLine } from '@nearhand/contract/money/statements';
import type { businessGroups, workerGroups } from '@nearhand/contract/money/statements.rules';

export type LineRow = {
  entryId: string;
  at: Date;
  kind: string;
  undoneKind: string | null;
  moved: number;
  held: number;
  balance: number;
  paid: number;
  taken: number;
  provided: number;
  releaseId: string | null;
  workerFeeMinor: number;
  tipId: string | null;
  pending: boolean;
  holdStatus: string | null;
  holdFrozen: boolean | null;
  refundStatus: string | null;
  chargeback: string | null;
  cardBrand: string | null;
  cardLast4: string | null;
  withdrawalId: string | null;
  withdrawalStatus: string | null;
  withdrawalMinor: number | null;
  withdrawalFeeMinor: number | null;
  bankName: string | null;
  bankLast4: string | null;
  engagementId: string | null;
  engagementStatus: string | null;
  jobTitle: string | null;
  workOn: string | null;
  businessName: string | null;
  workerName: string | null;
};

export type Span = { from: string; before: string };

type Side = 'worker' | 'business';
type WorkerGroup = (typeof workerGroups)[number];
type BusinessGroup = (typeof businessGroups)[number];

const kindsOfGroup: Record<WorkerGroup | BusinessGroup, readonly string[] | null> = {
  all: null,
  earned: ['release', 'compensation'],
  tips: ['tip', 'bonus'],
  withdrawals: ['reserve', 'paid_out'],
  funding: ['top_up', 'refund', 'chargeback', 'credit_drawn', 'credit_repaid'],
  holds: ['fund', 'hold_returned'],
  releases: ['release', 'compensation', 'tip', 'bonus'],
  fees: null,
};

export const earnedKinds = ['release', 'compensation'];
export const tipKinds = ['tip', 'bonus'];
export const withdrawnKinds = ['paid_out', 'payout_returned'];

/** The ledger kinds that a filter of the statement shows; null for all. */
export const kindsInGroup = (group: WorkerGroup | BusinessGroup): readonly string[] | null =>
  kindsOfGroup[group];

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
  goodwill: 'goodwill',
  credit_drawn: 'credit_drawn',
  credit_repaid: 'credit_repaid',
};

/** An entry as its holder sees it. Minor units of `currency`. */
export function lineOf(row: LineRow, side: Side, currency: Currency): StatementLine {
  const kind = kindNames[row.kind] ?? 'correction';
  return {
    id: row.entryId,
    at: row.at.toISOString(),
    kind,
    amountMinor: row.moved,
    ...amountsOf(row, side, kind),
    currency,
    balanceMinor: row.balance,
    about: row.jobTitle ?? accountText(row) ?? '',
    party: side === 'worker' ? row.businessName : row.workerName,
    workOn: row.workOn,
    status: side === 'worker' ? workerStatus(row, kind) : businessStatus(row, kind),
    engagementId: row.engagementId,
    withdrawalId: side === 'worker' ? row.withdrawalId : null,
  };
}

function accountText({ bankName, bankLast4, cardBrand, cardLast4 }: LineRow): string | null {
  if (bankName !== null && bankLast4 !== null) return bankText({ bankName, last4: bankLast4 });
  if (cardBrand !== null && cardLast4 !== null) return cardText({ brand: cardBrand, last4: cardLast4 });
  return null;
}

function amountsOf(row: LineRow, side: Side, kind: StatementKind): { grossMinor: number; feeMinor: number } {
  if (row.withdrawalMinor !== null)
    return { grossMinor: row.withdrawalMinor, feeMinor: row.withdrawalFeeMinor ?? 0 };
  if (row.releaseId !== null || row.tipId !== null) {
    const workerFee = Math.sign(row.paid) * row.workerFeeMinor;
    if (side === 'worker') return { grossMinor: row.paid + workerFee, feeMinor: workerFee };
    return { grossMinor: row.paid + row.taken, feeMinor: row.taken - workerFee };
  }
  if (kind === 'hold' || kind === 'hold_returned') return { grossMinor: Math.abs(row.held), feeMinor: 0 };
  if (kind === 'chargeback') return { grossMinor: Math.abs(row.provided), feeMinor: 0 };
  return { grossMinor: Math.abs(row.moved), feeMinor: 0 };
}

type Status = StatementLine['status'];

function workerStatus(row: LineRow, kind: StatementKind): Status {
  if (kind === 'withdrawal') return withdrawalStatuses[row.withdrawalStatus ?? ''] ?? null;
  if (kind === 'withdrawal_back') return 'returned';
  const isPay = row.releaseId !== null || row.tipId !== null;
  if (isPay || kind === 'referral' || kind === 'goodwill') return row.pending ? 'pending' : 'paid';
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
  if (kind === 'hold') return row.holdFrozen ? 'in_dispute' : (holdStatuses[row.holdStatus ?? ''] ?? null);
  if (kind === 'release') return row.engagementStatus === 'disputed' ? 'in_dispute' : 'paid';
  if (['tip', 'bonus', 'compensation', 'referral', 'goodwill'].includes(kind)) return 'paid';
  if (kind === 'refund') return refundStatuses[row.refundStatus ?? ''] ?? null;
  if (kind === 'chargeback') return row.chargeback === 'open' ? 'in_dispute' : null;
  return null;
}

const refundStatuses: Record<string, Status> = { created: 'pending', sent: 'paid', failed: 'failed' };

type Part = StatementDetail['parts'][number];

const partNames: Record<string, Part['kind']> = {
  business_balance: 'balance',
  provider_bank: 'bank',
  bank_unmatched: 'bank',
  business_promo: 'promo',
  business_credit: 'credit',
  hold: 'hold',
  hold_promo: 'hold_promo',
  platform_losses: 'loss',
  platform_marketing: 'reward',
  worker_pending: 'pending',
  worker_available: 'available',
  worker_reserved: 'reserved',
};

/**
 * An entry's postings, which sum to zero. Clearing is hidden from the business; the two fees are shown
 * separately.
 */
export function statementParts(
  row: Pick<LineRow, 'paid' | 'workerFeeMinor' | 'withdrawalId'>,
  lines: readonly { kind: string; amountMinor: number }[],
  side: Side,
): Part[] {
  return lines.flatMap(({ kind, amountMinor }): Part[] => {
    if (kind === 'provider_clearing')
      return [{ kind: row.withdrawalId === null ? 'card' : 'bank', amountMinor }];
    if (kind === 'platform_fees') {
      const workerFee = Math.sign(amountMinor) * row.workerFeeMinor;
      const parts: Part[] = [
        { kind: 'fee', amountMinor: amountMinor - workerFee },
        { kind: 'worker_fee', amountMinor: workerFee },
      ];
      return parts.filter((part) => part.amountMinor !== 0);
    }
    if (side === 'business' && kind.startsWith('worker_')) return [{ kind: 'worker', amountMinor }];
    const part = partNames[kind];
    if (part === undefined) throw new Error(`a statement has no word for ${kind}`);
    return [{ kind: part, amountMinor }];
  });
}

/** The series of our own invoices. */
export const feeSeries = 'NHF';

/** `NHF-2026-000042`, in the series of its year. */
export const invoiceNumber = ({ year, number }: { year: number; number: number }): string =>
  `${feeSeries}-${year}-${String(number).padStart(6, '0')}`;
