import { z } from 'zod';
import { defineTask } from '../../platform/tasks/tasks.ts';
import { purgeUnusedFiles } from './files.service.ts';

export const purgeFiles = defineTask({
  name: 'files.purge-unused',
  payload: z.object({}),
  daily: true,
  run: (scope) => purgeUnusedFiles(scope.db, scope),
});
