import { z } from 'zod';
import { storedFile } from './files.ts';
import { limits } from './limits.ts';
import { currency } from './money.ts';
import { id, instant, operation, pageInput, pageOf, prose, version } from './operation.ts';
import { businessRef, fundings, sides, step, terms, workerRef } from './terms.ts';

/** product.md, States: Engagement; a shift and a task walk different rows of one table. */
export const engagementStatuses = [
  'booked',
  'confirmed',
  'checked_in',
  'checked_out',
  'in_progress',
  'submitted',
  'counter_proposed',
  'delivered',
  'changes_requested',
  'approved',
  'completed',
  'disputed',
  'cancelled_by_worker',
  'cancelled_by_merchant',
  'no_show_reported',
  'contested',
] as const;
export type EngagementStatus = (typeof engagementStatuses)[number];

/** Statuses in which the work is still ahead, going on, or not settled yet. */
export const liveEngagementStatuses = [
  'booked',
  'confirmed',
  'checked_in',
  'checked_out',
  'in_progress',
  'submitted',
  'counter_proposed',
  'delivered',
  'changes_requested',
  'approved',
  'disputed',
  'contested',
] as const satisfies readonly EngagementStatus[];

/** What the viewer can do with an engagement now, as the server says. */
export const engagementActions = [
  'confirm',
  'check-in',
  'start-break',
  'end-break',
  'check-out',
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

/** What attendance is made of, in the order of a shift. */
export const attendanceKinds = ['check_in', 'break_start', 'break_end', 'check_out'] as const;
export type AttendanceKind = (typeof attendanceKinds)[number];

/** One fact of attendance. `at` is when it happened by the server's reckoning; the flags say what is remarkable about it. */
export const attendanceEvent = z.object({
  id,
  kind: z.enum(attendanceKinds),
  at: instant,
  receivedAt: instant,
  how: z.enum(['position', 'code', 'none']),
  /** Metres from the place, and the device's own accuracy; null without a position. */
  distanceM: z.number().int().nullable(),
  accuracyM: z.number().int().nullable(),
  flags: z.array(z.enum(['queued', 'clock_off', 'far', 'late', 'early'])),
});
export type AttendanceEvent = z.infer<typeof attendanceEvent>;

/** Hours as one side puts them: the worker's (W), the merchant's counter-proposal (M), or planned hours put in by the timer (T). */
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
  /** `no_check_in`, `no_check_out`: nothing was recorded; `planned`: put in by the timer; `beyond_record`: more than was recorded. */
  flags: z.array(z.enum(['no_check_in', 'no_check_out', 'planned', 'beyond_record'])),
});
export type HoursClaim = z.infer<typeof hoursClaim>;

/** The result of a task as it was handed in; `round` counts from 1. */
export const delivery = z.object({
  id,
  round: z.number().int(),
  note: z.string(),
  files: z.array(storedFile),
  at: instant,
  /** What the merchant asked to be changed; null while nobody did. */
  changesAsked: z.object({ note: z.string(), at: instant }).nullable(),
});
export type Delivery = z.infer<typeof delivery>;

/** product.md, States: Engagement; `with_operator`: out of time, and theirs to decide. */
export const disputeStatuses = ['open', 'answered', 'proposed', 'with_operator', 'settled'] as const;
export type DisputeStatus = (typeof disputeStatuses)[number];
/** How a dispute came about: a side filed it, three counter-proposals were not agreed to, or nobody ever checked in. */
export const disputeWhys = ['filed', 'rounds', 'no-check-in'] as const;
export type DisputeWhy = (typeof disputeWhys)[number];
/** What the viewer can do in a dispute now. An operator's decision is an operation of its own. */
export const disputeActions = ['answer', 'propose', 'accept-proposal'] as const;
export type DisputeAction = (typeof disputeActions)[number];

