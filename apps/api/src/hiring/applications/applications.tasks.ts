import { defineTask } from '../../platform/tasks/tasks.ts';
import { clock } from './applications.ts';
import { moveDecideBys, startMovedTask } from './decide-by.ts';
import {
  fill,
  fillApplications,
  notifyOfClosedJob,
  notifyOfClosing,
  runApplicationClock,
} from './end-applications.ts';

const clockTask = defineTask({
  ...clock,
  run: (scope, { applicationId }) => runApplicationClock(scope, applicationId),
});

const fillTask = defineTask({ ...fill, run: (scope, { jobId }) => fillApplications(scope, jobId) });

const notifyOfClosedJobTask = defineTask({ ...notifyOfClosedJob, run: notifyOfClosing });

const startMoved = defineTask({ ...startMovedTask, run: (scope, { jobId }) => moveDecideBys(scope, jobId) });

export const applicationsTasks = [clockTask, fillTask, notifyOfClosedJobTask, startMoved];
