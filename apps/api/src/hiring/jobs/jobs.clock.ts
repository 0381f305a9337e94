import { z } from 'zod';

/** The life that a timer was set for: a reopened job has another end, so older timers are no-ops. */
const life = z.object({ jobId: z.uuid(), expiresAt: z.iso.datetime() });

/** The timers of a job's life, with their payloads. */
export const expiryWarning = { name: 'jobs.warn-of-expiry', payload: life };
export const expiry = { name: 'jobs.expire', payload: life };
