import { defineTask } from '../../platform/tasks/tasks.ts';
import { requestCharge, stopCharge } from './charge-requests.ts';
import { askTask, cancelTask, refundTask } from './charges.ts';
import { sendRefund } from './refunds.ts';

export const chargesTasks = [
  defineTask({ ...askTask, queue: 'money', run: (scope, { chargeId }) => requestCharge(scope, chargeId) }),
  defineTask({ ...cancelTask, queue: 'money', run: (scope, { chargeId }) => stopCharge(scope, chargeId) }),
  defineTask({ ...refundTask, queue: 'money', run: (scope, { refundId }) => sendRefund(scope, refundId) }),
];
