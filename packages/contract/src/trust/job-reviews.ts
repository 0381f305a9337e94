import { z } from 'zod';
import { jobStatuses, optionalTextNames } from '../hiring/jobs.rules.ts';
import { payUnits, textShape } from '../hiring/jobs.ts';
import { screeningRules } from '../hiring/screening.rules.ts';
import { houseRules } from '../house-rules.ts';
import { currency } from '../money.ts';
import { id, instant, operation, prose } from '../operation.ts';
import { businessStatuses } from '../people/businesses.rules.ts';
import { categoryIds } from '../people/taxonomy.ts';
import { sanctionLimits } from './sanctions.rules.ts';
import { sanction } from './sanctions.ts';

export const screeningFinding = z.object({ rule: z.enum(screeningRules), evidence: z.string() });

export const jobReview = z.object({
  jobId: id,
  version: z.number().int(),
  title: z.string(),
  category: z.enum(categoryIds),
  description: z.string(),
  requirements: z.array(z.string()),
  area: z.string(),
  /** Null for a task without times. Evidence kept by earlier versions has no times and spots. */
  startsAt: instant.nullable().default(null),
  endsAt: instant.nullable().default(null),
  headCount: z.number().int().nullable().default(null),
  /** Minor units per `unit`; null for a job without pay. */
  payMinor: z.number().int().nullable(),
  payUnit: z.enum(payUnits),
  currency,
  ...textShape(optionalTextNames),
  business: z.object({ id, name: z.string(), status: z.enum(businessStatuses) }),
  /** True if workers have seen the job before: it was changed or reopened. */
  wasPublic: z.boolean(),
  found: z.array(screeningFinding),
  at: instant,
  /** The status it gets if it is opened now. */
  opensAs: z.enum(jobStatuses),
  /** Earlier decisions about the business and its jobs, newest first, at most 20. */
  earlier: z.array(sanction),
});
export type JobReview = z.infer<typeof jobReview>;

/** `version`: the version that the operator read; a changed job is refused with job/stale. */
const ofJob = z.object({ jobId: id, version: z.number().int().min(1).optional() });
const ofCase = { may: 'moderation', needs: 'claim', case: { kind: 'job_review', id: 'jobId' } } as const;
const errors = ['job/not-found', 'job/stale', 'job-review/decided', 'operator/own-record'] as const;

/** Jobs that the automatic check flagged: an operator decides whether workers see them (ADR 178). */
export const jobReviews = {
  open: operation({
    access: 'operator',
    operator: { ...ofCase, decides: { decision: 'open', reason: null } },
    errors: [...errors],
    effects: [],
  })
    .route({
      method: 'POST',
      path: '/operators/job-reviews/{jobId}/open',
      summary: 'Open a job in review; what was found is cleared for it',
    })
    .input(ofJob)
    .output(z.object({ jobId: id, status: z.enum(jobStatuses) })),
  refuse: operation({
    access: 'operator',
    operator: { ...ofCase, decides: { decision: 'refuse', reason: 'facts' } },
    errors: [...errors],
    effects: ['text'],
  })
    .route({
      method: 'POST',
      path: '/operators/job-reviews/{jobId}/refuse',
      summary: 'Refuse a job in review, with a statement of reasons that the business can appeal',
    })
    .input(ofJob.extend({ rule: z.enum(houseRules), facts: prose(sanctionLimits.factsMax, 1) }))
    .output(sanction),
};
