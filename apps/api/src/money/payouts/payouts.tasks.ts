import { defineTask } from '../../platform/tasks/tasks.ts';
import { clear, runClearing } from './clearing.ts';
import { send, sendWithdrawal } from './withdrawal-states.ts';

export const payoutsTasks = [
  defineTask({ ...clear, queue: 'money', run: (scope, { clearingId }) => runClearing(scope, clearingId) }),
  defineTask({
    ...send,
    queue: 'money',
    run: (scope, { withdrawalId }) => sendWithdrawal(scope, withdrawalId),
  }),
];
