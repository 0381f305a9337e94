import { defineTask } from '../../platform/tasks/tasks.ts';
import { applicationTimerTask } from './applications.ts';
import { startMovedTask } from './decide-by.ts';
import { applyDecideBy, fillApplicationsTask, notifyOfClosedJobTask } from './end-applications.ts';

const clockTask = defineTask({
  ...applicationTimerTask,
  run: (scope, { applicationId }) => applyDecideBy(scope, applicationId),
});

export const applicationsTasks = [clockTask, fillApplicationsTask, notifyOfClosedJobTask, startMovedTask];
