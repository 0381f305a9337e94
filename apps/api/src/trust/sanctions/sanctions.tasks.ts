import { defineTask, enqueue } from '../../platform/tasks/tasks.ts';
import { jobsOfSuspended, sanctionExpiry } from './sanctions.clock.ts';
import { expireSanction, followJobs } from './sanctions.service.ts';

const expire = defineTask({
  ...sanctionExpiry,
  run: (scope, payload) => scope.db.transaction().execute((tx) => expireSanction(tx, scope, payload)),
});

const follow = defineTask({
  ...jobsOfSuspended,
  run: (scope, payload) =>
    scope.db.transaction().execute(async (tx) => {
      const after = await followJobs(tx, scope, payload);
      if (after !== null) await enqueue(tx, jobsOfSuspended, { ...payload, after });
    }),
});

export const sanctionsTasks = [expire, follow];
