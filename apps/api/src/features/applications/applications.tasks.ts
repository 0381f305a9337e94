import { defineTask } from '../../platform/tasks.ts';
import { runApplicationClock } from './application-endings.service.ts';
import { clock } from './applications.clock.ts';

/** Set when an application is submitted, by `insertApplication`; sets itself again. */
const clockTask = defineTask({
  ...clock,
  run: (scope, { applicationId }) => runApplicationClock(scope, applicationId),
});

export const applicationsTasks = [clockTask];
