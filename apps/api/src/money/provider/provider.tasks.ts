import { defineTask } from '../../platform/tasks/tasks.ts';
import { runReconciliation } from './reconciliation.ts';
import { eventTask, handleEvent, reconcileTask } from './webhooks.ts';

export const providerTasks = [
  defineTask({ ...eventTask, queue: 'money', run: (scope, { eventId }) => handleEvent(scope, eventId) }),
  defineTask({ ...reconcileTask, queue: 'money', run: (scope) => runReconciliation(scope) }),
];
