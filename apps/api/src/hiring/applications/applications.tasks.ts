import { defineTask } from '../../platform/tasks/tasks.ts';
import { applicationTimerTask } from './applications.ts';
import { startMovedTask } from './decide-by.ts';
import { fillApplicationsTask, notifyOfClosedJobTask, runApplicationClock } from './end-applications.ts';

const clockTask = defineTask({
  ...applicationTimerTask,
  run: (scope, { applicationId }) => runApplicationClock(scope, applicationId),
});

export const applicationsTasks = [clockTask, fillApplicationsTask, notifyOfClosedJobTask, startMovedTask];
