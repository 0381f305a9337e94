import { z } from 'zod';
import {
  id,
  idAndName,
  instant,
  operation,
  pageInput,
  pageOf,
  publicProse,
  queryInteger,
  version,
} from '../operation.ts';
import { ratingLimits } from '../people/rating.rules.ts';
import { rating } from '../people/rating.ts';
import { businessRef, sides, workerRef } from '../sides.ts';
import { reviewLimits, reviewSorts, reviewStates, reviewTags } from './reviews.rules.ts';

const stars = z.number().int().min(ratingLimits.starsMin).max(ratingLimits.starsMax);
const tags = z.array(z.enum(reviewTags));

/** The author's input. `again`: would work together again; null if not answered. */
const words = {
  stars,
  tags: tags.max(reviewLimits.tagsMax).default([]),
  body: publicProse(reviewLimits.bodyMax).default(''),
  again: z.boolean().nullable().default(null),
};
export const reviewWords = z.object(words);
export type ReviewWords = z.infer<typeof reviewWords>;

/** The single public reply of the reviewed side. */
const reply = z.object({ body: z.string(), at: instant });

/** A published review, as anyone who may see its subject reads it. */
export const publishedReview = z.object({
  id,
  /** The given name and initial of a worker, or the name of a business. */
  author: z.string(),
  stars,
  tags,
  body: z.string(),
  again: z.boolean().nullable(),
  jobTitle: z.string(),
  /** True for a business's review of a no-show that it reported and an operator decided was none. */
  noShowOverturned: z.boolean(),
  publishedAt: instant,
  reply: reply.nullable(),
  canReply: z.boolean(),
});
export type PublishedReview = z.infer<typeof publishedReview>;

const work = {
  engagementId: id,
  jobId: id,
  jobTitle: z.string(),
  side: z.enum(sides),
  worker: workerRef,
  business: businessRef.omit({ verified: true }),
  /** True for work that was cancelled late, which can be reviewed too. */
  cancelled: z.boolean(),
  /**
   * True if a no-show was reported and an operator decided that the worker was there; readers of the review
   * see it.
   */
  noShowOverturned: z.boolean(),
  /** True if a break was agreed, which a worker's review can be about. */
  hasBreak: z.boolean(),
  endedAt: instant,
  /** The deadline for writing and editing. Both sides' reviews are published then at the latest. */
  closesAt: instant,
};

export const reviewToWrite = z.object(work);
export type ReviewToWrite = z.infer<typeof reviewToWrite>;

export const ownReview = z.object({
  ...work,
  id,
  version,
  state: z.enum(reviewStates).extract(['submitted', 'published', 'removed']),
  stars,
  tags,
  body: z.string(),
  again: z.boolean().nullable(),
  writtenAt: instant,
  publishedAt: instant.nullable(),
  reply: reply.nullable(),
  removed: z.object({ reason: z.string(), at: instant }).nullable(),
});
export type OwnReview = z.infer<typeof ownReview>;

/**
 * Published reviews with the subject's totals. `counts`: of one star, two stars, …; null with fewer than three
 * reviews.
 */
const publishedPage = pageOf(publishedReview).extend({
  rating,
  counts: z.array(z.number().int()).nullable(),
});
export type ReviewPage = z.infer<typeof publishedPage>;

const listInput = {
  sort: z.enum(reviewSorts).default('newest'),
  stars: queryInteger(ratingLimits.starsMin, ratingLimits.starsMax).optional(),
  ...pageInput,
};

/** A review flagged for staff, with the reason. */
export const flaggedReview = z.object({
  id,
  side: z.enum(sides),
  state: z.enum(reviewStates),
  author: z.string(),
  worker: idAndName,
  business: idAndName,
  stars,
  body: z.string(),
  replyBody: z.string().nullable(),
  words: z.array(z.string()),
  flaggedAt: instant,
  /** The work that it is about. */
  work: z.object({
    title: z.string(),
    startsAt: instant.nullable(),
    endsAt: instant.nullable(),
    timeZone: z.string(),
  }),
});
export type FlaggedReview = z.infer<typeof flaggedReview>;

