import { z } from 'zod';
import { maxMinor } from '../arithmetic.ts';
import { limits } from '../limits.ts';
import { fundingSource } from '../money/wallet.ts';
import { day, id, instant, operation, prose, queryIds, queryInteger } from '../operation.ts';
import { weekHoursMax } from '../people/profiles.ts';
import { hiringLimits } from './limits.ts';
import { matchReason } from './matching.ts';
import { offer, offerPreview } from './offers.ts';

const to = { jobId: id, workerId: id };
const pay = z.number().int().min(1).max(maxMinor).optional();
const terms = {
  /** Pay of at least the job's; hourly for a shift, total for a task. */
  payMinor: pay,
  message: prose(limits.messageMax).default(''),
  /** The source of the money; absent for the balance if it is enough, otherwise the default card. */
  funding: fundingSource.optional(),
};
const previewErrors = [
  'job/not-found',
  'job/not-allowed',
  'job/wrong-state',
  'profile/not-found',
  'worker/unreachable',
  'application/wrong-state',
  'offer/pay-below-job',
  'offer/terms-missing',
  'offer/starts-in-past',
] as const;
const offerErrors = [
  ...previewErrors,
  'business/wrong-state',
  'offer/no-spot',
  'payment/card-not-found',
  'payment/method-missing',
  'payment/too-little',
  'payment/balance-short',
  'payment/over-budget',
  'payment/credit-overdue',
] as const;

/** The reason one worker of a crew gets no offer, while the others do. */
export const crewRefusals = ['profile/not-found', 'worker/unreachable'] as const;
export type CrewRefusal = (typeof crewRefusals)[number];

/**
 * The use of a spot that was offered and is free again (ADR 407): the next person of the `pools` gets an offer, and
 * after the last one it opens to everyone; it opens, and `everyone` or only `colleagues` get an alert; or `nobody` can
 * apply until a recruiter opens it.
 */
export const ifDeclinedChoices = ['pools', 'everyone', 'colleagues', 'nobody'] as const;
export type IfDeclined = (typeof ifDeclinedChoices)[number];

/** Someone whom a business knows, and what speaks for and against offering them a shift. */
const offerCandidate = z.object({
  worker: z.object({ workerId: id, name: z.string(), photoPath: z.string().nullable() }),
  /** The names of their pools. Empty for recruiters limited to branches. */
  pools: z.array(z.string()),
  timesWorked: z.number().int(),
  /** Minutes that they are booked for in the week of the shift, Monday to Sunday, by this business. */
  weekMinutes: z.number().int(),
  /** The hours a week that they want at most, for all businesses together. */
  weekHoursMax: weekHoursMax.nullable(),
  /** Booked at the time of the shift, by any business. */
  isBooked: z.boolean(),
  /** The start of their last shift in 90 days for which this business reported a no-show. */
  missedAt: instant.nullable(),
  /** `ended` if they declined or withdrew from this job, or were rejected. Null if an offer can be made. */
  refusal: z.enum(['offered', 'ended', 'blocked']).nullable(),
  match: z.array(matchReason),
});
export type OfferCandidate = z.infer<typeof offerCandidate>;

/** A job offered directly to a known worker, without an application (ADR 165). The offer is in `offers`. */
export const rebook = {
  preview: operation({
    access: 'member:coordinator',
    errors: [...previewErrors, 'job/all-dates-required', 'job/not-open'],
  })
    .route({
      method: 'GET',
      path: '/jobs/{jobId}/workers/{workerId}/offer-preview',
      summary: 'Terms and cost of an offer made now to a worker who has not applied',
    })
    .input(z.object({ ...to, payMinor: queryInteger(1, maxMinor).optional() }))
    .output(offerPreview),
  offer: operation({
    access: 'member:coordinator',
    errors: [...offerErrors, 'job/all-dates-required', 'job/not-open'],
    effects: ['hire', 'money', 'text:message'],
  })
    .route({
      method: 'POST',
      path: '/jobs/{jobId}/workers/{workerId}/offers',
      summary: 'Offer the job to a worker who has not applied; sent once its hold is funded',
      successStatus: 201,
    })
    .input(z.object({ ...to, ...terms }))
    .output(offer),
  again: operation({
    access: 'member:coordinator',
    errors: [...offerErrors, 'job/incomplete', 'job/starts-in-past', 'job/too-far-ahead', 'job/open-limit'],
    effects: ['hire', 'money', 'text:message'],
  })
    .route({
      method: 'POST',
      path: '/jobs/{jobId}/workers/{workerId}/again',
      summary: 'Copy a job with new dates, for one person, hidden from others, and offer it to a worker',
      successStatus: 201,
    })
    .input(
      z.object({
        ...to,
        ...terms,
        startsAt: instant.nullable().default(null),
        endsAt: instant.nullable().default(null),
        dueOn: day.nullable().default(null),
      }),
    )
    .output(offer),
  crew: operation({
    access: 'member:coordinator',
    errors: [
      ...offerErrors,
      'job/cannot-repeat',
      'job/incomplete',
      'job/starts-in-past',
      'job/too-far-ahead',
      'job/open-limit',
    ],
    effects: ['hire', 'money', 'text:message'],
  })
    .route({
      method: 'POST',
      path: '/jobs/{jobId}/crew',
      summary: 'Copy a shift to another day, hidden from others, and offer it to several workers at once',
      successStatus: 201,
    })
    .input(
      z.object({
        jobId: id,
        workerIds: z
          .array(id)
          .min(1)
          .max(hiringLimits.crewMax)
          .refine((ids) => new Set(ids).size === ids.length, { message: 'each worker once' }),
        /** The copy's day, by the clock of the place. Its hours and pay stay. */
        day,
        message: terms.message,
        funding: terms.funding,
        /** `nobody` if absent. */
        ifDeclined: z.enum(ifDeclinedChoices).optional(),
      }),
    )
    .output(
      z.object({
        jobId: id,
        offers: z.array(offer),
        /** Workers whom the business can no longer reach. The job has no spot for them. */
        leftOut: z.array(z.object({ workerId: id, code: z.enum(crewRefusals) })),
      }),
    ),
  candidates: operation({
    access: 'member:coordinator',
    errors: ['job/not-found', 'job/not-allowed', 'job/wrong-state', 'job/cannot-repeat'],
  })
    .route({
      method: 'GET',
      path: '/jobs/{jobId}/offer-candidates',
      summary:
        'Workers to offer the job, or a copy of it on `day`: those in pools first, then by work for the business, at most 100',
    })
    .input(
      z.object({
        jobId: id,
        /** Asks about a copy of a shift on this day, so that the answer has no matches and only blocked people are refused. */
        day: day.optional(),
        /** Answers about these workers, as far as the caller may know them, in place of choosing whom to list. */
        workerIds: queryIds(hiringLimits.offerCandidatesMax).optional(),
      }),
    )
    .output(z.array(offerCandidate).max(hiringLimits.offerCandidatesMax)),
  unpaid: operation({ access: 'member:coordinator', errors: ['business/not-found', 'business/not-allowed'] })
    .route({
      method: 'GET',
      path: '/businesses/{businessId}/unpaid-rebookings',
      summary: 'Direct offers of a business that still have to be paid, newest first, at most 20',
    })
    .input(z.object({ businessId: id }))
    .output(z.array(offer)),
};
