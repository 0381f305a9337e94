import { defineTask } from '../../platform/tasks/tasks.ts';
import { carryTask, checkCarried, checkTask, runCarrying } from './carrying.service.ts';

export const statementsTasks = [
  defineTask({ ...carryTask, queue: 'housekeeping', run: runCarrying }),
  defineTask({ ...checkTask, daily: true, run: checkCarried }),
];
