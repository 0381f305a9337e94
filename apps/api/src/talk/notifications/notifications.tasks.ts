import { z } from 'zod';
import { defineTask } from '../../platform/tasks/tasks.ts';
import { deliver } from './deliveries.service.ts';
import { deliverTask, digestTask } from './delivery-tasks.ts';
import { sendDigest } from './digest.service.ts';
import { forgetOldNotices, forgetSettledAsks } from './old-notices.service.ts';

/** `insertNotices` enqueues the first two with the notice. */
export const notificationsTasks = [
  defineTask({
    ...deliverTask,
    queue: 'messages',
    run: (scope, { deliveryId }) => deliver(scope, deliveryId),
  }),
  defineTask({
    ...digestTask,
    queue: 'messages',
    run: (scope, { accountId }) => sendDigest(scope, accountId),
  }),
  defineTask({
    name: 'notifications.forget-old',
    payload: z.object({}),
    daily: true,
    run: (scope) => forgetOldNotices(scope),
  }),
  defineTask({
    name: 'notifications.settle',
    payload: z.object({}),
    daily: true,
    run: (scope) => forgetSettledAsks(scope),
  }),
];
