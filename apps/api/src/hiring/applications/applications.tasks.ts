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

/** Set when an application is submitted, by `insertApplication`; reschedules itself. */
const clockTask = defineTask({
  ...clock,
  run: (scope, { applicationId }) => runApplicationClock(scope, applicationId),
});

/** Set by the offers slice when the last spot of a job is hired. */
const fillTask = defineTask({ ...fill, run: (scope, { jobId }) => fillApplications(scope, jobId) });

/** Set when a job is closed, one per 200 of its workers. */
const notifyOfClosedJobTask = defineTask({ ...notifyOfClosedJob, run: notifyOfClosing });

/** Set when the start of a job's work is moved. */
const startMoved = defineTask({ ...startMovedTask, run: (scope, { jobId }) => moveDecideBys(scope, jobId) });

export const applicationsTasks = [clockTask, fillTask, notifyOfClosedJobTask, startMoved];
