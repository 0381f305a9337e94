import { z } from 'zod';
import { maxMinor } from '../arithmetic.ts';
import { limits } from '../limits.ts';
import { fundings } from '../money/funding.ts';
import { hold } from '../money/holds.ts';
import { fundingSource } from '../money/wallet.ts';
import { id, instant, operation, pageInput, pageOf, prose, queryInteger, version } from '../operation.ts';
import { businessRef, sides, stepOf, workerRef } from '../sides.ts';
import { terms } from '../work/terms.ts';
import { hiringLimits } from './limits.ts';

/** An offer's own statuses; the application follows (product.md: Application). `funding` is waiting for its hold. */
export const offerStatuses = ['funding', 'sent', 'accepted', 'declined', 'expired', 'withdrawn'] as const;
export type OfferStatus = (typeof offerStatuses)[number];

/** Statuses in which an offer takes a spot that is not hired yet. */
export const liveOfferStatuses = ['funding', 'sent'] as const satisfies readonly OfferStatus[];

export const offerActions = ['accept', 'decline', 'withdraw'] as const;
export type OfferAction = (typeof offerActions)[number];

/** An offer's origin: a recruiter, the waitlist, an instant hire, or a recruiter without an application. */
export const offerSources = ['business', 'waitlist', 'instant', 'rebook'] as const;

/** A job offered to one applicant on frozen terms, as one side sees it. */
export const offer = z.object({
  id,
  version,
  side: z.enum(sides),
  status: z.enum(offerStatuses),
  source: z.enum(offerSources),
  /** Null only for the business, while a direct offer is unpaid or if it never was paid (ADR 165). */
  applicationId: id.nullable(),
  jobId: id,
  seriesId: id.nullable(),
  /** Answered together with the worker's offers of the series that have it (ADR 414). */
  asBlock: z.boolean(),
  business: businessRef,
  worker: workerRef,
  terms,
  funding: z.enum(fundings),
  /** The hold, for the business only; while `funding`, the amount to pay and its deadline. */
  hold: hold.nullable(),
  message: z.string(),
  sentAt: instant.nullable(),
  /** The deadline for accepting: 48 h, and never past the start of the work. */
  expiresAt: instant,
  decidedAt: instant.nullable(),
  reason: z.string().nullable(),
  engagementId: id.nullable(),
  steps: z.array(stepOf(offerStatuses)),
  actions: z.array(z.enum(offerActions)),
});
export type Offer = z.infer<typeof offer>;

export const offerPreview = z.object({
  terms,
  spotsFree: z.number().int(),
  expiresAt: instant,
  /** True if the worker is booked at that time. Nothing more is revealed. */
  workerBooked: z.boolean(),
});
export type OfferPreview = z.infer<typeof offerPreview>;

const offerRef = z.object({ offerId: id, version });
const eachOfferOnce = (refs: readonly { offerId: string }[]) =>
  new Set(refs.map(({ offerId }) => offerId)).size === refs.length;
/** Offers of other shifts of the same series. */
const otherOffers = z
  .array(offerRef)
  .max(hiringLimits.alsoOnDaysMax)
  .refine(eachOfferOnce, { message: 'each offer once' })
  .default([]);
const moveErrors = ['offer/not-found', 'offer/not-allowed', 'offer/stale', 'offer/wrong-state'] as const;

