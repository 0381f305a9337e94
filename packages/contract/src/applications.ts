import { z } from 'zod';
import { storedFile } from './files.ts';
import { interviewModes, interviewStatuses } from './interviews.ts';
import { jobCard, jobQuestion, jobStatuses } from './jobs.ts';
import { limits } from './limits.ts';
import { matchReason } from './matching.ts';
import { offerStatuses } from './offers.ts';
import {
  id,
  instant,
  line,
  operation,
  pageInput,
  pageOf,
  prose,
  queryFlag,
  queryNumber,
  version,
} from './operation.ts';
import { workerCard } from './profiles.ts';
import { skillIds } from './taxonomy.ts';
import { fundings } from './terms.ts';

/** product.md, States: Application. */
export const applicationStatuses = [
  'submitted',
  'viewed',
  'shortlisted',
  'interviewing',
  'offered',
  'hired',
  'withdrawn',
  'rejected',
  'offer_declined',
  'offer_expired',
  'offer_withdrawn',
  'no_response',
  'position_filled',
  'job_closed',
] as const;
export type ApplicationStatus = (typeof applicationStatuses)[number];

/** Statuses in which an application is still alive; one live application per worker and job. */
export const liveApplicationStatuses = [
  'submitted',
  'viewed',
  'shortlisted',
  'interviewing',
  'offered',
  'hired',
] as const satisfies readonly ApplicationStatus[];

/** The lanes of the pipeline, in order; `ended` is every exit. */
export const stages = ['new', 'shortlisted', 'interviewing', 'offered', 'hired', 'ended'] as const;
export type Stage = (typeof stages)[number];

/** Why an application was turned down; the worker sees it in words. */
export const rejectReasons = [
  'experience',
  'availability',
  'distance',
  'answers',
  'others',
  'other',
] as const;
export type RejectReason = (typeof rejectReasons)[number];

/** What the viewer can do with an application now, as the server says. `propose-interview` and `offer` open the form of that slice. */
export const applicationActions = [
  'edit',
  'withdraw',
  'view',
  'shortlist',
  'unshortlist',
  'reject',
  'propose-interview',
  'offer',
  'join-waitlist',
  'leave-waitlist',
] as const;
export type ApplicationAction = (typeof applicationActions)[number];

/** An answer to one screening question: text for `text` and `choice`, true or false for `yes_no`, a number for `number`. */
export const answer = z.object({
  questionId: id,
  value: z.union([prose(limits.answerMax), z.boolean(), z.number()]),
});
export type Answer = z.infer<typeof answer>;

/** One dated step of an application, for its timeline. */
export const applicationStep = z.object({
  status: z.enum(applicationStatuses),
  at: instant,
  /** What was written about it. */
  reason: z.string().nullable(),
  /** Why it was turned down; of the step `rejected` only. */
  rejectReason: z.enum(rejectReasons).nullable(),
});
export type ApplicationStep = z.infer<typeof applicationStep>;

const common = {
  id,
  version,
  status: z.enum(applicationStatuses),
  coverNote: z.string(),
  answers: z.array(answer),
  cv: storedFile.nullable(),
  submittedAt: instant,
  viewedAt: instant.nullable(),
  /** When it closes with no response unless the business decides (product.md: 14 d). */
  decideBy: instant,
  steps: z.array(applicationStep),
  /** The live interview, or else the last. */
  interview: z
    .object({
      id,
      status: z.enum(interviewStatuses),
      mode: z.enum(interviewModes),
      startsAt: instant.nullable(),
    })
    .nullable(),
  /** The last offer. */
  offer: z
    .object({ id, status: z.enum(offerStatuses), funding: z.enum(fundings), expiresAt: instant })
    .nullable(),
  engagementId: id.nullable(),
  /** Since when the worker stays on the waitlist of a filled job, and their place in it. */
  waitlist: z.object({ since: instant, position: z.number().int() }).nullable(),
  actions: z.array(z.enum(applicationActions)),
};

/** An application as its worker sees it. The job's questions are those of today while it can be edited, then those that were answered. */
export const myApplication = z.object({
  ...common,
  job: jobCard.extend({ status: z.enum(jobStatuses), questions: z.array(jobQuestion) }),
});
export type MyApplication = z.infer<typeof myApplication>;

/** An application as the business sees it. */
export const applicant = z.object({
  ...common,
  jobId: id,
  jobTitle: z.string(),
  /** Of the place of the job: times and distances are told by it (ADR 0121). */
  timeZone: z.string(),
  /** As they were when they were answered. */
  questions: z.array(jobQuestion),
  worker: workerCard,
  /** Metres from the worker's home area to the job, rounded to 500 m; null where no home is given. */
  distanceM: z.number().int().nullable(),
  stage: z.enum(stages),
  /** 0 to 100, and what it is made of; ranked highest first. */
  matchScore: z.number().int(),
  match: z.array(matchReason),
  tags: z.array(z.string()),
  notes: z.number().int(),
});
export type Applicant = z.infer<typeof applicant>;

