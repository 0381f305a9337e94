import { defineTask } from '../../platform/tasks/tasks.ts';
import { eventTask, reconcileTask } from './provider.queue.ts';
import { runReconciliation } from './reconciliation.service.ts';
import { handleEvent } from './webhooks.service.ts';

export const providerTasks = [
  defineTask({ ...eventTask, queue: 'money', run: (scope, { eventId }) => handleEvent(scope, eventId) }),
  defineTask({ ...reconcileTask, queue: 'money', run: (scope) => runReconciliation(scope) }),
];
