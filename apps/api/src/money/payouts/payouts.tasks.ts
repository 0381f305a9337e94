import { defineTask } from '../../platform/tasks/tasks.ts';
import { runClearing } from './clearing.service.ts';
import { clear, send } from './payouts.timers.ts';
import { sendWithdrawal } from './withdrawal-states.service.ts';

export const payoutsTasks = [
  defineTask({ ...clear, queue: 'money', run: (scope, { clearingId }) => runClearing(scope, clearingId) }),
  defineTask({
    ...send,
    queue: 'money',
    run: (scope, { withdrawalId }) => sendWithdrawal(scope, withdrawalId),
  }),
];