const content = {
  coverNote: prose(limits.coverNoteMax),
  answers: z.array(answer).max(limits.questionsMax),
  cvFileId: id.nullable(),
};

/** What a worker sends to apply. A CV is a file of their own, uploaded before. */
export const applicationInput = z.object({
  coverNote: content.coverNote.default(''),
  answers: content.answers.default([]),
  cvFileId: content.cvFileId.default(null),
});
export type ApplicationInput = z.infer<typeof applicationInput>;

const groups = ['live', 'ended'] as const;

/** How applicants are picked and ordered. `match`: best first; `newest`: latest first. */
const applicantFilters = {
  group: z.enum(groups).optional(),
  stage: z.enum(stages).optional(),
  sort: z.enum(['match', 'newest']).default('match'),
  /** Words of the name. */
  q: line(100, 0).optional(),
  skill: z.enum(skillIds).optional(),
  tag: line(limits.tagMax).optional(),
  /** Metres from the home area to the job at most. */
  withinM: queryNumber.int().min(100).max(500_000).optional(),
  /** Only who worked for the business before. */
  rehire: queryFlag.optional(),
  ...pageInput,
};

/** The head of a pipeline: how many stand in each lane, how many seats there are, who waits longest. */
export const board = z.object({
  stages: z.record(z.enum(stages), z.number().int()),
  /** Of one job; null for all jobs of a business. */
  job: jobCard
    .extend({ status: z.enum(jobStatuses), hired: z.number().int(), offered: z.number().int() })
    .nullable(),
  waiting: z.object({ count: z.number().int(), firstDecideBy: instant.nullable() }),
});
export type Board = z.infer<typeof board>;

const rejection = { reason: z.enum(rejectReasons), note: prose(limits.reasonMax).default('') };
const moveErrors = [
  'application/not-found',
  'application/not-allowed',
  'application/stale',
  'application/wrong-state',
] as const;
/** The route of a move of an application. */
const applicationMove = (name: string, summary: string) => ({
  method: 'POST' as const,
  path: `/applications/{applicationId}/${name}` as const,
  summary,
});
/** The version is given where the client has it: two recruiters at once, the later one is told. */
const one = z.object({ applicationId: id, version: version.optional() });
const many = z.object({ businessId: id, items: z.array(one).min(1).max(limits.bulkMax) });
/** What became of one of many. Where it has moved on, `status` is what it is now and, where somebody was faster, `by` who made it so (ADR 0060). */
const bulkResult = z.object({
  applicationId: id,
  ok: z.boolean(),
  code: z.string().nullable(),
  status: z.enum(applicationStatuses).nullable(),
  by: z.string().nullable(),
});
export type BulkResult = z.infer<typeof bulkResult>;

