import { z } from 'zod';
import { businessWorkGroups, engagementStatuses } from '../engagement-statuses.ts';
import { limits } from '../limits.ts';
import { fundings } from '../money/funding.ts';
import { release } from '../money/releases.ts';
import type { Move } from '../moves.ts';
import { id, idAndName, instant, operation, pageInput, pageOf, prose, version } from '../operation.ts';
import { storedFile } from '../people/files.ts';
import { businessRef, sides, stepOf, workerRef } from '../sides.ts';
import { disputeActions, disputeStatuses } from './disputes.rules.ts';
import { workLimits } from './limits.ts';
import { terms } from './terms.ts';

export const engagementActions = [
  'confirm',
  'check-in',
  'start-break',
  'end-break',
  'check-out',
  'say-late',
  'check-in-for',
  'check-out-for',
  'submit-hours',
  'counter',
  'accept-counter',
  'start',
  'deliver',
  'request-changes',
  'approve',
  'cancel',
  'report-no-show',
  'contest',
  'dispute',
] as const;
export type EngagementAction = (typeof engagementActions)[number];

export const attendanceKinds = ['check_in', 'break_start', 'break_end', 'check_out'] as const;
export type AttendanceKind = (typeof attendanceKinds)[number];

/** An attendance event. `at` is by the server's clock; flags mark anything unusual. */
export const attendanceEvent = z.object({
  id,
  kind: z.enum(attendanceKinds),
  at: instant,
  receivedAt: instant,
  /** `kiosk`: by PIN on the tablet at the door; `manager`: recorded by the business. */
  how: z.enum(['position', 'code', 'kiosk', 'none', 'manager']),
  reason: z.string().nullable(),
  /** The worker's objection to the recorded time, and whether they may object now. */
  contested: z.object({ note: z.string(), at: instant }).nullable(),
  mayContest: z.boolean(),
  /** Metres from the site, and the device's accuracy; null if the position is unknown. */
  distanceM: z.number().int().nullable(),
  accuracyM: z.number().int().nullable(),
  /** `sent_home`: the business ended the shift early. */
  flags: z.array(z.enum(['queued', 'clock_off', 'far', 'late', 'early', 'sent_home'])),
});
export type AttendanceEvent = z.infer<typeof attendanceEvent>;

/** A check-in refused as too far away, in metres; for operators. */
export const checkInAttempt = z.object({
  id,
  at: instant,
  receivedAt: instant,
  distanceM: z.number().int(),
  accuracyM: z.number().int(),
  allowedM: z.number().int(),
});
export type CheckInAttempt = z.infer<typeof checkInAttempt>;

/**
 * Something unusual about submitted hours. `planned`: submitted by the timer; `beyond_record`: more than
 * recorded; `minimum`: the pay after being sent home.
 */
const claimFlag = z.enum(['no_check_in', 'no_check_out', 'planned', 'beyond_record', 'minimum']);

/** An hours claim: by the worker, a counter-proposal by the business, or submitted by the timer. */
export const hoursClaim = z.object({
  id,
  round: z.number().int(),
  by: z.enum(['worker', 'business', 'timer']),
  startsAt: instant,
  endsAt: instant,
  breakMinutes: z.number().int(),
  paidMinutes: z.number().int(),
  /** Pay for these hours at the frozen rate. */
  amountMinor: z.number().int(),
  note: z.string(),
  at: instant,
  flags: z.array(claimFlag),
});
export type HoursClaim = z.infer<typeof hoursClaim>;

export const delivery = z.object({
  id,
  round: z.number().int(),
  note: z.string(),
  files: z.array(storedFile),
  at: instant,
  changesAsked: z.object({ note: z.string(), at: instant }).nullable(),
});
export type Delivery = z.infer<typeof delivery>;

