import type { EngagementStatus } from '@nearhand/contract/engagement-statuses';
import type { Mover } from '@nearhand/contract/moves';
import type { Side } from '@nearhand/contract/sides';
import type { SystemLine } from '@nearhand/contract/talk/messages';
import type { Engagement, EngagementAction } from '@nearhand/contract/work/engagements';
import type { Updateable } from 'kysely';
import { changedBy, lastMove } from '../../people/businesses/changed-by.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { ClockScope, Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import type { Engagements } from '../../platform/tables.gen.ts';
import { postSystemMessage } from '../../talk/messages/system-messages.ts';
import { workHooks } from '../hooks.ts';
import { actingSide, mayDecide, relationToWork } from './engagement-access.ts';
import { mayComeLate, mayContestRecords, momentProblem } from './engagement-actions.rules.ts';
import { type EngagementMoveName, isRepeatedMove, nextEngagementStatus } from './engagements.rules.ts';
import {
  type EngagementRow,
  findClaimBy,
  insertEngagementMove,
  lockEngagement,
  updateEngagement,
  updateNext,
} from './engagements.sql.ts';

/** Null if the other side needs no line. */
const lineByMove: Record<EngagementMoveName, SystemLine | null> = {
  confirm: 'work-confirmed',
  'check-in': 'checked-in',
  'check-out': 'checked-out',
  // The worker gets the reason in a notice.
  'check-in-for': null,
  'check-out-for': null,
  start: null,
  'submit-hours': 'hours-submitted',
  'auto-submit': 'hours-submitted',
  counter: 'hours-countered',
  'accept-counter': 'work-approved',
  'pay-recorded': 'work-approved',
  deliver: 'work-delivered',
  'request-changes': 'changes-requested',
  approve: 'work-approved',
  'approve-planned': 'work-approved',
  cancel: 'work-cancelled',
  lapse: 'work-cancelled',
  'end-unfunded': 'work-cancelled',
  leave: 'work-cancelled',
  giveaway: 'work-handed-on',
  excuse: 'work-day-off',
  'report-no-show': 'no-show-reported',
  contest: null,
  uphold: null,
  overturn: 'work-approved',
  dispute: 'dispute-opened',
  settle: 'dispute-settled',
  complete: null,
};

/** Posts a move as a system line. `at` is when it happened, if not now (an offline device); minor units. */
async function postMoveLine(
  tx: Tx,
  scope: ClockScope,
  row: Pick<EngagementRow, 'jobId' | 'workerId' | 'terms'>,
  move: {
    action: EngagementMoveName;
    side: Mover;
    reason: string | null;
    at?: unknown;
    amountMinor?: unknown;
  },
): Promise<void> {
  const line = lineByMove[move.action];
  if (line === null) return;
  await postSystemMessage(tx, scope, {
    jobId: row.jobId,
    workerId: row.workerId,
    line,
    data: {
      side: move.side,
      reason: move.reason || undefined,
      at: move.at instanceof Date ? move.at.toISOString() : undefined,
      ...(typeof move.amountMinor === 'number'
        ? { amountMinor: move.amountMinor, currency: row.terms.currency }
        : {}),
    },
  });
}

export type { EngagementRow };

export type EngagementMover = { side: Side | 'operator'; accountId: string } | { side: 'timer' };

export const engagementParties = (row: EngagementRow) => ({
  engagementId: row.id,
  jobId: row.jobId,
  workerId: row.workerId,
  businessId: row.businessId,
});

/**
 * Locks an engagement for a move by the caller.
 * @param options `version` as the caller saw it, omitted for an offline
 * check-in; `repeatOf` accepts the caller's own repeat (`repeated`)
 * @throws engagement/not-found, engagement/not-allowed, engagement/stale (data: status, by)
 */
export async function openEngagement(
  tx: Tx,
  scope: Scope,
  options: {
    engagementId: string;
    version?: number;
    side?: Side;
    capability?: 'work' | 'settle' | 'pay';
    repeatOf?: EngagementMoveName;
  },
): Promise<{ row: EngagementRow; mover: EngagementMover & { side: Side }; repeated: boolean }> {
  const row = await lockEngagement(tx, options.engagementId, scope.actor.accountId);
  const relation = relationToWork(row, scope.actor);
  if (!row || relation === null) throw new AppError('engagement/not-found');
  const side = actingSide(relation, options.capability);
  if (side === null || (options.side !== undefined && options.side !== side))
    throw new AppError('engagement/not-allowed');
  const mover = { side, accountId: scope.actor.accountId };
  return { row, mover, repeated: await requireVersion(tx, row, mover, options) };
}

/**
 * Accepts an old version for the caller's own repeat.
 * @throws engagement/stale (data: status, by)
 */
async function requireVersion(
  tx: Tx,
  row: EngagementRow,
  mover: { side: Side | 'operator'; accountId: string },
  options: { version?: number; repeatOf?: EngagementMoveName },
): Promise<boolean> {
  if (options.version === undefined || options.version === row.version) return false;
  const last = await lastMove(tx, 'engagement_moves', row.id, 'complete');
  if (options.repeatOf !== undefined && last?.actor === mover.accountId && last.action === options.repeatOf)
    return true;
  const reader = mover.side === 'worker' ? 'worker' : 'business';
  throw new AppError('engagement/stale', {
    status: row.status,
    ...(await changedBy(tx, row, reader, last)),
  });
}

/**
 * Locks an engagement for an operator on neither side.
 * @throws engagement/not-found, operator/own-record
 */