const ofEngagement = z.object({ engagementId: id });
const ofReview = z.object({ reviewId: id });
const forSide = { businessId: id.optional(), ...pageInput };
const sideErrors = ['business/not-found', 'business/not-allowed', 'request/bad-cursor'] as const;
const textErrors = ['review/contact-details', 'review/wrong-tag'] as const;

/**
 * Reviews of ended work. Until both are written or the deadline passes, each side sees only its own (ADR
 * 171).
 */
export const reviews = {
  write: operation({
    access: 'verified',
    errors: [
      'engagement/not-found',
      'engagement/not-allowed',
      'review/not-open',
      'review/closed',
      'review/already-written',
      ...textErrors,
    ],
    effects: ['text:body'],
  })
    .route({
      method: 'POST',
      path: '/engagements/{engagementId}/review',
      summary: 'Review the other side of ended work; hidden until both reviews are in or 14 days are over',
      successStatus: 201,
    })
    .input(ofEngagement.extend(words))
    .output(ownReview),
  edit: operation({
    access: 'verified',
    errors: ['review/not-found', 'review/published', 'review/removed', 'review/stale', ...textErrors],
    effects: ['text:body'],
  })
    .route({
      method: 'PUT',
      path: '/reviews/{reviewId}',
      summary: "Edit your side's review until it is published",
    })
    .input(ofReview.extend({ ...words, version }))
    .output(ownReview),
  reply: operation({
    access: 'verified',
    errors: ['review/not-found', 'review/already-replied', 'review/contact-details'],
    effects: ['text:body'],
  })
    .route({
      method: 'POST',
      path: '/reviews/{reviewId}/reply',
      summary: 'Reply in public, once, to a published review about you or your business',
    })
    .input(ofReview.extend({ body: publicProse(reviewLimits.replyMax, 1) }))
    .output(publishedReview),
  ofEngagement: operation({ access: 'verified', errors: ['engagement/not-found'] })
    .route({
      method: 'GET',
      path: '/engagements/{engagementId}/reviews',
      summary: "Your side's review of some work, and the other side's once it is published",
    })
    .input(ofEngagement)
    .output(
      z.object({
        /** Null if there is nothing to write: not ended, already written, or too late. */
        toWrite: reviewToWrite.nullable(),
        own: ownReview.nullable(),
        other: publishedReview.nullable(),
      }),
    ),
  toWrite: operation({ access: 'verified', errors: [...sideErrors] })
    .route({
      method: 'GET',
      path: '/me/reviews/to-write',
      summary: 'Ended work to review, least time first: as a worker, or for a business',
    })
    .input(z.object({ ...forSide, jobId: id.optional() }))
    .output(pageOf(reviewToWrite)),
  given: operation({ access: 'verified', errors: [...sideErrors] })
    .route({
      method: 'GET',
      path: '/me/reviews/given',
      summary: 'Reviews you wrote as a worker, or that a business wrote, newest first',
    })
    .input(z.object(forSide))
    .output(pageOf(ownReview)),
  ofBusiness: operation({ access: 'public', errors: ['business/not-found', 'request/bad-cursor'] })
    .route({
      method: 'GET',
      path: '/businesses/{businessId}/reviews',
      summary: 'List reviews of a business by workers',
    })
    .input(z.object({ businessId: id, ...listInput }))
    .output(publishedPage),
  ofWorker: operation({ access: 'verified', errors: ['profile/not-found', 'request/bad-cursor'] })
    .route({
      method: 'GET',
      path: '/workers/{workerId}/reviews',
      summary: 'List reviews by businesses of you, or of a worker who applied to you',
    })
    .input(z.object({ workerId: id, ...listInput }))
    .output(publishedPage),
  keep: operation({
    access: 'operator',
    operator: {
      may: 'moderation',
      needs: 'claim',
      case: { kind: 'flagged_review', id: 'reviewId' },
      decides: { decision: 'keep', reason: null },
    },
    errors: ['review/not-found', 'operator/own-record'],
    effects: [],
  })
    .route({ method: 'POST', path: '/operators/reviews/{reviewId}/keep', summary: 'Keep a flagged review' })
    .input(ofReview)
    .output(z.object({ id })),
};