/** The cause of a dispute. `filed`: by a side; `rounds`: no agreement; the others: nobody replied (ADR 43). */
export const disputeWhys = ['filed', 'rounds', 'no-check-in', 'beyond-plan', 'counter'] as const;
export type DisputeWhy = (typeof disputeWhys)[number];
/** A pay dispute with its steps (product.md, Constants: disputes). Amounts in minor units of the terms. */
export const dispute = z.object({
  id,
  version,
  status: z.enum(disputeStatuses),
  /** A `timer` opened the dispute automatically. */
  filedBy: z.enum([...sides, 'timer']),
  why: z.enum(disputeWhys),
  /** The filing side's note; for an automatic dispute the note on the worker's last hours, if any. */
  reason: z.string(),
  workerAmountMinor: z.number().int().nullable(),
  businessAmountMinor: z.number().int().nullable(),
  proposal: z
    .object({ by: z.enum(sides), amountMinor: z.number().int(), note: z.string(), at: instant })
    .nullable(),
  /** The deadline of the next step, and the hard stop. */
  dueAt: instant.nullable(),
  stopAt: instant,
  settledMinor: z.number().int().nullable(),
  /** `files`: evidence added by the side. */
  steps: z.array(
    stepOf(disputeStatuses).extend({ amountMinor: z.number().int().nullable(), files: z.array(storedFile) }),
  ),
  actions: z.array(z.enum(disputeActions)),
});
export type Dispute = z.infer<typeof dispute>;

export const shiftChangeStatuses = [
  'open',
  'accepted',
  'declined',
  'cancelled',
  'expired',
  'withdrawn',
] as const;
export type ShiftChangeStatus = (typeof shiftChangeStatuses)[number];

/** The worker's answers to a shift change. `leave` cancels the booking without a mark. */
export const shiftChangeAnswers = ['accept', 'decline', 'leave'] as const;
export type ShiftChangeAnswer = (typeof shiftChangeAnswers)[number];

/** The states of a change that the business proposes to a booked shift (ADR 389). */
export const shiftChangeMoves: readonly Move<
  ShiftChangeStatus,
  ShiftChangeAnswer | 'replace' | 'expire' | 'end'
>[] = [
  ['open', 'accept', 'worker', 'accepted'],
  ['open', 'decline', 'worker', 'declined'],
  ['open', 'leave', 'worker', 'cancelled'],
  // A later edit of the job replaced the change, or restored the agreed terms.
  ['open', 'replace', 'business', 'withdrawn'],
  // The worker did not answer in time, or checked in: the agreed terms stay.
  ['open', 'expire', 'timer', 'expired'],
  // The booking ended.
  ['open', 'end', 'timer', 'withdrawn'],
];

export const dayOffStatuses = ['open', 'granted', 'refused', 'withdrawn'] as const;
export type DayOffStatus = (typeof dayOffStatuses)[number];

/** `grant` and `refuse` are the business's answers, `withdraw` is its worker's. */
export const dayOffAnswers = ['grant', 'refuse', 'withdraw'] as const;
export type DayOffAnswer = (typeof dayOffAnswers)[number];

/** The states of a worker's request for a day off one date of a series (ADR 406). */
export const dayOffMoves: readonly Move<DayOffStatus, DayOffAnswer | 'end'>[] = [
  ['open', 'grant', 'business', 'granted'],
  // The business did not answer in time.
  ['open', 'grant', 'timer', 'granted'],
  ['open', 'refuse', 'business', 'refused'],
  ['open', 'withdraw', 'worker', 'withdrawn'],
  // The booking ended or started, or its worker confirmed it or accepted another start.
  ['open', 'end', 'timer', 'withdrawn'],
];

/** A worker's request for a day off. Granted, it ends the booking without a mark and without pay. */
export const dayOff = z.object({
  id,
  status: z.enum(dayOffStatuses),
  reason: z.string(),
  /** Without an answer by then, it is granted. */
  answerBy: instant,
  createdAt: instant,
  /** The answers that the viewer may give; `refuse` until `answerBy`, none once it is answered. */
  answers: z.array(z.enum(dayOffAnswers)),
});
export type DayOff = z.infer<typeof dayOff>;

