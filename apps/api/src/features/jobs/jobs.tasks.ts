import { z } from 'zod';
import { defineTask } from '../../platform/tasks.ts';
import { expireJob, warnOfExpiry } from './job-expiry.service.ts';

/** The life that a timer was set for: a job opened anew has another end, and older timers find nothing to do. */
const life = z.object({ jobId: z.uuid(), expiresAt: z.iso.datetime() });

export const warnOfExpiryTask = defineTask({
  name: 'jobs.warn-of-expiry',
  payload: life,
  run: ({ db, clock }, payload) => db.transaction().execute((tx) => warnOfExpiry(tx, { clock }, payload)),
});

export const expireJobTask = defineTask({
  name: 'jobs.expire',
  payload: life,
  run: ({ db, clock }, payload) => db.transaction().execute((tx) => expireJob(tx, { clock }, payload)),
});

export const jobsTasks = [warnOfExpiryTask, expireJobTask];