/** Offers: made by recruiters, answered by workers; accepting one is the hire. */
export const offers = {
  make: operation({
    access: 'member:coordinator',
    errors: [
      'application/not-found',
      'application/not-allowed',
      'application/wrong-state',
      'business/wrong-state',
      'job/wrong-state',
      'offer/no-spot',
      'offer/pay-below-job',
      'offer/terms-missing',
      'offer/starts-in-past',
      'offer/shift-differs',
      'job/all-dates-required',
      'job/not-open',
      'offer/not-found',
      'offer/not-allowed',
      'offer/stale',
      'offer/wrong-state',
      'payment/card-not-found',
      'payment/method-missing',
      'payment/too-little',
      'payment/balance-short',
      'payment/over-budget',
      'payment/credit-overdue',
    ],
    effects: ['hire', 'money', 'text:message'],
  })
    .route({
      method: 'POST',
      path: '/applications/{applicationId}/offers',
      summary:
        'Offer the job on its current terms, which are frozen, with `alsoFor` other shifts and with `replaces` instead of open offers: all of it or nothing; sent once its hold is funded, of a block at once from the balance',
      successStatus: 201,
    })
    .input(
      z.object({
        applicationId: id,
        /**
         * Pay of at least the job's; hourly for a shift, total for a task. Of several shifts, those that pay
         * more keep their pay.
         */
        payMinor: z.number().int().min(1).max(maxMinor).optional(),
        message: prose(limits.messageMax).default(''),
        /** The source of the money; absent for the balance if it is enough, otherwise the default card. */
        funding: fundingSource.optional(),
        /** The worker's applications for other shifts of the series, each a separate offer. */
        alsoFor: z
          .array(id)
          .max(hiringLimits.alsoOnDaysMax)
          .refine((ids) => new Set(ids).size === ids.length, { message: 'each shift once' })
          .default([]),
        /** Open offers to these applications, whose money returns first (ADR 377). */
        replaces: z
          .array(offerRef)
          .max(hiringLimits.alsoOnDaysMax + 1)
          .refine(eachOfferOnce, { message: 'each offer once' })
          .default([]),
      }),
    )
    .output(offer),
  preview: operation({
    access: 'member:coordinator',
    errors: [
      'application/not-found',
      'application/not-allowed',
      'application/wrong-state',
      'job/wrong-state',
      'offer/pay-below-job',
      'offer/terms-missing',
      'offer/starts-in-past',
    ],
  })
    .route({
      method: 'GET',
      path: '/applications/{applicationId}/offer-preview',
      summary: 'Terms and cost of an offer made now',
    })
    .input(z.object({ applicationId: id, payMinor: queryInteger(1, maxMinor).optional() }))
    .output(offerPreview),
  mine: operation({ access: 'verified', errors: ['request/bad-cursor'] })
    .route({ method: 'GET', path: '/offers', summary: 'Offers made to you, newest first' })
    .input(z.object({ group: z.enum(['live', 'ended']).optional(), ...pageInput }))
    .output(pageOf(offer)),
  get: operation({ access: 'verified', errors: ['offer/not-found'] })
    .route({
      method: 'GET',
      path: '/offers/{offerId}',
      summary: 'Get an offer, for its worker and all members of its business',
    })
    .input(z.object({ offerId: id }))
    .output(offer),
  accept: operation({
    access: 'verified',
    errors: [
      ...moveErrors,
      'offer/expired',
      'offer/shift-differs',
      'job/all-dates-required',
      'job/not-open',
      'engagement/overlap',
    ],
    effects: ['apply', 'provider-checked'],
  })
    .route({
      method: 'POST',
      path: '/offers/{offerId}/accept',
      summary:
        'Accept an offer, for its worker, with `alsoFor` those of other shifts of its series, and decline those of `declines`; takes the spots and books the work in one transaction',
    })
    .input(offerRef.extend({ alsoFor: otherOffers, declines: otherOffers }))
    .output(offer),
  decline: operation({
    access: 'verified',
    errors: [...moveErrors, 'offer/shift-differs'],
    effects: ['text:reason'],
    whileSuspended: 'retreat',
  })
    .route({
      method: 'POST',
      path: '/offers/{offerId}/decline',
      summary:
        'Decline an offer, with the others of its block, and with `alsoFor` those of other shifts of its series: all or none, with an optional reason',
    })
    .input(offerRef.extend({ reason: prose(limits.reasonMax).default(''), alsoFor: otherOffers }))
    .output(offer),
  withdraw: operation({
    access: 'member:coordinator',
    errors: [...moveErrors, 'offer/shift-differs'],
    effects: ['text:reason'],
    whileSuspended: 'retreat',
  })
    .route({
      method: 'POST',
      path: '/offers/{offerId}/withdraw',
      summary:
        'Withdraw an offer before it is accepted, with the others of its block, and with `alsoFor` those of other shifts of its series: all or none; the application ends, or with `keepsApplicant` returns to its earlier stage',
    })
    .input(
      offerRef.extend({
        reason: prose(limits.reasonMax).default(''),
        keepsApplicant: z.boolean().default(false),
        alsoFor: otherOffers,
      }),
    )
    .output(offer),
};