/** Another time or place, or lower pay, that the business proposes to the worker of a booked shift. */
export const shiftChange = z.object({
  id,
  status: z.enum(shiftChangeStatuses),
  /** The agreed terms when it was proposed, and the proposed ones. */
  before: terms,
  after: terms,
  /** Without an answer by then, the agreed terms stay. Never after the start. */
  answerBy: instant,
  createdAt: instant,
  updatedAt: instant,
  /** The worker's open changes of the same edit, which can be answered together. */
  togetherCount: z.number().int(),
  /** The answers that the worker of an open change may give; empty otherwise. */
  answers: z.array(z.enum(shiftChangeAnswers)),
});
export type ShiftChange = z.infer<typeof shiftChange>;

export const engagementCard = z.object({
  id,
  version,
  side: z.enum(sides),
  status: z.enum(engagementStatuses),
  jobId: id,
  applicationId: id,
  business: businessRef,
  worker: workerRef,
  /** The job's branch; null without one, and for the worker. */
  branch: idAndName.nullable(),
  terms,
  funding: z.enum(fundings),
  checkedInAt: instant.nullable(),
  checkedOutAt: instant.nullable(),
  onBreak: z.boolean(),
  /** A `cancelled_by_worker` shift that ended because its worker did not confirm it in time. */
  unconfirmed: z.boolean(),
  /** A `cancelled_by_worker` shift that ended with a day off (ADR 406). */
  excused: z.boolean(),
  /** Minutes late; 0 when on time, null until the check-in. */
  lateMinutes: z.number().int().nullable(),
  /** The worker's last report of lateness; `minutes` after the start. */
  runningLate: z
    .object({ minutes: z.number().int().nullable(), note: z.string().nullable(), at: instant })
    .nullable(),
  /** The next automatic step and its time. */
  next: z
    .object({
      /**
       * `confirm`: the question; `confirm-by`: without an answer the spot goes to others. `approve-planned`: the
       * business's rule approves the hours. `pay-recorded`: settles a counter-proposal by the recorded hours;
       * `review`: opens a dispute.
       */
      kind: z.enum([
        'confirm',
        'confirm-by',
        'auto-submit',
        'approve-planned',
        'auto-approve',
        'pay-recorded',
        'review',
        'contest-over',
        'dispute',
      ]),
      at: instant,
      /** The time of the last move; the countdown ring starts there. */
      since: instant,
      /**
       * `approve-planned`, `auto-approve`, `pay-recorded`: the total pay to settle. `review`: the pay due in any
       * case. Otherwise null.
       */
      amountMinor: z.number().int().nullable(),
    })
    .nullable(),
  /** Pay as approved, otherwise as claimed, otherwise as planned. */
  amountMinor: z.number().int(),
  /**
   * The claimed hours match the plan within `workLimits.asPlannedMinutes`, and recorded attendance confirms them.
   */
  asPlanned: z.boolean(),
  /** Flags of the last submitted hours; empty if there are none. */
  claimFlags: z.array(claimFlag),
  actions: z.array(z.enum(engagementActions)),
});
export type EngagementCard = z.infer<typeof engagementCard>;

