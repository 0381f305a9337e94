import type { Side } from '@nearhand/contract/sides';
import { type DisputeAction, isTurn, nextDisputeStatus } from '@nearhand/contract/work/disputes.rules';
import type { Engagement } from '@nearhand/contract/work/engagements';
import { boundsProblem } from '@nearhand/contract/work/pay.rules';
import { changedBy } from '../../people/businesses/changed-by.ts';
import { findOwnFile } from '../../people/files/files.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { defineTask } from '../../platform/tasks/tasks.ts';
import {
  type EngagementMover,
  type EngagementRow,
  openEngagement,
  requireEngagementMove,
} from '../engagements/engagement-transitions.ts';
import { viewEngagement } from '../engagements/engagement-views.ts';
import { lastAmounts, payBoundsOf, workOverAt } from '../settlement/pay-bounds.ts';
import {
  type DisputeRow,
  disputeClock,
  findEngagementId,
  findLastStepper,
  lockDispute,
  openDispute,
} from './dispute-opening.ts';
import { makeDisputeStep, runDisputeClock, settleDispute } from './dispute-steps.ts';
import { mayFileUntil } from './disputes.rules.ts';

type One = { disputeId: string; version: number };
type PersonMover = Exclude<EngagementMover, { side: 'timer' }> & { side: Side };

/** @throws dispute/amount-impossible (data: minMinor, maxMinor) */
export async function requireAmount(tx: Tx, row: EngagementRow, amountMinor: number): Promise<void> {
  const bounds = await payBoundsOf(tx, row);
  if (boundsProblem(amountMinor, bounds)) throw new AppError('dispute/amount-impossible', bounds);
}

/** @throws file/not-found, file/wrong-type */
async function requireOwnFiles(tx: Tx, scope: Scope, fileIds: readonly string[] = []): Promise<void> {
  for (const fileId of fileIds) await findOwnFile(tx, scope.actor.accountId, fileId, 'work');
}

/** Engagement codes as dispute codes, for callers that pass a dispute id. */
const disputeCodes: Record<string, 'dispute/not-found' | 'dispute/not-allowed'> = {
  'engagement/not-found': 'dispute/not-found',
  'engagement/not-allowed': 'dispute/not-allowed',
};

/**
 * Locks a dispute and its engagement for a step by the caller.
 * @throws dispute/not-found, dispute/not-allowed, dispute/wrong-state (data: status), engagement/stale (data: status, by)
 */
async function openForStep(
  tx: Tx,
  scope: Scope,
  input: One,
  action: DisputeAction,
): Promise<{ dispute: DisputeRow; row: EngagementRow; mover: PersonMover }> {
  const engagementId = await findEngagementId(tx, input.disputeId);
  if (engagementId === null) throw new AppError('dispute/not-found');
  const { row, mover } = await openEngagement(tx, scope, { engagementId }).catch((error: unknown) => {
    const code = error instanceof AppError ? disputeCodes[error.code] : undefined;
    throw code ? new AppError(code) : error;
  });
  const dispute = await lockDispute(tx, input.disputeId);
  if (!dispute) throw new AppError('dispute/not-found');
  if (dispute.version !== input.version) {
    const change = await changedBy(tx, row, mover.side, await findLastStepper(tx, dispute.id));
    throw new AppError('engagement/stale', { status: dispute.status, ...change });
  }
  if (nextDisputeStatus(dispute.status, action, mover.side === 'worker' ? 'W' : 'M') === null)
    throw new AppError('dispute/wrong-state', { status: dispute.status });
  const turn = { status: dispute.status, filedBy: dispute.filedBy, proposalBy: dispute.proposalBy };
  if (action === 'accept-proposal' && dispute.proposalBy === null)
    throw new AppError('dispute/wrong-state', { status: dispute.status });
  if (!isTurn(mover.side, action, turn)) throw new AppError('dispute/not-allowed');
  return { dispute, row, mover };
}

/**
 * Either side opens a pay dispute within 7 days of the end of the work, with the amount they consider correct for the whole job, in minor units.
 * @throws engagement/not-found, engagement/not-allowed, engagement/stale, engagement/wrong-state, dispute/too-late (data: until),
 * dispute/amount-impossible (data: minMinor, maxMinor), file/not-found, file/wrong-type
 */
