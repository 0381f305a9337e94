import { defineTask } from '../../platform/tasks/tasks.ts';
import { confirmWatch, runConfirmWatch } from './confirm-watch.service.ts';
import { noShowEnd, runNoShowEnd } from './engagement-timers.service.ts';

/** Set at booking; reschedules itself between its two times. */
const confirmWatchTask = defineTask({
  ...confirmWatch,
  run: (scope, { engagementId }) => runConfirmWatch(scope, engagementId),
});

/** Set when a no-show is reported. */
const noShowEndTask = defineTask({
  ...noShowEnd,
  run: (scope, { engagementId }) => runNoShowEnd(scope, engagementId),
});

export const engagementsTasks = [confirmWatchTask, noShowEndTask];
