import { defineTask } from '../../platform/tasks/tasks.ts';
import { rankApplicationsOfJob, rankApplicationsOfWorker } from './match-scores.ts';
import { rankJobTask, rankWorkerTask } from './ranking.ts';

export const matchingTasks = [
  defineTask({ ...rankJobTask, run: (scope, { jobId }) => rankApplicationsOfJob(scope, jobId) }),
  defineTask({ ...rankWorkerTask, run: (scope, { workerId }) => rankApplicationsOfWorker(scope, workerId) }),
];
