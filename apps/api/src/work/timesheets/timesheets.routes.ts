import { timesheets } from '@nearhand/contract/work/timesheets';
import { read, write } from '../../platform/http/bind.ts';
import { defineTask } from '../../platform/tasks/tasks.ts';
import { autoSubmit } from '../engagements/engagements.ts';
import { settlementClock } from '../settlement/settlement.ts';
import { approveWork } from './approval.ts';
import {
  approvalDigest,
  approvalRuleOf,
  approveByRule,
  approvePlanned,
  ruleChanged,
  sendDigest,
  setApprovalRule,
  showRule,
} from './approval-rules.ts';
import { deliverWork, requestChanges } from './deliveries.ts';
import { acceptCounter, counterHours, submitHours } from './hours.ts';
import { settleBySilence, submitForWorker } from './timesheets.ts';

export const timesheetsTasks = [
  defineTask({ ...autoSubmit, run: (scope, { engagementId }) => submitForWorker(scope, engagementId) }),
  defineTask({
    ...settlementClock,
    run: (scope, { engagementId }) => settleBySilence(scope, engagementId),
  }),
  defineTask({ ...approvePlanned, run: (scope, { engagementId }) => approveByRule(scope, engagementId) }),
  defineTask({ ...ruleChanged, run: (scope, { businessId }) => showRule(scope, businessId) }),
  defineTask({ ...approvalDigest, run: sendDigest }),
];

export const timesheetsRoutes = {
  submitHours: write(timesheets.submitHours, submitHours),
  counter: write(timesheets.counter, counterHours),
  acceptCounter: write(timesheets.acceptCounter, acceptCounter),
  deliver: write(timesheets.deliver, deliverWork),
  requestChanges: write(timesheets.requestChanges, requestChanges),
  approve: write(timesheets.approve, approveWork),
  rule: read(timesheets.rule, approvalRuleOf),
  setRule: write(timesheets.setRule, setApprovalRule),
};