/** A dispute about the pay of one engagement, with its dated steps (product.md, Constants: disputes). Amounts in minor units of the terms. */
export const dispute = z.object({
  id,
  version,
  status: z.enum(disputeStatuses),
  /** `timer`: it opened by itself, after three counter-proposals or because nobody ever checked in. */
  filedBy: z.enum([...sides, 'timer']),
  why: z.enum(disputeWhys),
  /** What the side that filed it wrote; where it opened by itself, what the worker wrote to their last hours, or nothing. */
  reason: z.string(),
  /** What each side holds to be right. */
  workerAmountMinor: z.number().int().nullable(),
  businessAmountMinor: z.number().int().nullable(),
  proposal: z
    .object({ by: z.enum(sides), amountMinor: z.number().int(), note: z.string(), at: instant })
    .nullable(),
  /** When the next step is due, and when all ends at the latest. */
  dueAt: instant.nullable(),
  stopAt: instant,
  settledMinor: z.number().int().nullable(),
  steps: z.array(step.extend({ amountMinor: z.number().int().nullable() })),
  actions: z.array(z.enum(disputeActions)),
});
export type Dispute = z.infer<typeof dispute>;

/**
 * A payment to the worker of an engagement, gross. `not_funded`: no hold covered it, so it is owed and not paid yet; shown so. Tips and bonuses are beside the
 * pay and carry no fee. Minor units of `currency`.
 */
export const release = z.object({
  kind: z.enum(['undisputed', 'rest', 'compensation', 'tip', 'bonus']),
  amountMinor: z.number().int(),
  /** What of it the worker gets. */
  workerGetsMinor: z.number().int(),
  currency,
  state: z.enum(['not_funded', 'released']),
  at: instant,
  /** When the worker can take it out; null: at once. */
  clearsAt: instant.nullable(),
  note: z.string(),
});
export type Release = z.infer<typeof release>;

/** What is in a list of work. */
export const engagementCard = z.object({
  id,
  version,
  side: z.enum(sides),
  status: z.enum(engagementStatuses),
  jobId: id,
  applicationId: id,
  business: businessRef,
  worker: workerRef,
  terms,
  funding: z.enum(fundings),
  /** The recorded times of arrival and leaving. */
  checkedInAt: instant.nullable(),
  checkedOutAt: instant.nullable(),
  onBreak: z.boolean(),
  /** Minutes after the start at which they came; 0 when in time, null when not there yet. */
  lateMinutes: z.number().int().nullable(),
  /** The next thing that happens by itself, and when. */
  next: z
    .object({
      what: z.enum(['confirm', 'auto-submit', 'auto-approve', 'counter-stands', 'contest-over', 'dispute']),
      at: instant,
      /** Since when it is waited for: the last move of the record. A ring of the time that is left counts from it. */
      since: instant,
    })
    .nullable(),
  /** Pay agreed so far: approved, or else as claimed, or else as planned. */
  amountMinor: z.number().int(),
  actions: z.array(z.enum(engagementActions)),
});
export type EngagementCard = z.infer<typeof engagementCard>;

/** One worker hired for one job, whole. */
export const engagement = engagementCard.extend({
  /** Whom the worker asks for, and the worker's phone for the business, from the hire until a day after the end. */
  contact: z.object({ name: z.string(), phone: z.string().nullable() }).nullable(),
  attendance: z.array(attendanceEvent),
  claims: z.array(hoursClaim),
  deliveries: z.array(delivery),
  dispute: dispute.nullable(),
  releases: z.array(release),
  /** What cancelling now would mean for the caller: late or not, and what the worker would get from a late cancellation by the business. */
  cancelling: z.object({ late: z.boolean(), compensationMinor: z.number().int() }).nullable(),
  cancelled: z
    .object({ late: z.boolean(), compensationMinor: z.number().int(), reason: z.string() })
    .nullable(),
  /** Until when a reported no-show can be contested, and what was said. */
  noShow: z.object({ reportedAt: instant, contestBy: instant, contest: z.string().nullable() }).nullable(),
  steps: z.array(step),
});
export type Engagement = z.infer<typeof engagement>;

/** Which engagement, and the version of it that the caller saw. */
export const engagementOne = z.object({ engagementId: id, version });
/** What any move of an engagement may be refused with. */
export const engagementMoveErrors = [
  'engagement/not-found',
  'engagement/not-allowed',
  'engagement/stale',
  'engagement/wrong-state',
] as const;