export const engagement = engagementCard.extend({
  /** The other side's contact, from the hire until a day after the end. */
  contact: z
    .object({
      name: z.string(),
      phone: z.string().nullable(),
      /** Access notes: the worker sees those of the job's branch. Null for the business. */
      notes: z.string().nullable(),
    })
    .nullable(),
  photoIds: z.array(id),
  /** The hold of a shift whose pay is set aside later (ADR 399), for members who may pay it; otherwise null. */
  plannedHoldId: id.nullable(),
  /** The latest change of its shift that the business proposed. */
  change: shiftChange.nullable(),
  /** The latest request for a day off. */
  dayOff: dayOff.nullable(),
  /** Its worker may ask for this day off `until` then; asked now, it is granted unless answered by `answerBy`. */
  dayOffAsk: z.object({ until: instant, answerBy: instant }).nullable(),
  attendance: z.array(attendanceEvent),
  claims: z.array(hoursClaim),
  deliveries: z.array(delivery),
  dispute: dispute.nullable(),
  releases: z.array(release),
  /**
   * The effect of cancelling now: whether it is late, and the worker's compensation. Until `freeUntil`,
   * shortly after the booking, it is free and not late. `setAsideAgain`, for the business: an instant hire opens the
   * spot and sets its money aside again at once.
   */
  cancelling: z
    .object({
      late: z.boolean(),
      compensationMinor: z.number().int(),
      freeUntil: instant.nullable(),
      setAsideAgain: z.boolean(),
    })
    .nullable(),
  cancelled: z
    .object({ late: z.boolean(), compensationMinor: z.number().int(), reason: z.string() })
    .nullable(),
  /** The no-show report, its deadline for contesting, and the objection. */
  noShow: z.object({ reportedAt: instant, contestBy: instant, contest: z.string().nullable() }).nullable(),
  steps: z.array(stepOf(engagementStatuses)),
});
export type Engagement = z.infer<typeof engagement>;

export const engagementOne = z.object({ engagementId: id, version });
export const engagementMoveErrors = [
  'engagement/not-found',
  'engagement/not-allowed',
  'engagement/stale',
  'engagement/wrong-state',
] as const;

export const engagementMove = (name: string, summary: string) => ({
  method: 'POST' as const,
  path: `/engagements/{engagementId}/${name}` as const,
  summary,
});

/** Someone on a shift that starts or ended within `workingNowHours`, or whose shift is running. */
const workingPerson = z.object({
  engagementId: id,
  /** Excludes cancelled and given-away shifts, and reported no-shows. */
  status: z.enum(engagementStatuses),
  name: z.string(),
  title: z.string(),
  startsAt: instant,
  endsAt: instant,
  timeZone: z.string(),
  checkedInAt: instant.nullable(),
  business: idAndName,
  branch: idAndName.nullable(),
});
export type WorkingPerson = z.infer<typeof workingPerson>;

