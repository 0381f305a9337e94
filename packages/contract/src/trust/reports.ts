import { z } from 'zod';
import { jobStatuses } from '../hiring/jobs.rules.ts';
import { payUnits } from '../hiring/jobs.ts';
import { currency } from '../money.ts';
import { id, idAndName, instant, operation, pageInput, pageOf, prose } from '../operation.ts';
import { businessStatuses } from '../people/businesses.rules.ts';
import { storedFile } from '../people/files.ts';
import { sides } from '../sides.ts';
import { chatReportReasons, dismissal } from '../talk/chat-reports.ts';
import {
  reasonsOf,
  reportCaseStatuses,
  reportKinds,
  reportLimits,
  reportOutcomes,
  reportReasons,
} from './reports.rules.ts';
import { reviewStates } from './reviews.rules.ts';
import { runningWork, sanction, statement } from './sanctions.ts';

const subject = z.object({ kind: z.enum(reportKinds), id, name: z.string() });

export const report = z.object({
  id,
  /** A message or a conversation is named by the conversation's id and the other side's name. */
  subject: subject.extend({ kind: z.enum([...reportKinds, 'message', 'conversation']) }),
  reason: z.enum([...reportReasons, ...chatReportReasons]),
  at: instant,
  outcome: z.enum(reportOutcomes).nullable(),
  answer: z.string().nullable(),
  decidedAt: instant.nullable(),
  /** The last moment to contest a dismissal; null if that isn't possible. */
  contestUntil: instant.nullable(),
  contest: z
    .object({
      words: z.string(),
      at: instant,
      outcome: z.enum(reportOutcomes).nullable(),
      answer: z.string().nullable(),
      decidedAt: instant.nullable(),
    })
    .nullable(),
});
export type Report = z.infer<typeof report>;

const staffReport = z.object({
  id,
  by: z.object({ accountId: id, name: z.string() }),
  reason: z.enum(reportReasons),
  note: z.string(),
  files: z.array(storedFile),
  at: instant,
});

/** The facts of a reported job, for operators. `payMinor`: minor units of `currency`; null without pay. */
const reportedJob = z.object({
  payMinor: z.number().int().nullable(),
  payUnit: z.enum(payUnits),
  currency,
  startsAt: instant.nullable(),
  endsAt: instant.nullable(),
  area: z.string(),
  headCount: z.number().int(),
  hiredCount: z.number().int(),
});

/** The business that is reported, offers the reported job or wrote the reported review, for operators. */
const reportedBusiness = z.object({
  legalName: z.string(),
  registrationNumber: z.string(),
  countryCode: z.string(),
  status: z.enum(businessStatuses),
  owners: z.array(z.string()),
  openJobs: z.number().int(),
  createdAt: instant,
});

/** All reports of one subject until it is decided, as one case for operators. */
export const reportCase = z.object({
  id,
  status: z.enum(reportCaseStatuses),
  subject: subject.extend({
    /** A job's or business's description, a worker's bio, the words of a review. */
    text: z.string(),
    /** Null for a worker. */
    status: z.enum([...jobStatuses, ...businessStatuses, ...reviewStates]).nullable(),
  }),
  business: idAndName.nullable(),
  author: z.enum(sides).nullable(),
  worker: idAndName.nullable(),
  /**
   * The work that a review is about, or the last work before the report between its sides. `engagementId` is null
   * if they only wrote about a job.
   */
  work: z
    .object({
      engagementId: id.nullable(),
      title: z.string(),
      startsAt: instant.nullable(),
      endsAt: instant.nullable(),
      timeZone: z.string(),
    })
    .nullable(),
  openedAt: instant,
  dueAt: instant,
  /** The number of distinct people, not of reports. */
  reporters: z.number().int(),
});
export type ReportCase = z.infer<typeof reportCase>;
export const fullReportCase = reportCase.extend({
  /** Oldest first, at most 100. */
  reports: z.array(staffReport),
  /** The dismissal that this case contests. Its decider neither sees nor decides it. */
  contested: dismissal.extend({ reports: z.array(staffReport) }).nullable(),
  /** Null unless a job is reported. */
  job: reportedJob.nullable(),
  /** Null if a worker or a review by a worker is reported. */
  company: reportedBusiness.nullable(),
  /** Newest first, at most 20. */
  earlier: z.array(sanction),
  /** Running work of the side that a suspension concerns. */
  running: runningWork.default({ openJobs: 0, bookings: 0 }),
  outcome: z.object({ answer: z.string(), decidedAt: instant, sanction: sanction.nullable() }).nullable(),
});
export type FullReportCase = z.infer<typeof fullReportCase>;

const ofCase = z.object({ reportCaseId: id });
const answer = prose(reportLimits.answerMax, 1);

/** Reports of jobs, businesses, workers and reviews. Reports of messages are `chatReports`. */
export const reports = {
  create: operation({
    access: 'verified',
    errors: [
      'job/not-found',
      'business/not-found',
      'profile/not-found',
      'review/not-found',
      'report/own',
      'report/too-many',
      'file/not-found',
      'file/wrong-type',
    ],
    effects: [],
    whileSuspended: 'staff',
  })
    .route({
      method: 'POST',
      path: '/reports',
      summary: 'Report a job, business, worker or review that you can see; a repeat updates your open report',
      successStatus: 201,
    })
    .input(
      z
        .object({
          kind: z.enum(reportKinds),
          subjectId: id,
          reason: z.enum(reportReasons),
          note: prose(reportLimits.noteMax).default(''),
          fileIds: z.array(id).max(reportLimits.filesMax).default([]),
        })
        .refine(({ kind, reason }) => reasonsOf[kind].includes(reason), {
          path: ['reason'],
          message: 'a reason for this kind',
        }),
    )
    .output(report),
  mine: operation({ access: 'verified', errors: ['request/bad-cursor'] })
    .route({
      method: 'GET',
      path: '/reports',
      summary: 'List your reports with their outcome, chat reports too, newest first',
    })
    .input(z.object({ ...pageInput }))
    .output(pageOf(report)),
  contest: operation({
    access: 'verified',
    errors: ['report/not-found', 'report/not-dismissed', 'report/contested', 'report/too-late'],
    effects: [],
    whileSuspended: 'staff',
  })
    .route({
      method: 'POST',
      path: '/reports/{reportId}/contest',
      summary: 'Contest the dismissal of your report, once within six months; another operator decides',
    })
    .input(z.object({ reportId: id, words: prose(reportLimits.noteMax, 1) }))
    .output(report),
  decide: operation({
    access: 'operator',
    operator: {
      may: 'moderation',
      needs: 'claim',
      case: { kind: 'report', id: 'reportCaseId' },
      decides: {
        decision: { field: 'action.measure', ifNull: 'dismiss' },
        reason: 'answer',
        statement: 'action',
      },
    },
    errors: [
      'report/not-found',
      'report/decided',
      'operator/own-record',
      'operator/own-decision',
      'sanction/not-possible',
    ],
    effects: ['text'],
  })
    .route({
      method: 'POST',
      path: '/operators/report-cases/{reportCaseId}/decide',
      summary: 'Close a case: dismiss it, or act with a statement of reasons; its reporters get the answer',
    })
    .input(
      ofCase.extend({
        answer,
        /** Null dismisses. A job's suspension concerns its business, a review's warning its author's side. */
        action: statement.nullable(),
      }),
    )
    .output(fullReportCase),
};
