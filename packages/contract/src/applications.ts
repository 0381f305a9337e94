import { z } from 'zod';
import { storedFile } from './files.ts';
import { jobCard, jobQuestion, jobStatuses } from './jobs.ts';
import { limits } from './limits.ts';
import { id, instant, operation, pageInput, pageOf, prose, version } from './operation.ts';
import { workerCard } from './profiles.ts';

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

export const applicationActions = ['edit', 'withdraw', 'view'] as const;
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
  reason: z.string().nullable(),
});

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
  /** As they were when they were answered. */
  questions: z.array(jobQuestion),
  worker: workerCard,
  /** Metres from the worker's home area to the job, rounded to 500 m; null where no home is given. */
  distanceM: z.number().int().nullable(),
});
export type Applicant = z.infer<typeof applicant>;

const content = {
  coverNote: prose(limits.coverNoteMax),
  answers: z.array(answer).max(limits.questionsMax),
  cvFileId: id.nullable(),
};

export const applicationInput = z.object({
  coverNote: content.coverNote.default(''),
  answers: content.answers.default([]),
  cvFileId: content.cvFileId.default(null),
});
export type ApplicationInput = z.infer<typeof applicationInput>;

const groups = ['live', 'ended'] as const;

export const applications = {
  submit: operation({
    access: 'verified',
    errors: [
      'job/not-found',
      'job/not-open',
      'application/already-applied',
      'application/own-business',
      'application/answers-invalid',
      'application/daily-limit',
      'application/cv-required',
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
    .route({
      method: 'POST',
      path: '/applications/{applicationId}/withdraw',
      summary: 'Take an application back',
    })
    .input(z.object({ applicationId: id }))
    .output(myApplication),
  forJob: operation({
    access: 'member:recruiter',
    errors: ['job/not-found', 'job/not-allowed', 'request/bad-cursor'],
  })
    .route({
      method: 'GET',
      path: '/jobs/{jobId}/applications',
      summary: 'Applicants of one job, newest first',
    })
    .input(z.object({ jobId: id, group: z.enum(groups).optional(), ...pageInput }))
    .output(pageOf(applicant)),
  forBusiness: operation({
    access: 'member:recruiter',
    errors: ['business/not-found', 'business/not-allowed', 'request/bad-cursor'],
  })
    .route({
      method: 'GET',
      path: '/businesses/{businessId}/applications',
      summary: 'Applicants over all jobs of a business, newest first',
    })
    .input(z.object({ businessId: id, group: z.enum(groups).optional(), ...pageInput }))
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
    .route({
      method: 'POST',
      path: '/applications/{applicationId}/view',
      summary: 'Mark an application as seen by the business; repeated it changes nothing',
    })
    .input(z.object({ applicationId: id }))
    .output(applicant),
};