/** The route of a move of an engagement. */
export const engagementMove = (name: string, summary: string) => ({
  method: 'POST' as const,
  path: `/engagements/{engagementId}/${name}` as const,
  summary,
});

/** Booked work: lists, and the moves that are neither attendance nor pay. */
export const engagements = {
  mine: operation({ access: 'verified', errors: ['request/bad-cursor'] })
    .route({
      method: 'GET',
      path: '/engagements',
      summary: 'Your work: to come and going on soonest first, ended latest first',
    })
    .input(z.object({ group: z.enum(['live', 'ended']).default('live'), ...pageInput }))
    .output(pageOf(engagementCard)),
  forBusiness: operation({
    access: 'member:recruiter',
    errors: ['business/not-found', 'business/not-allowed', 'request/bad-cursor'],
  })
    .route({
      method: 'GET',
      path: '/businesses/{businessId}/engagements',
      summary:
        'Work at a business: who is due, late, here; what waits for approval; what is done; with counts',
    })
    .input(
      z.object({
        businessId: id,
        jobId: id.optional(),
        /** `owed`: pay was agreed that no hold covered, whatever group it is in. */
        group: z.enum(['due', 'late', 'here', 'to_approve', 'unsettled', 'ended', 'owed']).optional(),
        ...pageInput,
      }),
    )
    .output(
      pageOf(engagementCard).extend({
        counts: z.object({
          due: z.number().int(),
          late: z.number().int(),
          here: z.number().int(),
          to_approve: z.number().int(),
          unsettled: z.number().int(),
          ended: z.number().int(),
        }),
      }),
    ),
  get: operation({ access: 'verified', errors: ['engagement/not-found'] })
    .route({
      method: 'GET',
      path: '/engagements/{engagementId}',
      summary: 'One engagement, for its worker and the recruiters of its business',
    })
    .input(z.object({ engagementId: id }))
    .output(engagement),
  confirm: operation({ access: 'verified', errors: [...engagementMoveErrors] })
    .route(engagementMove('confirm', 'Say that you will come'))
    .input(engagementOne)
    .output(engagement),
  start: operation({ access: 'verified', errors: [...engagementMoveErrors] })
    .route(engagementMove('start', 'Begin a task'))
    .input(engagementOne)
    .output(engagement),
  cancel: operation({ access: 'verified', errors: [...engagementMoveErrors] })
    .route(
      engagementMove('cancel', 'Call the work off, as either side; late under 24 hours before the start'),
    )
    .input(engagementOne.extend({ reason: prose(limits.reasonMax, 1) }))
    .output(engagement),
  reportNoShow: operation({
    access: 'member:recruiter',
    errors: [...engagementMoveErrors, 'engagement/too-early'],
  })
    .route(engagementMove('no-show', 'Report that the worker did not come; from 60 minutes after the start'))
    .input(engagementOne)
    .output(engagement),
  contest: operation({ access: 'verified', errors: [...engagementMoveErrors, 'engagement/contest-over'] })
    .route(engagementMove('contest', 'Contest a reported no-show within 24 hours'))
    .input(engagementOne.extend({ note: prose(limits.reasonMax, 1) }))
    .output(engagement),
  decideNoShow: operation({
    access: 'operator',
    errors: [...engagementMoveErrors, 'dispute/amount-impossible', 'operator/own-record'],
  })
    .route(
      engagementMove('no-show/decision', 'Decide a contested no-show: the report stands, or they worked'),
    )
    .input(
      engagementOne
        .extend({
          outcome: z.enum(['absent', 'worked']),
          /** Pay for the whole where they worked: more than nothing and at most as planned; minor units of the terms. */
          amountMinor: z.number().int().min(1).max(1_000_000_000_000).optional(),
          note: prose(limits.messageMax, 1),
        })
        .refine(({ outcome, amountMinor }) => (outcome === 'worked') === (amountMinor !== undefined), {
          message: 'an amount belongs to work that was done, and to that alone',
          path: ['amountMinor'],
        }),
    )
    .output(engagement),
};
