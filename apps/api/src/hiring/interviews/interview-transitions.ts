import type { InterviewAction } from '@nearhand/contract/hiring/interviews';
import type { Side } from '@nearhand/contract/sides';
import type { Updateable } from 'kysely';
import { changedBy, lastMove } from '../../people/businesses/changed-by.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import type { Interviews } from '../../platform/tables.gen.ts';
import { makeApplicationMove } from '../applications/application-transitions.ts';
import { canInterview, type InterviewRelation, interviewSide } from './interview-views.ts';
import {
  type InterviewMoveName,
  interviewProblem,
  isAlwaysNew,
  moverOfSide,
  nextInterviewStatus,
  noShowFrom,
} from './interviews.rules.ts';
import {
  insertMove,
  type LockedInterview,
  lockInterview,
  replaceSlots,
  updateInterview,
} from './interviews.sql.ts';

export type InterviewMover = { side: Side; accountId: string } | { side: 'timer' };

/**
 * Locks an interview for a move of the caller; a `repeat` writes nothing.
 * @throws interview/not-found, interview/not-allowed, interview/stale (data: status, by),
 * interview/wrong-state (data: status), interview/too-early (data: from),
 * interview/suggestion-limit, interview/reschedule-limit, interview/reschedule-too-late, interview/contest-over
 */
export async function openInterview(
  tx: Tx,
  scope: Scope,
  input: { interviewId: string; version: number },
  action: InterviewAction,
): Promise<{ row: LockedInterview; mover: { side: Side; accountId: string }; repeat: boolean }> {
  const { accountId } = scope.actor;
  const row = await lockInterview(tx, input.interviewId, accountId);
  const relation: InterviewRelation = row?.workerId === accountId ? 'worker' : (row?.role ?? null);
  const side = interviewSide(relation);
  if (!row || side === null) throw new AppError('interview/not-found');
  if (!canInterview(side, action)) throw new AppError('interview/not-allowed');
  if (input.version !== row.version) {
    const last = await lastMove(tx, 'interview_moves', row.id);
    // A double click sends the version from before the caller's own move (product.md, States).
    const repeats =
      last?.actor === accountId &&
      last.action === action &&
      !isAlwaysNew(action) &&
      nextInterviewStatus(row.status, action, moverOfSide(side)) === row.status;
    if (!repeats || input.version > row.version)
      throw new AppError('interview/stale', {
        status: row.status,
        ...(await changedBy(tx, row, side, last)),
      });
  }
  const problem = interviewProblem(row, action, side, scope.clock.now(), scope.config);
  if (problem !== null)
    throw new AppError(
      `interview/${problem}`,
      problem === 'too-early' && row.startsAt
        ? {
            from: (action === 'complete'
              ? row.startsAt
              : noShowFrom(row.startsAt, scope.config)
            ).toISOString(),
          }
        : { status: row.status },
    );
  const to = nextInterviewStatus(row.status, action, moverOfSide(side));
  return { row, mover: { side, accountId }, repeat: to === row.status && !isAlwaysNew(action) };
}

/** Makes and logs one move of a locked interview. @throws interview/wrong-state, interview/stale */
export async function moveInterview(
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  row: LockedInterview,
  action: InterviewMoveName,
  mover: InterviewMover,
  changes: Updateable<Interviews> = {},
  { reason = null, slots = [] }: { reason?: string | null; slots?: readonly Date[] } = {},
): Promise<void> {
  const who = mover.side === 'timer' ? 'T' : moverOfSide(mover.side);
  const to = nextInterviewStatus(row.status, action, who);
  if (to === null) throw new AppError('interview/wrong-state', { status: row.status });
  const now = scope.clock.now();
  const table = { answerBy: null, rescheduleBy: null, rescheduleReason: null };
  const updated = await updateInterview(tx, row, { ...table, ...changes, status: to, updatedAt: now });
  if (!updated) throw new AppError('interview/stale', { status: row.status });
  await replaceSlots(
    tx,
    row.id,
    slots.map((at) => ({ id: newId(now), startsAt: at })),
  );
  await insertMove(tx, {
    id: newId(now),
    interviewId: row.id,
    actor: mover.side === 'timer' ? 'timer' : mover.accountId,
    side: mover.side,
    action,
    fromStatus: row.status,
    toStatus: to,
    reason,
    at: now,
  });
}

/** Returns the application to `shortlisted`, where its decide-by timer runs again. */
export async function reshortlist(
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  row: LockedInterview,
  mover: InterviewMover,
): Promise<void> {
  if (row.applicationStatus !== 'interviewing') return;
  await makeApplicationMove(tx, scope, {
    applicationId: row.applicationId,
    action: 'interview-over',
    who: mover.side === 'timer' ? 'T' : moverOfSide(mover.side),
    actor: mover.side === 'timer' ? 'timer' : mover.accountId,
  });
}
