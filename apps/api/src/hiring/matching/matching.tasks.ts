import { defineTask } from '../../platform/tasks.ts';
import { rankLiveOfJob, rankLiveOfWorker } from './match-scores.service.ts';
import { rankJobTask, rankWorkerTask } from './ranking.service.ts';

/** Set when what a job asks for has changed. */
const rankJob = defineTask({ ...rankJobTask, run: (scope, { jobId }) => rankLiveOfJob(scope, jobId) });
/** Set when what is known of a worker has changed. */
const rankWorker = defineTask({
  ...rankWorkerTask,
  run: (scope, { workerId }) => rankLiveOfWorker(scope, workerId),
});

export const matchingTasks = [rankJob, rankWorker];
