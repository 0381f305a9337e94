import { defineTask } from '../../platform/tasks/tasks.ts';
import { rankApplications } from './match-scores.ts';
import { rankJobTask, rankWorkerTask } from './ranking.ts';

export const matchingTasks = [
  defineTask({ ...rankJobTask, run: rankApplications }),
  defineTask({ ...rankWorkerTask, run: rankApplications }),
];
