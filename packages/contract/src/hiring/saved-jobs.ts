import { z } from 'zod';
import { id, instant, operation, pageInput, pageOf } from '../operation.ts';
import { jobStatuses } from './jobs.rules.ts';
import { jobCard } from './jobs.ts';

const jobRef = z.object({ jobId: id });
const savedState = z.object({ jobId: id, saved: z.boolean() });

/** A saved job in its current state. Filled or closed jobs stay until they are removed. */
export const savedJob = z.object({ job: jobCard, status: z.enum(jobStatuses), savedAt: instant });
export type SavedJob = z.infer<typeof savedJob>;

/** Jobs that an account saved (spec: `/favorite`). Private to the account. */
export const savedJobs = {
  save: operation({ access: 'signed-in', errors: ['job/not-found', 'saved-job/too-many'], effects: [] })
    .route({ method: 'PUT', path: '/jobs/{jobId}/saved', summary: 'Save a job' })
    .input(jobRef)
    .output(savedState),
  remove: operation({ access: 'signed-in', errors: [], effects: [], whileSuspended: 'retreat' })
    .route({ method: 'DELETE', path: '/jobs/{jobId}/saved', summary: 'Remove a saved job' })
    .input(jobRef)
    .output(savedState),
  ids: operation({ access: 'signed-in', errors: [] })
    .route({ method: 'GET', path: '/me/saved-jobs/ids', summary: 'Ids of all your saved jobs' })
    .output(z.array(id)),
  list: operation({ access: 'signed-in', errors: ['request/bad-cursor'] })
    .route({ method: 'GET', path: '/me/saved-jobs', summary: 'List your saved jobs, last saved first' })
    .input(z.object(pageInput))
    .output(pageOf(savedJob)),
};
