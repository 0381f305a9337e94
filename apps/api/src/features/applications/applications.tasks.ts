import { defineTask } from '../../platform/tasks.ts';
import { fill, fillApplications, runApplicationClock } from './application-endings.service.ts';
import { clock } from './applications.clock.ts';

/** Set when an application is submitted, by `insertApplication`; sets itself again. */
const clockTask = defineTask({
  ...clock,
  run: (scope, { applicationId }) => runApplicationClock(scope, applicationId),
});

/** Set by the offers slice when the last seat of a job is hired. */
const fillTask = defineTask({ ...fill, run: (scope, { jobId }) => fillApplications(scope, jobId) });

export const applicationsTasks = [clockTask, fillTask];
