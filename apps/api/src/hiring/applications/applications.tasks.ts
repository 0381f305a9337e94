import { defineTask } from '../../platform/tasks/tasks.ts';
import { applicationTimerTask } from './applications.ts';
import { moveDecideBys, startMovedTask } from './decide-by.ts';
import {
  fillApplications,
  fillApplicationsTask,
  notifyOfClosedJob,
  notifyOfClosing,
  runApplicationClock,
} from './end-applications.ts';

const clockTask = defineTask({
  ...applicationTimerTask,
  run: (scope, { applicationId }) => runApplicationClock(scope, applicationId),
});

const fillTask = defineTask({
  ...fillApplicationsTask,
  run: (scope, { jobId }) => fillApplications(scope, jobId),
});

const notifyOfClosedJobTask = defineTask({ ...notifyOfClosedJob, run: notifyOfClosing });

const startMoved = defineTask({ ...startMovedTask, run: (scope, { jobId }) => moveDecideBys(scope, jobId) });

export const applicationsTasks = [clockTask, fillTask, notifyOfClosedJobTask, startMoved];
