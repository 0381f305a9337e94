import { defineTask } from '../../platform/tasks/tasks.ts';
import { runCheckoutEnd } from './hold-checkout.service.ts';
import { checkout } from './holds.clock.ts';

export const holdsTasks = [
  defineTask({ ...checkout, queue: 'money', run: (scope, { holdId }) => runCheckoutEnd(scope, holdId) }),
];
