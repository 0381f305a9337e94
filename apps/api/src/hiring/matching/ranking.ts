import { z } from 'zod';
import type { Tx } from '../../platform/db.ts';
import { enqueue } from '../../platform/tasks/tasks.ts';

export const rankJobTask = { name: 'applications.rank-job', payload: z.object({ jobId: z.uuid() }) };
export const rankWorkerTask = { name: 'applications.rank-worker', payload: z.object({ workerId: z.uuid() }) };

/** Queues one deduplicated ranking of a job's applicants. */
export const rankJob = (tx: Tx, jobId: string): Promise<void> =>
  enqueue(tx, rankJobTask, { jobId }, { key: `${rankJobTask.name}/${jobId}` });

/** Queues one deduplicated ranking of a worker's applications, after a change of their profile. */
export const rankWorker = (tx: Tx, workerId: string): Promise<void> =>
  enqueue(tx, rankWorkerTask, { workerId }, { key: `${rankWorkerTask.name}/${workerId}` });

/** Queues a re-rank for when a no-show can no longer be contested (ADR 45). */
export const rankWorkerAt = (tx: Tx, workerId: string, at: Date): Promise<void> =>
  enqueue(
    tx,
    rankWorkerTask,
    { workerId },
    { runAt: at, key: `${rankWorkerTask.name}/${workerId}/${at.toISOString()}` },
  );