/** A worker's applications, and the applicants of a business with what its recruiters do with them. */
export const applications = {
  submit: operation({
    access: 'verified',
    errors: [
      'job/not-found',
      'job/not-open',
      'job/filled',
      'engagement/overlap',
      'application/already-applied',
      'application/own-business',
      'application/answers-invalid',
      'application/daily-limit',
      'application/cv-required',
      'application/name-required',
      'file/not-found',
      'file/wrong-type',
    ],
  })
    .route({
      method: 'POST',
      path: '/jobs/{jobId}/applications',
      summary: 'Apply for an open job',
      successStatus: 201,
    })
    .input(applicationInput.extend({ jobId: id }))
    .output(myApplication),
  mine: operation({ access: 'verified', errors: ['request/bad-cursor'] })
    .route({ method: 'GET', path: '/applications', summary: 'The own applications, newest first' })
    .input(z.object({ group: z.enum(groups).optional(), ...pageInput }))
    .output(pageOf(myApplication)),
  get: operation({ access: 'verified', errors: ['application/not-found'] })
    .route({ method: 'GET', path: '/applications/{applicationId}', summary: 'One of the own applications' })
    .input(z.object({ applicationId: id }))
    .output(myApplication),
  update: operation({
    access: 'verified',
    errors: [
      'application/not-found',
      'application/not-allowed',
      'application/stale',
      'application/wrong-state',
      'application/answers-invalid',
      'application/cv-required',
      'file/not-found',
      'file/wrong-type',
    ],
  })
    .route({
      method: 'PATCH',
      path: '/applications/{applicationId}',
      summary: 'Change an application that was not viewed yet',
    })
    .input(z.object(content).partial().extend({ applicationId: id, version }))
    .output(myApplication),
  withdraw: operation({
    access: 'verified',
    errors: ['application/not-found', 'application/not-allowed', 'application/wrong-state'],
  })
    .route(applicationMove('withdraw', 'Take an application back'))
    .input(z.object({ applicationId: id }))
    .output(myApplication),
  forJob: operation({
    access: 'member:recruiter',
    errors: ['job/not-found', 'job/not-allowed', 'request/bad-cursor'],
  })
    .route({
      method: 'GET',
      path: '/jobs/{jobId}/applications',
      summary: 'Applicants of one job, best match or newest first',
    })
    .input(z.object({ jobId: id, ...applicantFilters }))
    .output(pageOf(applicant)),
  forBusiness: operation({
    access: 'member:recruiter',
    errors: ['business/not-found', 'business/not-allowed', 'request/bad-cursor'],
  })
    .route({
      method: 'GET',
      path: '/businesses/{businessId}/applications',
      summary: 'Applicants over all jobs of a business, best match or newest first',
    })
    .input(z.object({ businessId: id, ...applicantFilters }))
    .output(pageOf(applicant)),
  ofWorker: operation({ access: 'member:recruiter', errors: ['profile/not-found'] })
    .route({
      method: 'GET',
      path: '/workers/{workerId}/applications',
      summary: 'Applications of one worker to your businesses, newest first, at most 100',
    })
    .input(z.object({ workerId: id }))
    .output(z.array(applicant)),
  view: operation({
    access: 'member:recruiter',
    errors: ['application/not-found', 'application/not-allowed', 'application/wrong-state'],
  })
    .route(
      applicationMove('view', 'Mark an application as seen by the business; repeated it changes nothing'),
    )
    .input(z.object({ applicationId: id }))
    .output(applicant),
  board: operation({ access: 'member:recruiter', errors: ['job/not-found', 'job/not-allowed'] })
    .route({ method: 'GET', path: '/jobs/{jobId}/board', summary: 'The lanes of one job with their counts' })
    .input(z.object({ jobId: id }))
    .output(board),
  boardOfBusiness: operation({
    access: 'member:recruiter',
    errors: ['business/not-found', 'business/not-allowed'],
  })
    .route({
      method: 'GET',
      path: '/businesses/{businessId}/board',
      summary: 'The lanes over all jobs of a business with their counts',
    })
    .input(z.object({ businessId: id }))
    .output(board),
  applicant: operation({
    access: 'member:recruiter',
    errors: ['application/not-found', 'application/not-allowed'],
  })
    .route({ method: 'GET', path: '/applicants/{applicationId}', summary: 'One applicant' })
    .input(z.object({ applicationId: id }))
    .output(applicant),
  shortlist: operation({ access: 'member:recruiter', errors: moveErrors })
    .route(applicationMove('shortlist', 'Put on the shortlist'))
    .input(one)
    .output(applicant),
  unshortlist: operation({ access: 'member:recruiter', errors: moveErrors })
    .route(applicationMove('unshortlist', 'Take off the shortlist'))
    .input(one)
    .output(applicant),
  reject: operation({ access: 'member:recruiter', errors: moveErrors })
    .route(applicationMove('reject', 'Turn down, with a reason that the worker sees'))
    .input(one.extend(rejection))
    .output(applicant),
  bulk: operation({ access: 'member:recruiter', errors: ['business/not-found', 'business/not-allowed'] })
    .route({
      method: 'POST',
      path: '/businesses/{businessId}/applications/bulk',
      summary: 'Move up to 100 applicants at once; each answers for itself',
    })
    .input(
      z.discriminatedUnion('action', [
        many.extend({ action: z.enum(['shortlist', 'unshortlist']) }),
        many.extend({ action: z.literal('reject'), ...rejection }),
      ]),
    )
    .output(z.object({ results: z.array(bulkResult) })),
  joinWaitlist: operation({
    access: 'verified',
    errors: [
      'application/not-found',
      'application/not-allowed',
      'application/wrong-state',
      'application/not-waiting',
    ],
  })
    .route(applicationMove('waitlist', 'Stay on the waitlist of a filled job: be offered a seat that frees'))
    .input(z.object({ applicationId: id }))
    .output(myApplication),
  leaveWaitlist: operation({
    access: 'verified',
    errors: ['application/not-found', 'application/not-allowed', 'application/wrong-state'],
  })
    .route({
      method: 'DELETE',
      path: '/applications/{applicationId}/waitlist',
      summary: 'Leave the waitlist',
    })
    .input(z.object({ applicationId: id }))
    .output(myApplication),
};
