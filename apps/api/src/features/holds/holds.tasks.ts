import { defineTask } from '../../platform/tasks.ts';
import { runNoShowEnd } from './hold-endings.service.ts';
import { runCheckoutEnd } from './hold-outcomes.service.ts';
import { checkout, noShowEnd } from './holds.clock.ts';

export const holdsTasks = [
  defineTask({ ...checkout, run: (scope, { holdId }) => runCheckoutEnd(scope, holdId) }),
  defineTask({ ...noShowEnd, run: (scope, { engagementId }) => runNoShowEnd(scope, engagementId) }),
];
