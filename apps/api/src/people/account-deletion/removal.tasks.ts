import { defineTask } from '../../platform/tasks/tasks.ts';
import {
  removal,
  sendDeletionCode,
  sendPostponed,
  sendRemoved,
  sendScheduled,
} from './account-deletion.tasks.ts';
import { runRemoval } from './removal.service.ts';

const removeAccount = defineTask({
  ...removal,
  queue: 'housekeeping',
  run: (scope, { deletionId }) => runRemoval(scope, deletionId),
});

export const accountDeletionTasks = [
  removeAccount,
  sendDeletionCode,
  sendScheduled,
  sendPostponed,
  sendRemoved,
];
