import type { Interview, InterviewOutcome } from '@nearhand/contract/hiring/interviews';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { rankWorker, rankWorkerAt } from '../matching/ranking.service.ts';
import { interviewOver, moveInterview, openInterview } from './interview-moves.service.ts';
import { notifyOfInterviews } from './interview-notices.service.ts';
import { getInterview } from './interview-views.service.ts';
import { contestBy, otherSide } from './interviews.rules.ts';

type One = { interviewId: string; version: number };

/**
 * Marks an interview as held, with its outcome, by a recruiter, from its start on. Outcome and notes are private to the business; the
 * application stays until the business answers it.
 * @throws as `openInterview`
 */
export async function completeInterview(
  tx: Tx,
  scope: Scope,
  input: One & { outcome: InterviewOutcome; notes: string },
): Promise<Interview> {
  const { row, mover } = await openInterview(tx, scope, input, 'complete');
  await moveInterview(tx, scope, row, 'complete', mover, { outcome: input.outcome, notes: input.notes });
  return getInterview(tx, scope, input);
}

/**
 * Reports that the other side did not come, from 15 minutes after the start. They can contest it for 24 hours. A repeat is a no-op.
 * @throws as `openInterview`
 */
export async function reportInterviewNoShow(tx: Tx, scope: Scope, input: One): Promise<Interview> {
  const { row, mover, repeat } = await openInterview(tx, scope, input, 'report-no-show');
  if (!repeat) {
    const now = scope.clock.now();
    await moveInterview(tx, scope, row, 'report-no-show', mover, { no_show_at: now });
    await interviewOver(tx, scope, row, mover);
    if (mover.side === 'business') {
      await rankWorker(tx, row.worker_id);
      await rankWorkerAt(tx, row.worker_id, contestBy(now, scope.config));
    }
    await notifyOfInterviews(tx, scope, [
      {
        topic: 'interview-no-show',
        to: [otherSide(mover.side)],
        interview: { ...row, version: row.version + 1 },
        but: mover.accountId,
        data: { by: contestBy(now, scope.config).toISOString() },
      },
    ]);
  }
  return getInterview(tx, scope, input);
}

/**
 * Contests a reported no-show, by the reported side, within 24 hours and once. Their note is shown next to the report.
 * @throws as `openInterview`
 */
export async function contestInterview(
  tx: Tx,
  scope: Scope,
  input: One & { note: string },
): Promise<Interview> {
  const { row, mover } = await openInterview(tx, scope, input, 'contest');
  await moveInterview(tx, scope, row, 'contest', mover, { contest: input.note }, { reason: input.note });
  await notifyOfInterviews(tx, scope, [
    {
      topic: 'interview-contested',
      to: [otherSide(mover.side)],
      interview: { ...row, version: row.version + 1 },
      but: mover.accountId,
      data: { reason: input.note },
    },
  ]);
  return getInterview(tx, scope, input);
}
