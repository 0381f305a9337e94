import { defineTask } from '../../platform/tasks/tasks.ts';
import { approvalExpiry } from './second-approvals.clock.ts';
import { expireApproval } from './second-approvals.service.ts';

const expire = defineTask({
  ...approvalExpiry,
  run: (scope, payload) => scope.db.transaction().execute((tx) => expireApproval(tx, scope, payload)),
});

export const secondApprovalsTasks = [expire];
