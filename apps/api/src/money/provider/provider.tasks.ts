import { z } from 'zod';
import { defineTask } from '../../platform/tasks/tasks.ts';
import { auditProvider } from './provider-books.ts';
import { runReconciliation } from './reconciliation.ts';
import { eventTask, handleEvent, reconcileTask } from './webhooks.ts';

export const providerTasks = [
  defineTask({ name: 'provider.audit', payload: z.object({}).loose(), daily: true, run: auditProvider }),
  defineTask({ ...eventTask, queue: 'money', run: (scope, { eventId }) => handleEvent(scope, eventId) }),
  defineTask({ ...reconcileTask, queue: 'money', run: (scope) => runReconciliation(scope) }),
];
