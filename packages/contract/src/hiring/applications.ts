import { z } from 'zod';
import { fundings } from '../money/funding.ts';
import { id, instant, operation, pageInput, pageOf, prose, version } from '../operation.ts';
import { proseWithoutContact } from '../people/email.ts';
import { storedFile } from '../people/files.ts';
import { rejectReasons } from '../reject-reasons.ts';
import { sides } from '../sides.ts';
import { applicationStatuses } from './applications.rules.ts';
import { interviewModes, interviewStatuses } from './interviews.ts';
import { jobQuestion } from './job-posting.ts';
import { shareChannels } from './job-shares.rules.ts';
import { jobStatuses, workEndings } from './jobs.rules.ts';
import { jobCard, pay } from './jobs.ts';
import { hiringLimits } from './limits.ts';
import { offerStatuses } from './offers.ts';

/** The origin of an application: the worker applied, or the business offered the job directly (ADR 165). */
export const applicationOrigins = ['applied', 'rebook'] as const;

/** The viewer's possible moves, decided by the server. `propose-interview` and `offer` open those slices' forms. */
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

/** An answer to a screening question: text for `text` and `choice`, a boolean for `yes_no`, a number for `number`. */
export const answer = z.object({
  questionId: id,
  value: z.union([prose(hiringLimits.answerMax), z.boolean(), z.number()]),
});
export type Answer = z.infer<typeof answer>;

export const applicationStep = z.object({
  status: z.enum(applicationStatuses),
  at: instant,
  reason: z.string().nullable(),
  rejectReason: z.enum(rejectReasons).nullable(),
});
export type ApplicationStep = z.infer<typeof applicationStep>;

export const applicationFields = {
  id,
  version,
  status: z.enum(applicationStatuses),
  origin: z.enum(applicationOrigins),
  coverNote: z.string(),
  answers: z.array(answer),
  cv: storedFile.nullable(),
  submittedAt: instant,
  viewedAt: instant.nullable(),
  /** The application closes then without a response unless the business decides (product.md: 14 d). */
  decideBy: instant,
  steps: z.array(applicationStep),
  interview: z
    .object({
      id,
      status: z.enum(interviewStatuses),
      mode: z.enum(interviewModes),
      startsAt: instant.nullable(),
      /** The deadline for answering open times; null if none are open. */
      answerBy: instant.nullable(),
      /** The side that must answer open times; null if none are open. */
      awaits: z.enum(sides).nullable(),
    })
    .nullable(),
  offer: z
    .object({ id, status: z.enum(offerStatuses), funding: z.enum(fundings), expiresAt: instant, pay })
    .nullable(),
  engagementId: id.nullable(),
  /** The end of the booked work; null if nothing was booked or until it ends. */
  workEnding: z.enum(workEndings).nullable(),
  waitlist: z.object({ since: instant, position: z.number().int() }).nullable(),
  actions: z.array(z.enum(applicationActions)),
};

/**
 * An application as its worker sees it. While it can be edited, it has the job's current questions, afterwards the
 * answered questions.
 */
export const myApplication = z.object({
  ...applicationFields,
  job: jobCard.extend({
    status: z.enum(jobStatuses),
    /** The series of a shift; null for a single one. Applications for shifts of one series are shown as one. */
    seriesId: id.nullable(),
    questions: z.array(jobQuestion),
  }),
});
export type MyApplication = z.infer<typeof myApplication>;

const content = {
  coverNote: proseWithoutContact(hiringLimits.coverNoteMax),
  answers: z.array(answer).max(hiringLimits.questionsMax),
  cvFileId: id.nullable(),
};

/** The worker's input. The CV is their own uploaded file. */
export const applicationInput = z.object({
  coverNote: content.coverNote.default(''),
  answers: content.answers.default([]),
  cvFileId: content.cvFileId.default(null),
});
export type ApplicationInput = z.infer<typeof applicationInput>;

const groups = ['live', 'ended'] as const;

export const applicationMove = (name: string, summary: string) => ({
  method: 'POST' as const,
  path: `/applications/{applicationId}/${name}` as const,
  summary,
});
/** Operations on applications: those of the worker, and the business's moves. */
export const applications = {
  submit: operation({
    access: 'verified',
    errors: [
      'job/not-found',
      'job/not-open',
      'job/filled',
      'engagement/overlap',
      'application/already-applied',
      'application/booking-required',
      'application/not-bookable',
      'application/own-business',
      'application/answers-invalid',
      'application/daily-limit',
      'application/cv-required',
      'application/name-required',
      'application/date-differs',
      'job/all-dates-required',
      'file/not-found',
      'file/wrong-type',
    ],
    effects: ['apply', 'text:coverNote', 'text:answers.value'],
  })
    .route({
      method: 'POST',
      path: '/jobs/{jobId}/applications',
      summary:
        'Apply for an open job, and with `alsoFor` for other shifts of its series: all of them or none',
      successStatus: 201,
    })
    .input(
      applicationInput.extend({
        jobId: id,
        /**
         * Agrees to be booked at once. Required by a job that would hire instantly, refused by any other (ADR
         * 39).
         */
        book: z.boolean().optional(),
        channel: z.enum(shareChannels).optional(),
        /** Other shifts of the job's series, each a separate application. */
        alsoFor: z
          .array(id)
          .max(hiringLimits.alsoOnDaysMax)
          .refine((ids) => new Set(ids).size === ids.length, { message: 'each shift once' })
          .default([]),
        /** The shift of the series whose questions `answers` are to. Absent for the job itself. */
        answeredJobId: id.optional(),
      }),
    )
    .output(myApplication),
  mine: operation({ access: 'verified', errors: ['request/bad-cursor'] })
    .route({ method: 'GET', path: '/applications', summary: 'List your applications, newest first' })
    .input(z.object({ group: z.enum(groups).optional(), ...pageInput }))
    .output(pageOf(myApplication)),
  get: operation({ access: 'verified', errors: ['application/not-found'] })
    .route({ method: 'GET', path: '/applications/{applicationId}', summary: 'Get one of your applications' })
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
    effects: ['apply', 'text:coverNote', 'text:answers.value'],
  })
    .route({
      method: 'PATCH',
      path: '/applications/{applicationId}',
      summary: 'Edit an application that has not been viewed yet',
    })
    .input(z.object(content).partial().extend({ applicationId: id, version }))
    .output(myApplication),
  withdraw: operation({
    access: 'verified',
    errors: [
      'application/not-found',
      'application/not-allowed',
      'application/wrong-state',
      'application/date-differs',
    ],
    effects: [],
    whileSuspended: 'retreat',
  })
    .route(
      applicationMove(
        'withdraw',
        'Withdraw an application, and with `alsoFor` those for other shifts of its series: all or none',
      ),
    )
    .input(
      z.object({
        applicationId: id,
        alsoFor: z
          .array(id)
          .max(hiringLimits.alsoOnDaysMax)
          .refine((ids) => new Set(ids).size === ids.length, { message: 'each application once' })
          .default([]),
      }),
    )
    .output(myApplication),
};
