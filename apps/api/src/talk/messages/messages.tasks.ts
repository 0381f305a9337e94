import { z } from 'zod';
import { defineTask } from '../../platform/tasks.ts';
import { forgetTakenBack } from './redacted.service.ts';

export const messagesTasks = [
  defineTask({
    name: 'chat.forget-redacted',
    payload: z.object({}),
    daily: true,
    run: (scope) => forgetTakenBack(scope.db, scope),
  }),
];
