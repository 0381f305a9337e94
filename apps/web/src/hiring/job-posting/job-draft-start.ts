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

/** What the device stores of a job being written. `jobId`: it is also a draft on the server. */
export type KeptJob = { form: JobForm; step: JobStep; jobId: string | null };

export function isKeptJob(value: unknown): value is KeptJob {
  if (typeof value !== 'object' || value === null) return false;
  const { form, step, jobId } = value as Record<string, unknown>;
  return (
    isJobForm(form) && jobStepIds.includes(step as JobStep) && (jobId === null || typeof jobId === 'string')
  );
}

/** One new draft per business; the server's drafts are stored separately by id. */
export const keptJobKey = (businessId: string, jobId: string | null): string =>
  jobId ? `job:${jobId}` : `new-job:${businessId}`;

export const emptyKeptJob = (): KeptJob => ({ form: emptyJobForm(), step: 'what', jobId: null });

export const keptJobOf = (job: Job, business: Business): KeptJob => ({
  form: formOfJob(job, business),
  step: 'what',
  jobId: job.id,
});
