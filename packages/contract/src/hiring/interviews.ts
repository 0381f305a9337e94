import { z } from 'zod';
import { limits } from '../limits.ts';
import { id, instant, line, operation, pageInput, pageOf, prose, version } from '../operation.ts';
import { businessRef, sides, stepOf, workerRef } from '../sides.ts';
import { hiringLimits } from './limits.ts';

/** The statuses of an interview (product.md, States). */
export const interviewStatuses = [
  'proposed',
  'scheduled',
  'reschedule_requested',
  'completed',
  'cancelled',
  'lapsed',
  'no_show_worker',
  'no_show_business',
] as const;
export type InterviewStatus = (typeof interviewStatuses)[number];

/** Statuses in which an interview is upcoming or pending; one at a time per application. */
export const liveInterviewStatuses = [
  'proposed',
  'scheduled',
  'reschedule_requested',
] as const satisfies readonly InterviewStatus[];

/** The meeting's mode, which decides the meaning of `where`. */
export const interviewModes = ['in_person', 'phone', 'video'] as const;
export type InterviewMode = (typeof interviewModes)[number];

export const interviewActions = [
  'pick',
  'suggest',
  'reschedule',
  'keep',
  'cancel',
  'complete',
  'report-no-show',
  'contest',
] as const;
export type InterviewAction = (typeof interviewActions)[number];

/** The outcome of an interview. `decline` does not reject the application automatically. */
export const interviewOutcomes = ['advance', 'undecided', 'decline'] as const;
export type InterviewOutcome = (typeof interviewOutcomes)[number];

const timeZone = z
  .string()
  .min(1)
  .max(limits.timeZoneMax)
  .regex(/^[A-Za-z0-9_+\-/]+$/);

/** An interview as one side sees it. Times are instants, with both zones. */
export const interview = z.object({
  id,
  version,
  side: z.enum(sides),
  status: z.enum(interviewStatuses),
  applicationId: id,
  jobId: id,
  jobTitle: z.string(),
  business: businessRef,
  worker: workerRef,
  mode: z.enum(interviewModes),
  /** An address, a phone number in E.164, or an https link, by mode. */
  where: z.string(),
  minutes: z.number().int(),
  message: z.string(),
  slots: z.array(z.object({ id, startsAt: instant })),
  /** The other side's times before this side suggested others, which it may still pick. */
  earlierSlots: z.array(z.object({ id, startsAt: instant })),
  /** The scheduled time; during a reschedule request, the old one. */
  startsAt: instant.nullable(),
  endsAt: instant.nullable(),
  /** The start of the work, before which it takes place. Null for tasks. */
  workStartsAt: instant.nullable(),
  zones: z.object({ business: z.string(), worker: z.string().nullable() }),
  /** The side that must answer open times; null if none are open. */
  awaits: z.enum(sides).nullable(),
  /** The open proposal expires then unless answered; null if there is no open proposal. */
  answerBy: instant.nullable(),
  reschedules: z.number().int(),
  reschedule: z.object({ by: z.enum(sides), reason: z.string() }).nullable(),
  /** Private to the business: null for the worker. */
  outcome: z.enum(interviewOutcomes).nullable(),
  /** Private to the business: empty for the worker. */
  notes: z.string(),
  noShow: z
    .object({ side: z.enum(sides), reportedAt: instant, contestBy: instant, contest: z.string().nullable() })
    .nullable(),
  /** The work it covers, by start: its own, and the worker's other shifts of the series. */
  shifts: z.array(
    z.object({
      applicationId: id,
      jobId: id,
      startsAt: instant.nullable(),
      endsAt: instant.nullable(),
      timeZone: z.string(),
    }),
  ),
  steps: z.array(stepOf(interviewStatuses)),
  actions: z.array(z.enum(interviewActions)),
});
export type Interview = z.infer<typeof interview>;

const slots = z.array(instant).min(1).max(hiringLimits.interviewSlotsMax);
const interviewRef = z.object({ interviewId: id, version });
const moveErrors = [
  'interview/not-found',
  'interview/not-allowed',
  'interview/stale',
  'interview/wrong-state',
] as const;
const slotErrors = ['interview/slot-in-past', 'interview/slot-too-far', 'interview/slots-repeated'] as const;
const move = (name: string, summary: string) => ({
  method: 'POST' as const,
  path: `/interviews/{interviewId}/${name}` as const,
  summary,
});

