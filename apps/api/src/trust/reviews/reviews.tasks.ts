import { defineTask } from '../../platform/tasks/tasks.ts';
import { runPublication } from './publication.service.ts';
import { runReminder } from './review-openings.service.ts';
import { publication, reminder } from './review-timers.ts';

/** Set when work ends, for when its time to review is over. */
const publish = defineTask({
  ...publication,
  run: (scope, { engagementId }) => runPublication(scope, engagementId),
});
/** Set when work ends, for some days later. */
const remind = defineTask({
  ...reminder,
  run: (scope, { engagementId, day }) => runReminder(scope, engagementId, day),
});

export const reviewsTasks = [publish, remind];
