import { z } from 'zod';
import { defineTask, type TaskScope } from '../../platform/tasks/tasks.ts';
import type { SandboxParts } from './sandbox.parts.ts';
import { isSandbox } from './sandbox.service.ts';
import { advanceCharge, advanceChargeTask } from './sandbox-charges.service.ts';
import { deliver, deliverTask } from './sandbox-events.service.ts';
import { advanceIdentity, advanceIdentityTask } from './sandbox-identity.service.ts';
import { forgetOldTokens } from './sandbox-methods.service.ts';
import { advancePayout, advancePayoutTask } from './sandbox-payouts.service.ts';

/** The sandbox as a task sees it, at the task's time. With another provider leftover tasks are dropped. */
async function inSandbox(scope: TaskScope, work: (parts: SandboxParts) => Promise<void>): Promise<void> {
  if (isSandbox(scope.provider)) await work({ ...scope.provider.sandbox, db: scope.db, clock: scope.clock });
}

/** The sandbox's tasks. All are idempotent. */
export const sandboxTasks = [
  defineTask({
    ...advanceChargeTask,
    queue: 'money',
    run: (scope, { ref }) => inSandbox(scope, (parts) => advanceCharge(parts, ref)),
  }),
  defineTask({
    ...advancePayoutTask,
    queue: 'money',
    run: (scope, { ref }) => inSandbox(scope, (parts) => advancePayout(parts, ref)),
  }),
  defineTask({
    ...advanceIdentityTask,
    queue: 'money',
    run: (scope, { ownerId }) => inSandbox(scope, (parts) => advanceIdentity(parts, ownerId)),
  }),
  defineTask({
    ...deliverTask,
    queue: 'money',
    // In the demo town's past no server is listening, and a signature from then would be too old; its events are listed.
    run: async (scope, { deliveryId }) => {
      if (!scope.unmailed) await inSandbox(scope, (parts) => deliver(parts, deliveryId));
    },
  }),
  defineTask({
    name: 'sandbox.forget',
    payload: z.object({}).loose(),
    daily: true,
    run: (scope) => inSandbox(scope, forgetOldTokens),
  }),
];
