import { defineTask } from '../../platform/tasks/tasks.ts';
import { deletePhotosOf, deletePhotosTask } from './identity-decisions.service.ts';

export const identityChecksTasks = [
  defineTask({
    ...deletePhotosTask,
    queue: 'housekeeping',
    run: (scope, { checkId }) => deletePhotosOf(scope, checkId),
  }),
];
