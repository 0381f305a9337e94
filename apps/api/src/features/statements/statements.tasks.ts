import { defineTask } from '../../platform/tasks.ts';
import { carryTask, checkCarried, checkTask, runCarrying } from './carrying.service.ts';
import { runDocument } from './document-writing.service.ts';
import { documentTask } from './documents.service.ts';

export const statementsTasks = [
  defineTask({ ...documentTask, run: runDocument }),
  defineTask({ ...carryTask, run: runCarrying }),
  defineTask({ ...checkTask, daily: true, run: checkCarried }),
];
