import { z } from 'zod';
import { defineTask } from '../../platform/tasks/tasks.ts';
import { purgeUnusedFiles } from './files.service.ts';
import { removeBytes, removeStoredBytes } from './former-files.service.ts';

export const purgeFiles = defineTask({
  name: 'files.purge-unused',
  payload: z.object({}),
  daily: true,
  run: (scope) => purgeUnusedFiles(scope.db, scope),
});

export const filesTasks = [
  purgeFiles,
  defineTask({ ...removeBytes, run: (scope, payload) => removeStoredBytes(scope, payload) }),
];
