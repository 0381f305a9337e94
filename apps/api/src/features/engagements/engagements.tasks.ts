import { defineTask } from '../../platform/tasks.ts';
import { confirmWatch, runConfirmWatch } from './confirm-watch.service.ts';

/** Set at booking; sets itself again between the two times. */
const confirmWatchTask = defineTask({
  ...confirmWatch,
  run: (scope, { engagementId }) => runConfirmWatch(scope, engagementId),
});

export const engagementsTasks = [confirmWatchTask];
