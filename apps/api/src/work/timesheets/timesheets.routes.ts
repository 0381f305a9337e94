import { timesheets } from '@nearhand/contract/work/timesheets';
import { write } from '../../platform/http/bind.ts';
import { approveWork } from './approval.ts';
import { deliverWork, requestChanges } from './deliveries.ts';
import { acceptCounter, counterHours, submitHours } from './hours.ts';

export const timesheetsRoutes = {
  submitHours: write(timesheets.submitHours, submitHours),
  counter: write(timesheets.counter, counterHours),
  acceptCounter: write(timesheets.acceptCounter, acceptCounter),
  deliver: write(timesheets.deliver, deliverWork),
  requestChanges: write(timesheets.requestChanges, requestChanges),
  approve: write(timesheets.approve, approveWork),
};
