import type { Tx } from '../../platform/db.ts';
import type { ClockConfigScope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { type InterviewNotice, notifyOfInterviews } from './interview-notices.ts';
import { cancelInterviews, findWaiting, lockLiveOf, updateInterview } from './interviews.sql.ts';

/**
 * Cancels live interviews of ended applications that cover no other. `by` is an account id or `timer`. `quietly`
 * sends no notices, because a hire has its own.
 */
export async function endInterviewsOf(
  tx: Tx,
  scope: ClockConfigScope,
  applicationIds: readonly string[],
  ending: { by: string; reason: string | null; quietly?: boolean },
): Promise<void> {
  if (applicationIds.length === 0) return;
  const live = await lockLiveOf(tx, applicationIds);
  const now = scope.clock.now();
  const waiting = await findWaiting(
    tx,
    live.map(({ id }) => id),
    applicationIds,
  );
  // An interview for several shifts of a series stays for those that are left.
  for (const { interviewId, applicationId, jobId } of waiting) {
    const row = live.find(({ id }) => id === interviewId);
    if (row && row.applicationId !== applicationId)
      await updateInterview(tx, row, { applicationId, jobId, updatedAt: now });
  }
  const rows = live.filter(({ id }) => waiting.every(({ interviewId }) => interviewId !== id));
  if (rows.length === 0) return;
  const sideOf = (workerId: string) => {
    if (ending.by === 'timer') return 'timer';
    return ending.by === workerId ? 'worker' : 'business';
  };
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
        data: ending.reason === null ? undefined : { reason: ending.reason },
      }),
    ),
  );
}
