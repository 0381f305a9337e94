import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { type InterviewNotice, notifyOfInterviews } from './interview-notices.ts';
import { cancelInterviews, lockLiveOf } from './interviews.sql.ts';

/**
 * Cancels live interviews of ended applications. `by` is an account id or `timer`. `quietly` notifies nobody: a hire
 * has its own notice.
 */
export async function endInterviewsOf(
  tx: Tx,
  scope: Pick<Scope, 'clock' | 'config'>,
  applicationIds: readonly string[],
  ending: { by: string; reason: string | null; quietly?: boolean },
): Promise<void> {
  if (applicationIds.length === 0) return;
  const rows = await lockLiveOf(tx, applicationIds);
  if (rows.length === 0) return;
  const now = scope.clock.now();
  const sideOf = (workerId: string) =>
    ending.by === 'timer' ? 'timer' : ending.by === workerId ? 'worker' : 'business';
  await cancelInterviews(tx, {
    moves: rows.map((row) => ({
      id: newId(now),
      interviewId: row.id,
      side: sideOf(row.workerId),
      fromStatus: row.status,
    })),
    actor: ending.by,
    reason: ending.reason,
    at: now,
  });
  if (ending.quietly) return;
  await notifyOfInterviews(
    tx,
    scope,
    rows.map(
      (row): InterviewNotice => ({
        topic: 'interview-cancelled',
        to: ['worker', 'business'],
        interview: { ...row, version: row.version + 1 },
        exceptAccountId: ending.by,
        ...(ending.reason === null ? {} : { data: { reason: ending.reason } }),
      }),
    ),
  );
}
