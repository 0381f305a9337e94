import { dayMs } from '@nearhand/contract/durations';
import { bankText } from '@nearhand/contract/money/account-mask';
import type { Appeal, Sanction } from '@nearhand/contract/trust/sanctions';
import { type SanctionTarget, sanctionLimits } from '@nearhand/contract/trust/sanctions.rules';
import type { SanctionRow } from './clean-businesses.ts';

/** The decision as the person it concerns reads it, and as operators do. */
export function viewSanction(row: SanctionRow, now: Date): Sanction {
  const kind = kindOf(row);
  const chat = row.conversationId;
  const ids = { account: row.accountId, job: row.jobId, business: row.businessId, review: row.reviewId };
  return {
    ...row,
    measure: row.measure as Sanction['measure'],
    target: {
      kind,
      id: { ...ids, message: chat, conversation: chat, withdrawal: row.withdrawalId }[kind],
      name: nameOf(row, kind) ?? '',
    },
    business: row.businessId === null ? null : { id: row.businessId, name: row.businessName ?? '' },
    scope: row.scope as Sanction['scope'],
    rule: row.rule as Sanction['rule'],
    source: row.source as Sanction['source'],
    decidedAt: row.decidedAt.toISOString(),
    endsAt: row.endsAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
    ending: row.ending as Sanction['ending'],
    appeal: appealOf(row),
    appealUntil: appealUntil(row, now)?.toISOString() ?? null,
  };
}

function nameOf(row: SanctionRow, kind: SanctionTarget): string | null {
  if (kind === 'account') return row.accountName;
  if (kind === 'business') return row.businessName;
  if (kind !== 'withdrawal') return row.jobTitle;
  return row.bankLast4 ? bankText({ bankName: row.bankName ?? '', last4: row.bankLast4 }) : null;
}

function kindOf(row: SanctionRow): SanctionTarget {
  if (row.reviewId !== null) return 'review';
  if (row.withdrawalId !== null) return 'withdrawal';
  if (row.conversationId !== null) return row.seq === null ? 'conversation' : 'message';
  if (row.accountId !== null) return 'account';
  return row.jobTitle !== null ? 'job' : 'business';
}

function appealOf(row: SanctionRow): Appeal | null {
  if (row.appealId === null || row.appealAt === null || row.appealDueAt === null) return null;
  return {
    id: row.appealId,
    words: row.appealWords ?? '',
    at: row.appealAt.toISOString(),
    dueAt: row.appealDueAt.toISOString(),
    outcome: row.appealOutcome as Appeal['outcome'],
    reason: row.appealReason,
    decidedAt: row.appealDecidedAt?.toISOString() ?? null,
  };
}

/** Until when it can be appealed: once, within six months, also after it expired, but not after it was lifted. */
export function appealUntil(row: SanctionRow, now: Date): Date | null {
  if (row.appealId !== null || row.ending === 'lifted' || row.ending === 'overturned') return null;
  const until = new Date(row.decidedAt.getTime() + sanctionLimits.appealDays * dayMs);
  return until > now ? until : null;
}
