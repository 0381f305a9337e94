import type { Job } from '@nearhand/contract/hiring/jobs';
import type { Business } from '@nearhand/contract/people/businesses';
import {
  emptyJobForm,
  formOfJob,
  isJobForm,
  type JobForm,
  type JobStep,
  jobStepIds,
} from './job-form.rules.ts';

/** What the device keeps of a job being written. `jobId`: the server has it as draft too. */
export type KeptJob = { form: JobForm; step: JobStep; jobId: string | null };

export function isKeptJob(value: unknown): value is KeptJob {
  if (typeof value !== 'object' || value === null) return false;
  const { form, step, jobId } = value as Record<string, unknown>;
  return (
    isJobForm(form) && jobStepIds.includes(step as JobStep) && (jobId === null || typeof jobId === 'string')
  );
}

/** One draft a business is written at a time from scratch; drafts of the server are kept apart by their id. */
export const keptJobKey = (businessId: string, jobId: string | null): string =>
  jobId ? `job:${jobId}` : `new-job:${businessId}`;

export const emptyKeptJob = (): KeptJob => ({ form: emptyJobForm(), step: 'what', jobId: null });

export const keptJobOf = (job: Job, business: Business): KeptJob => ({
  form: formOfJob(job, business),
  step: 'what',
  jobId: job.id,
});
