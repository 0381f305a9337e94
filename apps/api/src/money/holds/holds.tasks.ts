import { defineTask } from '../../platform/tasks/tasks.ts';
import { runCheckoutEnd } from './hold-checkout.ts';
import { checkout } from './holds.ts';

export const holdsTasks = [
  defineTask({ ...checkout, queue: 'money', run: (scope, { holdId }) => runCheckoutEnd(scope, holdId) }),
];
