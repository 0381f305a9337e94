import { defineTask } from '../../platform/tasks/tasks.ts';
import { rankApplicationsOfJob, rankApplicationsOfWorker } from './match-scores.ts';
import { rankJobTask, rankWorkerTask } from './ranking.ts';

const rankJob = defineTask({
  ...rankJobTask,
  run: (scope, { jobId }) => rankApplicationsOfJob(scope, jobId),
});
const rankWorker = defineTask({
  ...rankWorkerTask,
  run: (scope, { workerId }) => rankApplicationsOfWorker(scope, workerId),
});

export const matchingTasks = [rankJob, rankWorker];
