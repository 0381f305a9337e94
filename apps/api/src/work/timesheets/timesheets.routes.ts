import { timesheets } from '@nearhand/contract/work/timesheets';
import { write } from '../../platform/http/bind.ts';
import { approveWork } from './approval.service.ts';
import { deliverWork, requestChanges } from './deliveries.service.ts';
import { acceptCounter, counterHours, submitHours } from './hours.service.ts';

export const timesheetsRoutes = {
  submitHours: write(timesheets.submitHours, submitHours),
  counter: write(timesheets.counter, counterHours),
  acceptCounter: write(timesheets.acceptCounter, acceptCounter),
  deliver: write(timesheets.deliver, deliverWork),
  requestChanges: write(timesheets.requestChanges, requestChanges),
  approve: write(timesheets.approve, approveWork),
};
