import { z } from 'zod';
import { defineTask } from '../../platform/tasks/tasks.ts';
import { purgeRedacted } from './redacted.service.ts';

export const messagesTasks = [
  defineTask({
    name: 'chat.forget-redacted',
    payload: z.object({}),
    daily: true,
    run: (scope) => purgeRedacted(scope.db, scope),
  }),
];
