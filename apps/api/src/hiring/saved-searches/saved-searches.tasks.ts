import { z } from 'zod';
import { defineTask } from '../../platform/tasks/tasks.ts';
import { announceDue, dueAlerts } from './job-alerts.service.ts';
import { forgetRemovedSearches } from './saved-searches.service.ts';
import { forgetEndedJob, forgetJob, matchJob, matchOpenedJob } from './search-matches.service.ts';

export const savedSearchesTasks = [
  /** Set when a job opens. */
  defineTask({ ...matchJob, run: matchOpenedJob }),
  /** Set for each time at which jobs are to be announced. */
  defineTask({ ...dueAlerts, run: announceDue }),
  /** Set when a job ends for good. */
  defineTask({ ...forgetJob, run: forgetEndedJob }),
  defineTask({
    name: 'saved-searches.forget-removed',
    payload: z.object({}),
    daily: true,
    run: forgetRemovedSearches,
  }),
];
