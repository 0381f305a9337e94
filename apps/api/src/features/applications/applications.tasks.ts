import { defineTask } from '../../platform/tasks.ts';
import { clock, runApplicationClock } from './application-endings.service.ts';

/** Set when an application is submitted, by `insertApplication`; sets itself again. */
const clockTask = defineTask({
  ...clock,
  run: (scope, { applicationId }) => runApplicationClock(scope, applicationId),
});

export const applicationsTasks = [clockTask];
