import { z } from 'zod';

/** The life that a timer was set for: a job opened anew has another end, and older timers find nothing to do. */
const life = z.object({ jobId: z.uuid(), expiresAt: z.iso.datetime() });

/** The timers of a job's life: what is enqueued and what it carries. Apart from what they run, so that a seat can set them (`seats.service.ts`). */
export const expiryWarning = { name: 'jobs.warn-of-expiry', payload: life };
export const expiry = { name: 'jobs.expire', payload: life };
