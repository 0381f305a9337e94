import type { EngagementStatus } from '@nearhand/contract/engagement-statuses';
import type { ApplicationStatus } from '@nearhand/contract/hiring/applications.rules';
import type { WorkEnding } from '@nearhand/contract/hiring/jobs.rules';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import type { Mover } from '@nearhand/contract/moves';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { ClockScope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { cancelTask, cancelTasks, enqueue } from '../../platform/tasks/tasks.ts';
import {
  type ApplicationMoveName,
  awaitsAnswer,
  decideByState,
  nextApplicationStatus,
} from './applications.rules.ts';
import {
  type LockedApplication,
  lockApplication,
  moveApplication,
  moveDecideBy,
  setWorkEnding,
} from './applications.sql.ts';
import { applicationTimerTask, clockKey } from './applications.ts';

/** Moves an application for an interview or offer; the worker sees `reason`. The caller checks access. Idempotent. */
export async function makeApplicationMove(
  tx: Tx,
  scope: ClockScope,
  move: {
    applicationId: string;
    action: ApplicationMoveName;
    who: Mover;
    actor: string;
    reason?: string;
  },
): Promise<{ application: LockedApplication; moved: boolean; to: ApplicationStatus }> {
  const row = await lockApplication(tx, move.applicationId, null);
  if (!row) throw new AppError('application/not-found');
  const to = nextApplicationStatus(row.status, move.action, move.who);
  if (to === null) throw new AppError('application/wrong-state', { status: row.status });
  if (to === row.status) return { application: row, moved: false, to };
  const { applicationId } = move;
  await writeMove(tx, scope, row, { ...move, to });
  if (!awaitsAnswer(to)) await cancelTask(tx, clockKey(applicationId));
  else if (!awaitsAnswer(row.status))
    await enqueue(
      tx,
      applicationTimerTask,
      { applicationId },
      { runAt: row.decideBy, key: clockKey(applicationId) },
    );
  return { application: row, moved: true, to };
}

/**
 * Writes one move of a locked application. The caller checks access.
 * @throws application/wrong-state
 */
export async function writeMove(
  tx: Tx,
  scope: ClockScope,
  row: Pick<LockedApplication, 'id' | 'status'>,
  move: { action: ApplicationMoveName; actor: string; to: ApplicationStatus; reason?: string },
): Promise<void> {
  const at = scope.clock.now();
  const { action, actor, to, reason } = move;
  const change = { id: newId(at), applicationId: row.id, actor, action, from: row.status, to, at };
  if (!(await moveApplication(tx, { ...change, ...(reason ? { reason } : {}) })))
    throw new AppError('application/wrong-state');
}

/** Returns the status after a business's move; null if the move isn't allowed from `from`. */
export const statusAfter = (from: ApplicationStatus, action: ApplicationMoveName): ApplicationStatus | null =>
  nextApplicationStatus(from, action, 'business');

/** Cancels the deadline tasks of applications that are decided. */
export const stopClocks = (tx: Tx, applicationIds: readonly string[]): Promise<void> =>
  cancelTasks(tx, applicationIds.map(clockKey));

const endingOf = (status: EngagementStatus): WorkEnding | null => {
  if (status === 'completed') return 'done';
  if (status === 'no_show_reported') return 'no_show';
  const cancelled: readonly EngagementStatus[] = [
    'cancelled_by_worker',
    'cancelled_by_merchant',
    'given_away',
  ];
  return cancelled.includes(status) ? 'cancelled' : null;
};

/** A contested no-show counts as a hire again until it is decided. */
export async function followWork(
  tx: Tx,
  _scope: unknown,
  { applicationId, from, to }: { applicationId: string; from: EngagementStatus; to: EngagementStatus },
): Promise<void> {
  const ending = endingOf(to);
  if (ending !== endingOf(from)) await setWorkEnding(tx, applicationId, ending);
}

/** Checks the state table. Takes no lock; the move checks again. */
export function mayMoveOn(from: ApplicationStatus, action: ApplicationMoveName, mover: Mover): boolean {
  const to = nextApplicationStatus(from, action, mover);
  return to !== null && to !== from;
}

/** Extends decide-by to `until`, never past the start of the work. A no-op unless an answer is awaited. */
export async function postponeDecideBy(
  tx: Tx,
  scope: ClockScope,
  applicationId: string,
  until: Date,
): Promise<void> {
  const row = await moveDecideBy(tx, applicationId, until);
  if (!row || !awaitsAnswer(row.status)) return;
  const times = { submittedAt: row.submittedAt, decideBy: row.decideBy };
  const { next } = decideByState(scope.clock.now(), times, hiringLimits.nudgeDays);
  await enqueue(tx, applicationTimerTask, { applicationId }, { runAt: next, key: clockKey(applicationId) });
}
