import { defineTask } from '../../platform/tasks/tasks.ts';
import { expireJob, warnOfExpiry } from './job-expiry.service.ts';
import { expiry, expiryWarning } from './jobs.clock.ts';

export const warnOfExpiryTask = defineTask({
  ...expiryWarning,
  run: ({ db, clock }, payload) => db.transaction().execute((tx) => warnOfExpiry(tx, { clock }, payload)),
});

export const expireJobTask = defineTask({
  ...expiry,
  run: (scope, payload) => scope.db.transaction().execute((tx) => expireJob(tx, scope, payload)),
});

export const jobsTasks = [warnOfExpiryTask, expireJobTask];
