import { charges } from '@nearhand/contract/money/charges';
import { read, write } from '../../platform/http/bind.ts';
import { defineTask } from '../../platform/tasks/tasks.ts';
import { requestCharge, stopCharge } from './charge-requests.ts';
import { askTask, cancelChargeTask, getCharge, refundTask } from './charges.ts';
import { refundBalance, sendRefund } from './refunds.ts';

export const chargesRoutes = {
  get: read(charges.get, getCharge),
  refund: write(charges.refund, refundBalance),
};

export const chargesTasks = [
  defineTask({ ...askTask, queue: 'money', run: (scope, { chargeId }) => requestCharge(scope, chargeId) }),
  defineTask({
    ...cancelChargeTask,
    queue: 'money',
    run: (scope, { chargeId }) => stopCharge(scope, chargeId),
  }),
  defineTask({ ...refundTask, queue: 'money', run: (scope, { refundId }) => sendRefund(scope, refundId) }),
];
