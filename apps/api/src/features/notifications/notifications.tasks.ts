import { z } from 'zod';
import { defineTask } from '../../platform/tasks.ts';
import { mailNotification, mailTaskName } from './notifications.service.ts';

/** Enqueued with the notice itself, by `insertNotices`. */
export const mailTask = defineTask({
  name: mailTaskName,
  payload: z.object({ notificationId: z.uuid() }),
  run: (scope, { notificationId }) => mailNotification(scope, notificationId),
});
