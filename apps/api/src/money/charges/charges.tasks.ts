import { defineTask } from '../../platform/tasks/tasks.ts';
import { askForCharge, stopCharge } from './charge-asking.ts';
import { askTask, cancelTask, refundTask } from './charges.ts';
import { sendRefund } from './refunds.ts';

export const chargesTasks = [
  defineTask({ ...askTask, queue: 'money', run: (scope, { chargeId }) => askForCharge(scope, chargeId) }),
  defineTask({ ...cancelTask, queue: 'money', run: (scope, { chargeId }) => stopCharge(scope, chargeId) }),
  defineTask({ ...refundTask, queue: 'money', run: (scope, { refundId }) => sendRefund(scope, refundId) }),
];
