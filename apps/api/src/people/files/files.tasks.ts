import { z } from 'zod';
import { defineTask } from '../../platform/tasks/tasks.ts';
import { purgeUnusedFiles } from './files.service.ts';
import { removeBytes, removeStoredBytes } from './former-files.service.ts';
import { reEncryptFiles } from './re-encryption.service.ts';

export const purgeFiles = defineTask({
  name: 'files.purge-unused',
  payload: z.object({}),
  daily: true,
  run: (scope) => purgeUnusedFiles(scope.db, scope),
});

export const filesTasks = [
  purgeFiles,
  defineTask({
    name: 'files.re-encrypt',
    payload: z.object({}),
    daily: true,
    run: async (scope) => {
      await reEncryptFiles(scope);
    },
  }),
  defineTask({
    ...removeBytes,
    queue: 'housekeeping',
    run: (scope, payload) => removeStoredBytes(scope, payload),
  }),
];
