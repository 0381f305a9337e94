import { z } from 'zod';
import { limits } from '../limits.ts';
import { id, instant, operation, pageInput, pageOf, prose, queryInteger } from '../operation.ts';
import { dayParts, weekdays } from '../people/profile-choices.ts';
import { workerCard } from '../people/profiles.ts';
import { ratingLimits } from '../people/rating.rules.ts';
import { skillIds } from '../people/taxonomy.ts';
import { jobCard } from './jobs.ts';
import { matchReason } from './matching.ts';
import { nearbyLimits } from './nearby-start.ts';
import { inviteOutcomes } from './pools.ts';

export const invitationStatuses = ['sent', 'applied', 'declined', 'ended'] as const;

/** An invitation to apply, as the worker sees it. `ended`: the job is no longer open. */
export const invitation = z.object({
  id,
  status: z.enum(invitationStatuses),
  message: z.string(),
  at: instant,
  job: jobCard,
});
export type Invitation = z.infer<typeof invitation>;

export const candidate = z.object({
  worker: workerCard,
  matchScore: z.number().int(),
  match: z.array(matchReason),
  invitedAt: instant.nullable(),
});
export type Candidate = z.infer<typeof candidate>;

/** A worker who lets businesses find them (ADR 381). The name is null until contact if they chose so. */
export const findableWorker = z.object({
  ...workerCard.pick({ workerId: true, languages: true, availability: true, weekHoursMax: true }).shape,
  ...workerCard.pick({ skills: true, rating: true }).shape,
  name: z.string().nullable(),
  identityChecked: z.boolean(),
  /** Rough metres from the square kilometre of the home to the place of the search. */
  distanceM: z.number().int(),
  reliabilityPercent: z.number().int().nullable(),
  /** Approved work for this business. */
  timesWorked: z.number().int(),
  /**
   * Minutes that they are booked for by this business in the week of the job of the search, Monday to Sunday; null
   * without one.
   */
  weekMinutes: z.number().int().nullable(),
  /** The start of their last shift in 90 days for which this business reported a no-show. */
  missedAt: instant.nullable(),
  /** The outcome of an invitation to the job of the search; null if there is none. */
  outcome: z.enum(inviteOutcomes).nullable(),
});
export type FindableWorker = z.infer<typeof findableWorker>;

const tenthsPerStar = 10;
const percentMax = 100;

export const findWorkersInput = z.object({
  businessId: id,
  /** The centre of the search; the place of the business if absent. */
  branchId: id.optional(),
  jobId: id.optional(),
  skill: z.enum(skillIds).optional(),
  day: z.enum(weekdays).optional(),
  part: z.enum(dayParts).optional(),
  withinKm: queryInteger(1, nearbyLimits.radiusMaxKm).default(nearbyLimits.radiusDefaultKm),
  /** The minimum average rating, in tenths of a star. */
  ratingTenths: queryInteger(tenthsPerStar, ratingLimits.starsMax * tenthsPerStar).optional(),
  reliabilityPercent: queryInteger(1, percentMax).optional(),
});
export type FindWorkersInput = z.infer<typeof findWorkersInput>;

/** Invitations: recruiters ask people to apply for a job. */
export const invitations = {
  candidates: operation({
    access: 'member:coordinator',
    errors: ['job/not-found', 'job/not-allowed'],
  })
    .route({
      method: 'GET',
      path: '/jobs/{jobId}/candidates',
      summary:
        'Earlier applicants and workers who have not applied for this job, best match first, at most 50',
    })
    .input(z.object({ jobId: id }))
    .output(z.array(candidate)),
  send: operation({
    access: 'member:coordinator',
    errors: [
      'job/not-found',
      'job/not-allowed',
      'job/not-open',
      'invitation/unknown-worker',
      'invitation/already-applied',
      'invitation/limit',
      'worker/unreachable',
    ],
    effects: ['hire', 'text:message'],
  })
    .route({
      method: 'POST',
      path: '/jobs/{jobId}/invitations',
      summary: 'Invite someone to apply; idempotent',
      successStatus: 201,
    })
    .input(z.object({ jobId: id, workerId: id, message: prose(limits.messageMax).default('') }))
    .output(z.object({ id, workerId: id, at: instant })),
  find: operation({
    access: 'member:coordinator',
    errors: [
      'business/not-found',
      'business/not-allowed',
      'business/wrong-state',
      'branch/not-found',
      'job/not-found',
      'job/not-allowed',
    ],
  })
    .route({
      method: 'GET',
      path: '/businesses/{businessId}/findable-workers',
      summary:
        'Workers near a place who let businesses find them: usually free during `jobId` first, then with most of its skills, then nearest, at most 50',
    })
    .input(findWorkersInput)
    .output(z.array(findableWorker)),
  sendAll: operation({
    access: 'member:coordinator',
    errors: ['job/not-found', 'job/not-allowed', 'job/not-open'],
    effects: ['hire', 'text:message'],
  })
    .route({
      method: 'POST',
      path: '/jobs/{jobId}/invitations/all',
      summary: 'Invite several workers to apply, with a result for each; nobody is invited twice',
      successStatus: 201,
    })
    .input(
      z.object({
        jobId: id,
        workerIds: z.array(id).min(1).max(limits.bulkMax),
        message: prose(limits.messageMax).default(''),
      }),
    )
    .output(
      z.object({
        results: z.array(z.object({ workerId: id, sent: z.boolean(), outcome: z.enum(inviteOutcomes) })),
      }),
    ),
  mine: operation({ access: 'verified', errors: ['request/bad-cursor'] })
    .route({ method: 'GET', path: '/invitations', summary: 'List your invitations, newest first' })
    .input(z.object({ ...pageInput }))
    .output(pageOf(invitation)),
  decline: operation({
    access: 'verified',
    errors: ['invitation/not-found', 'invitation/wrong-state'],
    effects: [],
    whileSuspended: 'retreat',
  })
    .route({
      method: 'POST',
      path: '/invitations/{invitationId}/decline',
      summary: 'Decline an invitation',
    })
    .input(z.object({ invitationId: id }))
    .output(invitation),
};
