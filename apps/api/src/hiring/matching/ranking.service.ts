import { z } from 'zod';
import type { Tx } from '../../platform/db.ts';
import { enqueue } from '../../platform/tasks.ts';

/** The tasks that reckon match scores anew, as what is enqueued and what it carries (ADR 0034). */
export const rankJobTask = { name: 'applications.rank-job', payload: z.object({ jobId: z.uuid() }) };
export const rankWorkerTask = { name: 'applications.rank-worker', payload: z.object({ workerId: z.uuid() }) };

/** For the slices that change what a job asks for: has its live applicants ranked anew, once however often it is asked meanwhile. */
export const rankJob = (tx: Tx, jobId: string): Promise<void> =>
  enqueue(tx, rankJobTask, { jobId }, { key: `${rankJobTask.name}/${jobId}` });

/** For the slices that change what is known of a worker (profile, reliability, work done): has their live applications ranked anew. */
export const rankWorker = (tx: Tx, workerId: string): Promise<void> =>
  enqueue(tx, rankWorkerTask, { workerId }, { key: `${rankWorkerTask.name}/${workerId}` });

/**
 * For a reported no-show of a worker, which counts once it can no longer be contested (ADR 0045): has their live applications ranked anew then.
 * Ranking reads what counts at its time, so it may run for one that was contested after all.
 */
export const rankWorkerAt = (tx: Tx, workerId: string, at: Date): Promise<void> =>
  enqueue(
    tx,
    rankWorkerTask,
    { workerId },
    { runAt: at, key: `${rankWorkerTask.name}/${workerId}/${at.toISOString()}` },
  );
