import { z } from 'zod';
import { currency } from '../money.ts';
import { id, idAndName, operation } from '../operation.ts';
import { labelName } from '../people/names.ts';
import { categoryIds } from '../people/taxonomy.ts';
import { blockHasDays, blockWithoutDays, jobDraft, postedShift } from './job-posting.ts';
import { job } from './jobs.ts';
import { hiringLimits } from './limits.ts';

/** The parts of a shift in its template. The date is chosen each time; photos belong to one job. */
export const templateDraft = jobDraft.omit({
  kind: true,
  startsAt: true,
  endsAt: true,
  dueOn: true,
  photoIds: true,
});
export type TemplateDraft = z.infer<typeof templateDraft>;

export const jobTemplate = z.object({
  id,
  name: z.string(),
  title: z.string(),
  category: z.enum(categoryIds),
  branch: idAndName.nullable(),
  /** Hourly, in minor units; null for a template without pay. */
  payMinor: z.number().int().nullable(),
  currency,
  breakMinutes: z.number().int(),
  breakPaid: z.boolean(),
  instantHire: z.boolean(),
  headCount: z.number().int(),
  /** The zone of its place, and the usual start and end there, `HH:MM`. */
  timeZone: z.string(),
  from: z.string().nullable(),
  to: z.string().nullable(),
});
export type JobTemplate = z.infer<typeof jobTemplate>;

const templateErrors = ['job-template/not-found', 'job-template/not-allowed'] as const;

/**
 * Shifts that a business posts again and again, for its recruiters. Recruiters limited to branches see only
 * these branches' templates.
 */
export const jobTemplates = {
  list: operation({ access: 'member:coordinator', errors: ['business/not-found', 'business/not-allowed'] })
    .route({
      method: 'GET',
      path: '/businesses/{businessId}/job-templates',
      summary: 'Job templates of a business by name',
    })
    .input(z.object({ businessId: id }))
    .output(z.array(jobTemplate).max(hiringLimits.jobTemplatesMax)),
  save: operation({
    access: 'member:coordinator',
    errors: [
      'job/not-found',
      'job/not-allowed',
      'job/cannot-repeat',
      'job-template/name-taken',
      'job-template/too-many',
    ],
    effects: [],
  })
    .route({
      method: 'POST',
      path: '/jobs/{jobId}/template',
      summary: 'Save a shift as a template, without its date and the people booked',
      successStatus: 201,
    })
    .input(
      z.object({
        jobId: id,
        name: labelName(hiringLimits.titleMax),
        /** Replaces the template of this name. */
        replace: z.boolean().default(false),
      }),
    )
    .output(jobTemplate),
  delete: operation({ access: 'member:coordinator', errors: templateErrors, effects: [] })
    .route({
      method: 'DELETE',
      path: '/job-templates/{templateId}',
      summary: 'Delete a template; jobs posted from it stay',
    })
    .input(z.object({ templateId: id }))
    .output(z.object({ deleted: z.literal(true) })),
  post: operation({
    access: 'member:coordinator',
    errors: [
      ...templateErrors,
      'business/wrong-state',
      'branch/not-found',
      'branch/closed',
      'payment/balance-short',
      'payment/over-budget',
      'payment/credit-overdue',
      'job/incomplete',
      'job/starts-in-past',
      'job/too-far-ahead',
      'job/open-limit',
      'job/not-instant',
      'job/cannot-repeat',
      'job/dates-overlap',
    ],
    effects: ['hire', 'money'],
  })
    .route({
      method: 'POST',
      path: '/job-templates/{templateId}/jobs',
      summary: 'Create a job from a template, and publish it unless it stays a draft: all of it or nothing',
      successStatus: 201,
    })
    .input(postedShift.extend({ templateId: id }).refine(blockHasDays, blockWithoutDays))
    .output(job),
};
