import { defineTask } from '../../platform/tasks/tasks.ts';
import { clearPayTask, runClearing } from './clearing.ts';
import { sendWithdrawal } from './withdrawal-states.ts';
import { sendWithdrawalTask } from './withdrawal-transitions.ts';

export const payoutsTasks = [
  defineTask({
    ...clearPayTask,
    queue: 'money',
    run: (scope, { clearingId }) => runClearing(scope, clearingId),
  }),
  defineTask({
    ...sendWithdrawalTask,
    queue: 'money',
    run: (scope, { withdrawalId }) => sendWithdrawal(scope, withdrawalId),
  }),
];
