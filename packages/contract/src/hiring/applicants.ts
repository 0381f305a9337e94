import { z } from 'zod';
import { limits } from '../limits.ts';
import {
  id,
  instant,
  line,
  operation,
  pageInput,
  pageOf,
  prose,
  queryFlag,
  queryInteger,
  version,
} from '../operation.ts';
import { workerCard } from '../people/profiles.ts';
import { skillIds } from '../people/taxonomy.ts';
import { rejectReasons } from '../reject-reasons.ts';
import { applicationStatuses } from './applications.rules.ts';
import { applicationFields, applicationMove } from './applications.ts';
import { jobQuestion } from './job-posting.ts';
import { hiringLimits } from './limits.ts';
import { matchReason } from './matching.ts';

/**
 * The lanes of the pipeline, in order; `done` contains completed work, `ended` every exit, including
 * cancelled work.
 */
export const stages = ['new', 'shortlisted', 'interviewing', 'offered', 'hired', 'done', 'ended'] as const;
export type Stage = (typeof stages)[number];

export const applicant = z.object({
  ...applicationFields,
  jobId: id,
  jobTitle: z.string(),
  /** The start of the job; null if its time is open. */
  jobStartsAt: instant.nullable(),
  seriesId: id.nullable(),
  /** Offered and rejected together with the worker's applications of the series that have it (ADR 414). */
  asBlock: z.boolean(),
  /** The shifts of the job's series that the worker applied for, this one included; 1 for a single job. */
  shiftsApplied: z.number().int(),
  /** The job's zone: times and distances use it (ADR 20). */
  timeZone: z.string(),
  questions: z.array(jobQuestion),
  worker: workerCard,
  /** Metres from the worker's home area to the job, rounded to 500 m; null if the home is unknown. */
  distanceM: z.number().int().nullable(),
  stage: z.enum(stages),
  /** 0 to 100, and its parts; ranked highest first. */
  matchScore: z.number().int(),
  match: z.array(matchReason),
  tags: z.array(z.string()),
  notes: z.number().int(),
});
export type Applicant = z.infer<typeof applicant>;

/** `waiting`: the business owes a reply; `live`: also offers and hires; `ended`: the rest. */
const groups = ['waiting', 'live', 'ended'] as const;
export type ApplicantGroup = (typeof groups)[number];

export const applicantSorts = ['match', 'newest', 'deadline'] as const;
export type ApplicantSort = (typeof applicantSorts)[number];

/** `match`: best first; `newest`: latest first; `deadline`: earliest decide-by first. */
const applicantFilters = {
  group: z.enum(groups).optional(),
  stage: z.enum(stages).optional(),
  sort: z.enum(applicantSorts).default('match'),
  q: line(limits.searchMax, 0).optional(),
  skill: z.enum(skillIds).optional(),
  tag: line(hiringLimits.tagMax).optional(),
  withinM: queryInteger(hiringLimits.applicantWithinMinM, hiringLimits.applicantWithinMaxM).optional(),
  rehire: queryFlag.optional(),
  ...pageInput,
};

const rejection = { reason: z.enum(rejectReasons), note: prose(limits.reasonMax).default('') };
const moveErrors = [
  'application/not-found',
  'application/not-allowed',
  'application/stale',
  'application/wrong-state',
] as const;
/** The version lets the server refuse the second of two concurrent recruiters. */
const applicationRef = z.object({ applicationId: id, version: version.optional() });
const many = z.object({ businessId: id, items: z.array(applicationRef).min(1).max(limits.bulkMax) });
/** The result for one of many. If it has changed, `status` is the current one and `by` who changed it (ADR 49). */
const bulkResult = z.object({
  applicationId: id,
  ok: z.boolean(),
  code: z.string().nullable(),
  status: z.enum(applicationStatuses).nullable(),
  by: z.string().nullable(),
});
export type BulkResult = z.infer<typeof bulkResult>;

/** A business's applicants and the recruiters' moves. */
export const applicants = {
  ofJob: operation({
    access: 'member:coordinator',
    errors: ['job/not-found', 'job/not-allowed', 'request/bad-cursor'],
  })
    .route({
      method: 'GET',
      path: '/jobs/{jobId}/applications',
      summary: 'Applicants of one job, best match or newest first',
    })
    .input(z.object({ jobId: id, ...applicantFilters }))
    .output(pageOf(applicant)),
  ofBusiness: operation({
    access: 'member:coordinator',
    errors: ['business/not-found', 'business/not-allowed', 'request/bad-cursor'],
  })
    .route({
      method: 'GET',
      path: '/businesses/{businessId}/applications',
      summary: 'Applicants for all jobs of a business, best match or newest first',
    })
    .input(z.object({ businessId: id, ...applicantFilters }))
    .output(pageOf(applicant)),
  ofWorker: operation({ access: 'member:coordinator', errors: ['profile/not-found'] })
    .route({
      method: 'GET',
      path: '/workers/{workerId}/applications',
      summary: 'Applications of one worker to your businesses, newest first, at most 100',
    })
    .input(z.object({ workerId: id }))
    .output(z.array(applicant)),
  get: operation({
    access: 'member:coordinator',
    errors: ['application/not-found', 'application/not-allowed'],
  })
    .route({ method: 'GET', path: '/applicants/{applicationId}', summary: 'Get an applicant' })
    .input(z.object({ applicationId: id }))
    .output(applicant),
  view: operation({
    access: 'member:coordinator',
    errors: ['application/not-found', 'application/not-allowed', 'application/wrong-state'],
    effects: [],
  })
    .route(applicationMove('view', 'Mark an application as viewed by the business; idempotent'))
    .input(z.object({ applicationId: id }))
    .output(applicant),
  shortlist: operation({ access: 'member:coordinator', errors: moveErrors, effects: ['hire'] })
    .route(applicationMove('shortlist', 'Shortlist an applicant'))
    .input(applicationRef)
    .output(applicant),
  unshortlist: operation({ access: 'member:coordinator', errors: moveErrors, effects: [] })
    .route(applicationMove('unshortlist', 'Remove an applicant from the shortlist'))
    .input(applicationRef)
    .output(applicant),
  reject: operation({
    access: 'member:coordinator',
    errors: moveErrors,
    effects: ['text:note'],
    whileSuspended: 'retreat',
  })
    .route(
      applicationMove(
        'reject',
        'Reject an applicant for a job, and all dates of its block, with a reason the worker sees',
      ),
    )
    .input(applicationRef.extend(rejection))
    .output(applicant),
  bulk: operation({
    access: 'member:coordinator',
    errors: ['business/not-found', 'business/not-allowed'],
    effects: ['hire:action=shortlist', 'text:note'],
  })
    .route({
      method: 'POST',
      path: '/businesses/{businessId}/applications/bulk',
      summary: 'Move up to 100 applicants at once, with a result for each',
    })
    .input(
      z.discriminatedUnion('action', [
        many.extend({ action: z.enum(['shortlist', 'unshortlist']) }),
        many.extend({ action: z.literal('reject'), ...rejection }),
      ]),
    )
    .output(z.object({ results: z.array(bulkResult) })),
};
