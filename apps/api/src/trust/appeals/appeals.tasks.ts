import { defineTask } from '../../platform/tasks/tasks.ts';
import { appealDeadline } from './appeals.clock.ts';
import { escalateAppeal } from './appeals.service.ts';

const escalate = defineTask({
  ...appealDeadline,
  run: (scope, payload) => scope.db.transaction().execute((tx) => escalateAppeal(tx, scope, payload)),
});

export const appealsTasks = [escalate];
