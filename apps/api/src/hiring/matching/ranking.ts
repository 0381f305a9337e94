import { z } from 'zod';
import type { Tx } from '../../platform/db.ts';
import { enqueue } from '../../platform/tasks/tasks.ts';

export const rankJobTask = { name: 'applications.rank-job', payload: z.object({ jobId: z.uuid() }) };
export const rankWorkerTask = { name: 'applications.rank-worker', payload: z.object({ workerId: z.uuid() }) };

/** Queues one deduplicated ranking of a job's applicants. */
export const rankJob = (tx: Tx, jobId: string): Promise<void> =>
  enqueue(tx, rankJobTask, { jobId }, { key: `${rankJobTask.name}/${jobId}` });

/**
 * Queues one deduplicated ranking of a worker's applications after a change of their profile or record, now or at a
 * time, such as when a no-show can no longer be contested (ADR 45).
 */
export function rankWorker(tx: Tx, workerId: string, at?: Date): Promise<void> {
  const key = `${rankWorkerTask.name}/${workerId}`;
  const timing = at === undefined ? { key } : { key: `${key}/${at.toISOString()}`, runAt: at };
  return enqueue(tx, rankWorkerTask, { workerId }, timing);
}