export async function openForDecision(
  tx: Tx,
  scope: Scope,
  options: { engagementId: string; version?: number; repeatOf?: EngagementMoveName },
): Promise<{ row: EngagementRow; mover: { side: 'operator'; accountId: string }; repeated: boolean }> {
  const row = await lockEngagement(tx, options.engagementId, scope.actor.accountId);
  if (!row) throw new AppError('engagement/not-found');
  if (!mayDecide(relationToWork(row, scope.actor))) throw new AppError('operator/own-record');
  const mover = { side: 'operator' as const, accountId: scope.actor.accountId };
  return { row, mover, repeated: await requireVersion(tx, row, mover, options) };
}

/** Locks an engagement for a task: no caller, so no access check. Undefined if it is gone. */
export const engagementForTimer = (tx: Tx, engagementId: string): Promise<EngagementRow | undefined> =>
  lockEngagement(tx, engagementId, null);

/**
 * The status a move leads to.
 * @throws engagement/wrong-state (data: status)
 */
export function requireEngagementMove(
  row: Pick<EngagementRow, 'kind' | 'status'>,
  action: EngagementMoveName,
  mover: EngagementMover,
): EngagementStatus {
  const to = nextEngagementStatus(row.kind, row.status, action, mover.side);
  if (to === null) throw new AppError('engagement/wrong-state', { status: row.status });
  return to;
}

/** Nobody works before the pay is set aside (ADR 399). */
const startingMoves: readonly EngagementMoveName[] = [
  'check-in',
  'check-in-for',
  'submit-hours',
  'auto-submit',
];

/**
 * Makes and logs one move; the row must be locked.
 * @returns the row after the move, or null for a repeat
 * @throws engagement/wrong-state, engagement/stale, engagement/not-funded
 */
export async function makeEngagementMove(
  tx: Tx,
  scope: Pick<Scope, 'clock' | 'sign'>,
  row: EngagementRow,
  {
    action,
    mover,
    changes = {},
    reason = null,
  }: {
    action: EngagementMoveName;
    mover: EngagementMover;
    /** Columns to set along with the status. */
    changes?: Updateable<Engagements>;
    reason?: string | null;
  },
): Promise<EngagementRow | null> {
  const to = requireEngagementMove(row, action, mover);
  if (isRepeatedMove(row.kind, row.status, action, mover.side)) return null;
  if (startingMoves.includes(action) && row.funding === 'planned')
    throw new AppError('engagement/not-funded');
  const now = scope.clock.now();
  if (!(await updateEngagement(tx, row, { ...changes, status: to, updatedAt: now })))
    throw new AppError('engagement/stale', { status: row.status });
  await insertEngagementMove(tx, {
    id: newId(now),
    engagementId: row.id,
    actor: mover.side === 'timer' ? 'timer' : mover.accountId,
    side: mover.side,
    action,
    fromStatus: row.status,
    toStatus: to,
    reason,
    at: now,
  });
  const { id: engagementId, applicationId } = row;
  await workHooks.on.workMoved(tx, scope, { engagementId, applicationId, from: row.status, to });
  const { amountMinor, checkedInAt, checkedOutAt } = changes;
  const recordedAt: Partial<Record<EngagementMoveName, typeof checkedInAt>> = {
    'check-in': checkedInAt,
    'check-out': checkedOutAt,
  };
  await postMoveLine(tx, scope, row, {
    action,
    side: mover.side,
    reason,
    amountMinor,
    at: recordedAt[action] ?? null,
  });
  return { ...row, ...changes, status: to, version: row.version + 1 } as EngagementRow;
}

/** Logs a statement about the work without a move; the row must be locked. */
export const logEngagementNote = (
  tx: Tx,
  scope: ClockScope,
  row: Pick<EngagementRow, 'id' | 'status'>,
  { side, accountId }: { side: Side; accountId: string },
  note: { action: string; reason: string | null },
): Promise<void> =>
  insertEngagementMove(tx, {
    id: newId(scope.clock.now()),
    engagementId: row.id,
    actor: accountId,
    side,
    fromStatus: row.status,
    toStatus: row.status,
    ...note,
    at: scope.clock.now(),
  });

/** Sets the next automatic step without a move or a new version. */
export async function setEngagementNext(
  tx: Tx,
  engagementId: string,
  next: { kind: NonNullable<Engagement['next']>['kind']; at: Date; amountMinor?: number },
): Promise<void> {
  await updateNext(tx, engagementId, next);
}

/**
 * Changes an engagement without a move (a break); the row must be locked.
 * @throws engagement/stale
 */
export async function changeEngagement(
  tx: Tx,
  scope: ClockScope,
  row: EngagementRow,
  changes: Updateable<Engagements>,
): Promise<void> {
  if (!(await updateEngagement(tx, row, { ...changes, updatedAt: scope.clock.now() })))
    throw new AppError('engagement/stale', { status: row.status });
}

/**
 * Requires the right time for an action of another slice.
 * @throws engagement/wrong-state, or the code from `momentProblem`
 */
export async function requireActionMoment(
  tx: Tx,
  scope: Scope,
  row: EngagementRow,
  action: EngagementAction,
  side: Side,
): Promise<void> {
  if (action === 'say-late' && !mayComeLate(row))
    throw new AppError('engagement/wrong-state', { status: row.status });
  const facts = { ...row, claimBy: await findClaimBy(tx, row.id) };
  const problem = momentProblem(facts, action, side, scope.clock.now(), scope.config);
  if (problem) throw new AppError(problem, { status: row.status });
}

/**
 * Requires that the worker may still contest recorded times.
 * @throws engagement/wrong-state
 */
export function requireContestable(row: EngagementRow): void {
  if (!mayContestRecords(row.status)) throw new AppError('engagement/wrong-state', { status: row.status });
}
