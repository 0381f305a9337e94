import { defineTask } from '../../platform/tasks/tasks.ts';
import { rankLiveOfJob, rankLiveOfWorker } from './match-scores.ts';
import { rankJobTask, rankWorkerTask } from './ranking.ts';

const rankJob = defineTask({ ...rankJobTask, run: (scope, { jobId }) => rankLiveOfJob(scope, jobId) });
const rankWorker = defineTask({
  ...rankWorkerTask,
  run: (scope, { workerId }) => rankLiveOfWorker(scope, workerId),
});

export const matchingTasks = [rankJob, rankWorker];
