import { defineTask } from '../../platform/tasks.ts';
import { askForCharge, stopCharge } from './charge-asking.service.ts';
import { askTask, cancelTask, eventTask, reconcileTask, refundTask } from './payments.queue.ts';
import { runReconciliation } from './reconciliation.service.ts';
import { sendRefund } from './refunds.service.ts';
import { handleEvent } from './webhooks.service.ts';

export const paymentsTasks = [
  defineTask({ ...askTask, run: (scope, { chargeId }) => askForCharge(scope, chargeId) }),
  defineTask({ ...cancelTask, run: (scope, { chargeId }) => stopCharge(scope, chargeId) }),
  defineTask({ ...refundTask, run: (scope, { refundId }) => sendRefund(scope, refundId) }),
  defineTask({ ...eventTask, run: (scope, { eventId }) => handleEvent(scope, eventId) }),
  defineTask({ ...reconcileTask, run: (scope) => runReconciliation(scope) }),
];
