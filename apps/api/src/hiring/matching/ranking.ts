import { z } from 'zod';
import type { Tx } from '../../platform/db.ts';
import { enqueue } from '../../platform/tasks/tasks.ts';

/** The tasks that recalculate match scores, with their payloads (ADR 34). */
export const rankJobTask = { name: 'applications.rank-job', payload: z.object({ jobId: z.uuid() }) };
export const rankWorkerTask = { name: 'applications.rank-worker', payload: z.object({ workerId: z.uuid() }) };

/** Called by slices that change a job's requirements: queues one deduplicated re-rank of its live applicants. */
export const rankJob = (tx: Tx, jobId: string): Promise<void> =>
  enqueue(tx, rankJobTask, { jobId }, { key: `${rankJobTask.name}/${jobId}` });

/** Called by slices that change facts about a worker (profile, reliability, work done): queues a re-rank of their live applications. */
export const rankWorker = (tx: Tx, workerId: string): Promise<void> =>
  enqueue(tx, rankWorkerTask, { workerId }, { key: `${rankWorkerTask.name}/${workerId}` });

/**
 * For a worker's reported no-show, which counts once it can no longer be contested (ADR 45): queues a re-rank for then. Ranking reads
 * current facts, so it is harmless if the report was contested.
 */
export const rankWorkerAt = (tx: Tx, workerId: string, at: Date): Promise<void> =>
  enqueue(
    tx,
    rankWorkerTask,
    { workerId },
    { runAt: at, key: `${rankWorkerTask.name}/${workerId}/${at.toISOString()}` },
  );
