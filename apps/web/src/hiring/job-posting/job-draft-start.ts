import type { Job } from '@nearhand/contract/hiring/jobs';
import type { Business } from '@nearhand/contract/people/businesses';
import { emptyJobForm, formOfJob, type JobForm, type JobStep, jobStepIds } from './job-form.rules.ts';

export type StoredJobDraft = {
  form: JobForm;
  step: JobStep;
  jobId: string | null;
  /** Other days for the same shift. */
  alsoOn: string[];
  /** True to hire for all days or none. Absent in drafts of older app versions. */
  asBlock?: boolean;
};

/** Validates a stored form, which an older app version may have written. */
export function isJobForm(value: unknown): value is JobForm {
  if (typeof value !== 'object' || value === null) return false;
  const empty = emptyJobForm() as Record<string, unknown>;
  const draft = value as Record<string, unknown>;
  return Object.keys(empty).every(
    (key) =>
      typeof draft[key] === typeof empty[key] && Array.isArray(draft[key]) === Array.isArray(empty[key]),
  );
}

export function isStoredJobDraft(value: unknown): value is StoredJobDraft {
  if (typeof value !== 'object' || value === null) return false;
  const { form, step, jobId, alsoOn } = value as Record<string, unknown>;
  return (
    isJobForm(form) &&
    jobStepIds.includes(step as JobStep) &&
    (jobId === null || typeof jobId === 'string') &&
    Array.isArray(alsoOn)
  );
}

/** One new draft per business; the server's drafts are stored separately by id. */
export const jobDraftKey = (businessId: string, jobId: string | null): string =>
  jobId ? `job:${jobId}` : `new-job:${businessId}`;

export const emptyJobDraft = ({ category }: Pick<Business, 'category'>, day = ''): StoredJobDraft => ({
  form: { ...emptyJobForm(), category, day, from: '09:00', to: '17:00' },
  step: 'what',
  jobId: null,
  alsoOn: [],
});

/** Returns whether someone typed anything into a new job. */
export const hasInput = ({ form, jobId }: StoredJobDraft, business: Pick<Business, 'category'>): boolean =>
  jobId !== null || JSON.stringify(form) !== JSON.stringify(emptyJobDraft(business).form);

export const storedJobOf = (job: Job, business: Business): StoredJobDraft => ({
  form: formOfJob(job, business),
  step: 'what',
  jobId: job.id,
  alsoOn: [],
});
