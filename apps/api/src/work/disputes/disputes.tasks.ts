import { defineTask } from '../../platform/tasks/tasks.ts';
import { runDisputeClock } from './dispute-steps.service.ts';
import { disputeClock } from './dispute-timer.service.ts';

export const disputesTasks = [
  defineTask({ ...disputeClock, run: (scope, { disputeId }) => runDisputeClock(scope, disputeId) }),
];