/** Booked work: lists, and the moves other than attendance and pay. */
export const engagements = {
  mine: operation({ access: 'verified', errors: ['request/bad-cursor'] })
    .route({
      method: 'GET',
      path: '/engagements',
      summary: 'List your work: live soonest first, ended latest first',
    })
    .input(z.object({ group: z.enum(['live', 'ended']).default('live'), ...pageInput }))
    .output(pageOf(engagementCard)),
  forBusiness: operation({
    access: 'member',
    errors: ['business/not-found', 'business/not-allowed', 'request/bad-cursor'],
  })
    .route({
      method: 'GET',
      path: '/businesses/{businessId}/engagements',
      summary: 'Work at a business by group (due, late, here, to approve, done), with counts',
    })
    .input(
      z.object({
        businessId: id,
        jobId: id.optional(),
        /** `owed`: work in any of the other groups whose agreed pay was not fully covered by its hold. */
        group: z.enum([...businessWorkGroups, 'owed']).optional(),
        ...pageInput,
      }),
    )
    .output(
      pageOf(engagementCard).extend({
        /** Work per group, on the first page only. */
        counts: z
          .object({
            due: z.number().int(),
            late: z.number().int(),
            here: z.number().int(),
            to_approve: z.number().int(),
            unsettled: z.number().int(),
            no_show: z.number().int(),
            ended: z.number().int(),
          })
          .nullable(),
      }),
    ),
  workingNow: operation({ access: 'verified', errors: [] })
    .route({
      method: 'GET',
      path: '/working-now',
      summary:
        'Who is due, late, here or done today in all businesses and branches of the caller, soonest start first',
    })
    .input(z.object({}))
    .output(
      z.object({
        people: z.array(workingPerson).max(workLimits.workingNowMax),
        /** More people work now than are listed. */
        more: z.boolean(),
      }),
    ),
  get: operation({ access: 'verified', errors: ['engagement/not-found', 'operator/reason-required'] })
    .route({
      method: 'GET',
      path: '/engagements/{engagementId}',
      summary: 'Get an engagement, for its worker and the recruiters of its business',
    })
    .input(z.object({ engagementId: id }))
    .output(engagement),
  confirm: operation({
    access: 'verified',
    errors: [...engagementMoveErrors],
    effects: [],
    whileSuspended: 'owed',
  })
    .route(engagementMove('confirm', 'Confirm that you will be there'))
    .input(
      engagementOne.extend({
        /** The worker's other booked shifts at this business to confirm at once. */
        alsoFor: z.array(id).max(workLimits.confirmTogetherMax).default([]),
      }),
    )
    .output(engagement),
  start: operation({
    access: 'verified',
    errors: [...engagementMoveErrors],
    effects: [],
    whileSuspended: 'owed',
  })
    .route(engagementMove('start', 'Start a task'))
    .input(engagementOne)
    .output(engagement),
  cancel: operation({
    access: 'verified',
    errors: [...engagementMoveErrors, 'engagement/costs-more', 'job/wrong-state'],
    effects: ['money', 'text:reason'],
    whileSuspended: 'owed',
  })
    .route(engagementMove('cancel', 'Cancel booked work, as either side; late within 24 hours of the start'))
    .input(
      engagementOne.extend({
        reason: prose(limits.reasonMax, 1),
        /** The business closes the job too, so that nobody else is hired for it. */
        closeJob: z.boolean().default(false),
        /** The cost as shown to the caller; refused if it is higher now, because time changes no version. */
        expects: z.object({ late: z.boolean(), compensationMinor: z.number().int().min(0) }).optional(),
      }),
    )
    .output(engagement),
  answerChange: operation({
    access: 'verified',
    errors: [
      'engagement/not-found',
      'engagement/not-allowed',
      'engagement/wrong-state',
      'engagement/overlap',
    ],
    effects: ['money'],
    whileSuspended: 'owed',
  })
    .route(engagementMove('change', 'Answer a change that the business proposes to your booked shift'))
    .input(
      z.object({
        engagementId: id,
        changeId: id,
        answer: z.enum(shiftChangeAnswers),
        /** Gives the same answer to your other open changes of the same edit. */
        together: z.boolean().default(false),
      }),
    )
    .output(engagement),
  askDayOff: operation({
    access: 'verified',
    errors: [...engagementMoveErrors, 'engagement/too-late'],
    effects: ['text:reason'],
    whileSuspended: 'owed',
  })
    .route(
      engagementMove('day-off', 'Ask for a day off one date of a series; the business’s silence grants it'),
    )
    .input(engagementOne.extend({ reason: prose(limits.reasonMax, 1) }))
    .output(engagement),
  answerDayOff: operation({
    access: 'verified',
    errors: ['engagement/not-found', 'engagement/not-allowed', 'engagement/wrong-state'],
    effects: ['money'],
    whileSuspended: 'owed',
  })
    .route(
      engagementMove('day-off-answer', 'Grant or refuse a day off, as the business, or withdraw the request'),
    )
    .input(z.object({ engagementId: id, dayOffId: id, answer: z.enum(dayOffAnswers) }))
    .output(engagement),
  reportNoShow: operation({
    access: 'member:coordinator',
    errors: [...engagementMoveErrors, 'engagement/too-early'],
    effects: [],
    whileSuspended: 'owed',
  })
    .route(engagementMove('no-show', 'Report a no-show, some time after the start'))
    .input(engagementOne)
    .output(engagement),
  contest: operation({
    access: 'verified',
    errors: [...engagementMoveErrors, 'engagement/contest-over'],
    effects: ['text:note'],
    whileSuspended: 'owed',
  })
    .route(engagementMove('contest', 'Contest a reported no-show within 24 hours'))
    .input(engagementOne.extend({ note: prose(limits.reasonMax, 1) }))
    .output(engagement),
};
