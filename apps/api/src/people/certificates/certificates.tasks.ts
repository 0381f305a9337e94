import { defineTask } from '../../platform/tasks/tasks.ts';
import {
  deleteCopy,
  deleteCopyTask,
  expire,
  expireTask,
  remind,
  remindTask,
} from './certificate-decisions.service.ts';

export const certificatesTasks = [
  defineTask({
    ...deleteCopyTask,
    queue: 'housekeeping',
    run: (scope, { certificateId }) => deleteCopy(scope, certificateId),
  }),
  defineTask({ ...expireTask, run: (scope, { certificateId }) => expire(scope, certificateId) }),
  defineTask({ ...remindTask, run: remind }),
];
