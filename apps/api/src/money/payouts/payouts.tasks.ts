import { defineTask } from '../../platform/tasks/tasks.ts';
import { runClearing } from './clearing.ts';
import { clear, send } from './held-withdrawals.ts';
import { sendWithdrawal } from './withdrawal-states.ts';

export const payoutsTasks = [
  defineTask({ ...clear, queue: 'money', run: (scope, { clearingId }) => runClearing(scope, clearingId) }),
  defineTask({
    ...send,
    queue: 'money',
    run: (scope, { withdrawalId }) => sendWithdrawal(scope, withdrawalId),
  }),
];