export async function fileDispute(
  tx: Tx,
  scope: Scope,
  input: { engagementId: string; version: number; reason: string; amountMinor: number; fileIds?: string[] },
): Promise<Engagement> {
  const { row, mover } = await openEngagement(tx, scope, input);
  if (requireEngagementMove(row, 'dispute', mover) === row.status)
    throw new AppError('engagement/wrong-state', { status: row.status });
  const over = await workOverAt(tx, row);
  if (over !== null && scope.clock.now() > mayFileUntil(over, scope.config))
    throw new AppError('dispute/too-late', { until: mayFileUntil(over, scope.config).toISOString() });
  await requireAmount(tx, row, input.amountMinor);
  await requireOwnFiles(tx, scope, input.fileIds);
  const amounts = await lastAmounts(tx, row);
  await openDispute(tx, scope, row, mover, {
    ...amounts,
    ...(mover.side === 'worker'
      ? { workerAmountMinor: input.amountMinor }
      : { businessAmountMinor: input.amountMinor }),
    reason: input.reason,
    fileIds: input.fileIds ?? [],
    status: 'open',
    why: 'filed',
  });
  return viewEngagement(tx, scope, row.id);
}

/**
 * The other side answers with its amount; either side does for an automatic dispute. Naming the other side's amount settles it.
 * @throws dispute/not-found, dispute/not-allowed, dispute/wrong-state, engagement/stale, dispute/amount-impossible, file/not-found,
 * file/wrong-type
 */
export async function answerDispute(
  tx: Tx,
  scope: Scope,
  input: One & { note: string; amountMinor: number; fileIds?: string[] },
): Promise<Engagement> {
  const { dispute, row, mover } = await openForStep(tx, scope, input, 'answer');
  await requireAmount(tx, row, input.amountMinor);
  await requireOwnFiles(tx, scope, input.fileIds);
  const own =
    mover.side === 'worker'
      ? { workerAmountMinor: input.amountMinor }
      : { businessAmountMinor: input.amountMinor };
  const answered = await makeDisputeStep(tx, scope, dispute, row, mover, {
    action: 'answer',
    amountMinor: input.amountMinor,
    reason: input.note,
    fileIds: input.fileIds ?? [],
    changes: own,
  });
  if (answered.workerAmountMinor === answered.businessAmountMinor)
    await settleDispute(tx, scope, answered, row, { action: 'agree', mover, amountMinor: input.amountMinor });
  return viewEngagement(tx, scope, row.id);
}

/**
 * Either side proposes an amount to settle on, replacing an earlier proposal. The other side has 2 days to reply.
 * @throws dispute/not-found, dispute/not-allowed, dispute/wrong-state, engagement/stale, dispute/amount-impossible
 */
export async function proposeSettlement(
  tx: Tx,
  scope: Scope,
  input: One & { note: string; amountMinor: number },
): Promise<Engagement> {
  const { dispute, row, mover } = await openForStep(tx, scope, input, 'propose');
  await requireAmount(tx, row, input.amountMinor);
  await makeDisputeStep(tx, scope, dispute, row, mover, {
    action: 'propose',
    amountMinor: input.amountMinor,
    reason: input.note || null,
    changes: {
      proposalBy: mover.side,
      proposalAmountMinor: input.amountMinor,
      proposalNote: input.note,
      proposalAt: scope.clock.now(),
    },
  });
  return viewEngagement(tx, scope, row.id);
}

/**
 * Accepts the other side's proposal: the pay is settled, unpaid pay released and the engagement completed.
 * @throws dispute/not-found, dispute/not-allowed, dispute/wrong-state, engagement/stale
 */
export async function acceptProposal(tx: Tx, scope: Scope, input: One): Promise<Engagement> {
  const { dispute, row, mover } = await openForStep(tx, scope, input, 'accept-proposal');
  await settleDispute(tx, scope, dispute, row, {
    action: 'accept-proposal',
    mover,
    amountMinor: dispute.proposalAmountMinor ?? 0,
  });
  return viewEngagement(tx, scope, row.id);
}

export const disputesTasks = [
  defineTask({ ...disputeClock, run: (scope, { disputeId }) => runDisputeClock(scope, disputeId) }),
];
