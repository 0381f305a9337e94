import { z } from 'zod';
import { defineTask } from '../../platform/tasks/tasks.ts';
import { deleteOldEvents } from './sessions.sql.ts';

/** Removes sign-in history older than `limits.signInHistoryDays`. */
export const purgeHistory = defineTask({
  name: 'sessions.purge-history',
  payload: z.object({}),
  daily: true,
  run: ({ db, clock }) => deleteOldEvents(db, clock.now()),
});

export const sessionsTasks = [purgeHistory];
