import { defineTask } from '../../platform/tasks.ts';
import { autoSubmit } from './auto-submit.service.ts';
import { settlementClock } from './settlement-timer.service.ts';
import { runAutoSubmit, runSettlementClock } from './timesheet-clock.service.ts';

export const timesheetsTasks = [
  defineTask({ ...autoSubmit, run: (scope, { engagementId }) => runAutoSubmit(scope, engagementId) }),
  defineTask({
    ...settlementClock,
    run: (scope, { engagementId }) => runSettlementClock(scope, engagementId),
  }),
];
