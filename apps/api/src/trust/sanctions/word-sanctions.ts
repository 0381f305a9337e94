import type { HouseRule } from '@nearhand/contract/house-rules';
import type { Sanction } from '@nearhand/contract/trust/sanctions';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { ReportedSide } from '../../talk/chat-reports/chat-reports.ts';
import { flaggedReview } from '../reviews/review-removal.ts';
import { findAboutChat, findRemoval } from './sanctions.sql.ts';
import {
  endSanction,
  issueSanction,
  recordSanction,
  requireOutside,
  sanctionedParties,
  toSanction,
} from './sanctions.ts';

type Words = { rule: HouseRule; facts: string };

/**
 * Removes a flagged review, for operators; returns the decision if it was removed before. Any other review is removed
 * by the decision on a report.
 * @throws review/not-found without a flag, operator/own-record
 */
export async function removeFlaggedReview(
  tx: Tx,
  scope: Scope,
  { reviewId, rule, facts }: Words & { reviewId: string },
): Promise<Sanction> {
  const target = { kind: 'review', id: reviewId } as const;
  const removal = await findRemoval(tx, reviewId);
  if (removal) {
    await requireOutside(tx, scope, sanctionedParties(removal));
    return toSanction(removal, scope.clock.now());
  }
  if (!(await flaggedReview(tx, reviewId))) throw new AppError('review/not-found');
  const statement = { measure: 'removed', scope: null, endsAt: null, rule, facts } as const;
  return issueSanction(tx, scope, { ...statement, target, source: 'screening', caseId: null });
}

/** Sends the reasons for a removed message or a frozen conversation, unless an earlier decision is still running. */
export async function issueAboutChat(
  tx: Tx,
  scope: Scope,
  against: ReportedSide,
  { rule, facts }: Words,
): Promise<void> {
  const { conversationId, seq, side } = against;
  const accountId = side === 'worker' ? against.accountId : null;
  const businessId = side === 'business' ? against.businessId : null;
  const running = await findAboutChat(tx, { conversationId, seq });
  if (running.some((row) => row.accountId === accountId && row.businessId === businessId)) return;
  await recordSanction(tx, scope, {
    measure: seq === null ? 'frozen' : 'redacted',
    conversationId,
    seq,
    accountId,
    businessId,
    jobId: against.jobId,
    jobTitle: against.jobTitle,
    rule,
    facts,
    source: 'report',
    endsAt: null,
  });
}

/** Ends the decisions that froze a conversation; both sides have the reason already. */
export async function endFreezes(
  tx: Tx,
  scope: Scope,
  { conversationId, reason }: { conversationId: string; reason: string },
): Promise<void> {
  for (const row of await findAboutChat(tx, { conversationId, seq: null }))
    await endSanction(tx, scope, row, { ending: 'lifted', reason });
}
