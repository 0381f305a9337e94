import { dayMs } from '@nearhand/contract/durations';
import { bankText } from '@nearhand/contract/money/account-mask';
import type { Appeal, Sanction } from '@nearhand/contract/trust/sanctions';
import { type SanctionTarget, sanctionLimits } from '@nearhand/contract/trust/sanctions.rules';
import type { SanctionRow } from './clean-businesses.ts';

/** The decision as the person it concerns reads it, and as operators do. */
export function viewSanction(row: SanctionRow, now: Date): Sanction {
  const kind = kindOf(row);
  const chat = row.conversation_id;
  const ids = { account: row.account_id, job: row.job_id, business: row.business_id, review: row.review_id };
  return {
    id: row.id,
    measure: row.measure as Sanction['measure'],
    target: {
      kind,
      id: { ...ids, message: chat, conversation: chat, withdrawal: row.withdrawal_id }[kind],
      name: nameOf(row, kind) ?? '',
    },
    business: row.business_id === null ? null : { id: row.business_id, name: row.business_name ?? '' },
    scope: row.scope as Sanction['scope'],
    rule: row.rule as Sanction['rule'],
    facts: row.facts,
    source: row.source as Sanction['source'],
    decidedAt: row.decided_at.toISOString(),
    endsAt: row.ends_at?.toISOString() ?? null,
    endedAt: row.ended_at?.toISOString() ?? null,
    ending: row.ending as Sanction['ending'],
    endReason: row.end_reason,
    appeal: appealOf(row),
    appealUntil: appealUntil(row, now)?.toISOString() ?? null,
  };
}

function nameOf(row: SanctionRow, kind: SanctionTarget): string | null {
  if (kind === 'account') return row.account_name;
  if (kind === 'business') return row.business_name;
  if (kind !== 'withdrawal') return row.job_title;
  return row.bank_last4 ? bankText({ bankName: row.bank_name ?? '', last4: row.bank_last4 }) : null;
}

function kindOf(row: SanctionRow): SanctionTarget {
  if (row.review_id !== null) return 'review';
  if (row.withdrawal_id !== null) return 'withdrawal';
  if (row.conversation_id !== null) return row.seq === null ? 'conversation' : 'message';
  if (row.account_id !== null) return 'account';
  return row.job_title !== null ? 'job' : 'business';
}

function appealOf(row: SanctionRow): Appeal | null {
  if (row.appeal_id === null || row.appeal_at === null || row.appeal_due_at === null) return null;
  return {
    id: row.appeal_id,
    words: row.appeal_words ?? '',
    at: row.appeal_at.toISOString(),
    dueAt: row.appeal_due_at.toISOString(),
    outcome: row.appeal_outcome as Appeal['outcome'],
    reason: row.appeal_reason,
    decidedAt: row.appeal_decided_at?.toISOString() ?? null,
  };
}

/** Until when it can be appealed: once, within six months, also after it expired, but not after it was lifted. */
export function appealUntil(row: SanctionRow, now: Date): Date | null {
  if (row.appeal_id !== null || row.ending === 'lifted' || row.ending === 'overturned') return null;
  const until = new Date(row.decided_at.getTime() + sanctionLimits.appealDays * dayMs);
  return until > now ? until : null;
}
