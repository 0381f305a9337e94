import { z } from 'zod';
import { defineTask } from '../../platform/tasks/tasks.ts';
import { purgeCodes, sendPhoneCodeTask, textCode } from './phone-codes.ts';

const sendCode = defineTask({
  ...sendPhoneCodeTask,
  queue: 'messages',
  run: (scope, { codeId }) => textCode(scope, codeId),
});

const purge = defineTask({
  name: 'verification.purge-phone-codes',
  payload: z.object({}),
  daily: true,
  run: purgeCodes,
});

export const verificationTasks = [sendCode, purge];
