import { z } from 'zod';
import { id, instant, operation } from '../operation.ts';
import { workLimits } from '../work/limits.ts';
import { hiringLimits } from './limits.ts';

/**
 * `in_review`: the job for the rest of a shift is being checked, and nobody was invited yet. `to_approve`: a colleague
 * took a shift that is given away, and a recruiter has to agree.
 */
export const replacementStates = ['in_review', 'looking', 'to_approve', 'found', 'ended'] as const;

/** The search for someone to work a booked shift instead of its worker (ADR 385). */
export const replacement = z.object({
  engagementId: id,
  /** The job with the open spot: that of the booking, or a copy for the rest of a shift that has started. */
  jobId: id,
  /** Set if the worker gives the shift away, and stays booked until someone took it. */
  giveawayId: id.nullable(),
  state: z.enum(replacementStates),
  /** People who were invited or have an offer from the waitlist, and those of them who answered. Null for a giveaway. */
  invitedCount: z.number().int().nullable(),
  answerCount: z.number().int().nullable(),
  /** The time at which everyone may see the spot. Null once they do, and for a giveaway. */
  publicAt: instant.nullable(),
  startsAt: instant,
  timeZone: z.string(),
});
export type Replacement = z.infer<typeof replacement>;

/** Replacements for workers who cancelled, did not confirm, did not come or give their shift away. */
export const replacements = {
  list: operation({ access: 'member:coordinator', errors: ['business/not-found', 'business/not-allowed'] })
    .route({
      method: 'GET',
      path: '/businesses/{businessId}/replacements',
      summary: 'List the searches for replacements of shifts that started at most a day ago, newest first',
    })
    .input(z.object({ businessId: id }))
    .output(
      z.object({
        items: z.array(replacement).max(hiringLimits.replacementsMax),
        /** The last choice of the business for `find`. */
        publicAfterMinutes: z.number().int(),
      }),
    ),
  find: operation({
    access: 'member:coordinator',
    errors: [
      'engagement/not-found',
      'engagement/not-allowed',
      'engagement/wrong-state',
      'engagement/too-late',
      'business/wrong-state',
      'job/not-found',
      'job/not-allowed',
      'job/wrong-state',
      'job/incomplete',
      'job/starts-in-past',
      'job/too-far-ahead',
      'job/open-limit',
      'job/not-instant',
      'payment/balance-short',
      'payment/over-budget',
      'payment/credit-overdue',
      'branch/not-found',
      'branch/closed',
    ],
    effects: ['hire', 'money'],
  })
    .route({
      method: 'POST',
      path: '/engagements/{engagementId}/replacement',
      summary:
        'Look for someone else for a shift whose worker cancelled or did not come: waitlist and pools first, then who worked here, then everyone',
      successStatus: 201,
    })
    .input(
      z.object({
        engagementId: id,
        /**
         * Minutes until everyone may see the spot, at most half of the time to the start. The last choice of the
         * business if absent, and an hour at first.
         */
        publicAfterMinutes: z.number().int().min(0).max(workLimits.publicAfterMinutesMax).optional(),
      }),
    )
    .output(replacement),
};