/** Interviews: proposed by recruiters, picked by workers, rescheduled, cancelled and contested by either. */
export const interviews = {
  propose: operation({
    access: 'member:coordinator',
    errors: [
      'application/not-found',
      'application/not-allowed',
      'application/wrong-state',
      'business/wrong-state',
      'job/wrong-state',
      'interview/already-open',
      'interview/too-many',
      ...slotErrors,
      'interview/where-missing',
      'interview/where-invalid',
    ],
    effects: ['hire', 'text:message', 'text:where'],
  })
    .route({
      method: 'POST',
      path: '/applications/{applicationId}/interviews',
      summary: 'Propose an interview with one to five times',
      successStatus: 201,
    })
    .input(
      z.object({
        applicationId: id,
        mode: z.enum(interviewModes),
        /** Left out for `in_person`, it is the job's place, unless that is private. */
        where: line(hiringLimits.interviewWhereMax).optional(),
        minutes: z
          .number()
          .int()
          .min(hiringLimits.interviewMinutesMin)
          .max(hiringLimits.interviewMinutesMax)
          .default(30),
        slots,
        message: prose(limits.messageMax).default(''),
      }),
    )
    .output(interview),
  mine: operation({
    access: 'verified',
    errors: ['business/not-found', 'business/not-allowed', 'request/bad-cursor'],
  })
    .route({
      method: 'GET',
      path: '/interviews',
      summary: 'List your interviews, or those of a business; upcoming soonest first, past latest first',
    })
    .input(
      z.object({
        businessId: id.optional(),
        applicationId: id.optional(),
        group: z.enum(['to_answer', 'upcoming', 'past']).optional(),
        ...pageInput,
      }),
    )
    .output(pageOf(interview)),
  get: operation({ access: 'verified', errors: ['interview/not-found'] })
    .route({ method: 'GET', path: '/interviews/{interviewId}', summary: 'Get an interview' })
    .input(z.object({ interviewId: id }))
    .output(interview),
  pick: operation({
    access: 'verified',
    errors: [...moveErrors, 'interview/slot-not-found', 'interview/slot-in-past'],
    effects: ['apply'],
  })
    .route(move('pick', 'Pick one of the proposed times, or one from before your suggestion'))
    .input(interviewRef.extend({ slotId: id, timeZone: timeZone.optional() }))
    .output(interview),
  suggest: operation({
    access: 'verified',
    errors: [...moveErrors, 'interview/suggestion-limit', ...slotErrors, 'interview/slot-after-start'],
    effects: ['apply', 'hire', 'text:note'],
  })
    .route(move('suggest', 'Suggest one to five other times instead of picking a proposed one'))
    .input(
      interviewRef.extend({
        slots,
        note: prose(limits.reasonMax).default(''),
        timeZone: timeZone.optional(),
      }),
    )
    .output(interview),
  reschedule: operation({
    access: 'verified',
    errors: [...moveErrors, 'interview/reschedule-limit', 'interview/reschedule-too-late', ...slotErrors],
    effects: ['apply', 'hire', 'text:reason'],
  })
    .route(move('reschedule', 'Request a reschedule with one to five other times'))
    .input(interviewRef.extend({ slots, reason: prose(limits.reasonMax).default('') }))
    .output(interview),
  keep: operation({ access: 'verified', errors: moveErrors, effects: ['apply', 'hire'] })
    .route(move('keep', 'Keep the original time: decline or withdraw a request to reschedule'))
    .input(interviewRef)
    .output(interview),
  cancel: operation({
    access: 'verified',
    errors: moveErrors,
    effects: ['text:reason'],
    whileSuspended: 'retreat',
  })
    .route(move('cancel', 'Cancel an interview'))
    .input(interviewRef.extend({ reason: prose(limits.reasonMax).default('') }))
    .output(interview),
  complete: operation({
    access: 'member:coordinator',
    errors: [...moveErrors, 'interview/too-early'],
    effects: [],
  })
    .route(move('complete', 'Mark an interview as completed, with its outcome'))
    .input(
      interviewRef.extend({
        outcome: z.enum(interviewOutcomes),
        notes: prose(hiringLimits.noteMax).default(''),
      }),
    )
    .output(interview),
  reportNoShow: operation({ access: 'verified', errors: [...moveErrors, 'interview/too-early'], effects: [] })
    .route(move('no-show', 'Report that the other side did not show up, from 15 minutes after the start'))
    .input(interviewRef)
    .output(interview),
  contest: operation({
    access: 'verified',
    errors: [...moveErrors, 'interview/contest-over'],
    effects: ['text:note'],
  })
    .route(move('contest', 'Contest a reported no-show within 24 hours'))
    .input(interviewRef.extend({ note: prose(limits.reasonMax, 1) }))
    .output(interview),
};
