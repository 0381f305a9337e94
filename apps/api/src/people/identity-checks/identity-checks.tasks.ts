import { defineTask } from '../../platform/tasks/tasks.ts';
import { deletePhotosOf, deletePhotosTask } from './identity-decisions.ts';

export const identityChecksTasks = [
  defineTask({
    ...deletePhotosTask,
    queue: 'housekeeping',
    run: (scope, { checkId }) => deletePhotosOf(scope, checkId),
  }),
];
