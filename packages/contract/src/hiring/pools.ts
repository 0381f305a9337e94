import { z } from 'zod';
import { limits } from '../limits.ts';
import { id, idAndName, instant, line, operation, pageInput, pageOf, prose } from '../operation.ts';
import { labelName } from '../people/names.ts';
import { workerCard } from '../people/profiles.ts';
import { hiringLimits } from './limits.ts';
import { applicantNote } from './pipeline.ts';
import { workerReliability } from './reliability.ts';

/** A group of saved workers, such as "Baristas I trust". Workers never see it. */
export const pool = z.object({ id, name: z.string(), workers: z.number().int() });
export type Pool = z.infer<typeof pool>;

export const savedState = z.object({
  workerId: id,
  pools: z.array(idAndName),
  tags: z.array(z.string()),
  notes: z.number().int(),
});
export type SavedState = z.infer<typeof savedState>;

export const savedWorker = savedState.extend({
  worker: workerCard,
  savedAt: instant,
  /** Approved work for this business, and when the last one ended. */
  timesWorked: z.number().int(),
  lastWorkedAt: instant.nullable(),
  /** Rough metres from the home area to the business; null if the home is unknown. */
  distanceM: z.number().int().nullable(),
  reliability: workerReliability,
});
export type SavedWorker = z.infer<typeof savedWorker>;

/** The outcome of inviting a worker to a job: reached, or why not. */
export const inviteOutcomes = [
  'ready',
  'applied',
  'invited',
  'declined',
  'offered',
  'blocked',
  'booked',
  'limit',
  'gone',
] as const;
export type InviteOutcome = (typeof inviteOutcomes)[number];

export const poolInvitee = z.object({
  worker: z.object({ workerId: id, name: z.string(), photoPath: z.string().nullable() }),
  outcome: z.enum(inviteOutcomes),
  /** Rough metres from the home area to the job; null if the home is unknown. */
  distanceM: z.number().int().nullable(),
  /** True if the worker has no booking at the time of the job; null for a job without hours. */
  free: z.boolean().nullable(),
  timesWorked: z.number().int(),
});
export type PoolInvitee = z.infer<typeof poolInvitee>;

const name = labelName(hiringLimits.poolNameMax);
const poolRef = z.object({ poolId: id });
const ofWorker = z.object({ businessId: id, workerId: id });
const workerIds = z.array(id).min(1).max(limits.bulkMax);
const businessErrors = ['business/not-found', 'business/not-allowed'] as const;
const poolErrors = ['pool/not-found', 'pool/not-allowed'] as const;
const workerErrors = [...businessErrors, 'profile/not-found'] as const;
const inviteErrors = [...poolErrors, 'job/not-found', 'job/not-allowed', 'job/not-open'] as const;

/** Saved workers in pools, for recruiters. Workers who block the business or become unknown drop out (ADR 166). */
export const pools = {
  list: operation({ access: 'member:coordinator', errors: businessErrors })
    .route({
      method: 'GET',
      path: '/businesses/{businessId}/pools',
      summary: 'Pools of a business by name, and the tags of its saved workers, most used first',
    })
    .input(z.object({ businessId: id }))
    .output(
      z.object({
        pools: z.array(pool),
        tags: z.array(z.object({ tag: z.string(), count: z.number().int() })),
      }),
    ),
  create: operation({
    access: 'member:coordinator',
    errors: [...businessErrors, 'profile/not-found', 'pool/name-taken', 'pool/too-many'],
    effects: [],
  })
    .route({
      method: 'POST',
      path: '/businesses/{businessId}/pools',
      summary: 'Create a pool, with its first workers if given',
      successStatus: 201,
    })
    .input(z.object({ businessId: id, name, workerIds: z.array(id).max(limits.bulkMax).default([]) }))
    .output(pool),
  rename: operation({ access: 'member:coordinator', errors: [...poolErrors, 'pool/name-taken'], effects: [] })
    .route({ method: 'PATCH', path: '/pools/{poolId}', summary: 'Rename a pool' })
    .input(poolRef.extend({ name }))
    .output(pool),
  delete: operation({ access: 'member:coordinator', errors: poolErrors, effects: [] })
    .route({
      method: 'DELETE',
      path: '/pools/{poolId}',
      summary: 'Delete a pool; its workers stay in other pools',
    })
    .input(poolRef)
    .output(z.object({ deleted: z.literal(true) })),
  add: operation({
    access: 'member:coordinator',
    errors: [...poolErrors, 'profile/not-found', 'pool/full'],
    effects: [],
  })
    .route({
      method: 'POST',
      path: '/pools/{poolId}/workers',
      summary: 'Add workers whom the business knows to a pool; all or none',
    })
    .input(poolRef.extend({ workerIds }))
    .output(pool),
  remove: operation({ access: 'member:coordinator', errors: poolErrors, effects: [] })
    .route({
      method: 'DELETE',
      path: '/pools/{poolId}/workers/{workerId}',
      summary: 'Remove a worker from a pool; their tags and notes are kept',
    })
    .input(poolRef.extend({ workerId: id }))
    .output(pool),
  workers: operation({
    access: 'member:coordinator',
    errors: [...businessErrors, 'pool/not-found', 'request/bad-cursor'],
  })
    .route({
      method: 'GET',
      path: '/businesses/{businessId}/saved-workers',
      summary: 'Saved workers of all pools or one, last saved first',
    })
    .input(
      z.object({
        businessId: id,
        poolId: id.optional(),
        q: line(limits.searchMax, 0).optional(),
        tag: line(hiringLimits.tagMax).optional(),
        ...pageInput,
      }),
    )
    .output(pageOf(savedWorker)),
  ofWorker: operation({ access: 'member:coordinator', errors: workerErrors })
    .route({
      method: 'GET',
      path: '/businesses/{businessId}/saved-workers/{workerId}',
      summary: 'Pools and tags of one worker',
    })
    .input(ofWorker)
    .output(savedState),
  setTags: operation({ access: 'member:coordinator', errors: workerErrors, effects: [] })
    .route({
      method: 'PUT',
      path: '/businesses/{businessId}/saved-workers/{workerId}/tags',
      summary: "Replace a worker's tags",
    })
    .input(ofWorker.extend({ tags: z.array(line(hiringLimits.tagMax)).max(hiringLimits.tagsMax) }))
    .output(savedState),
  notes: operation({ access: 'member:coordinator', errors: [...workerErrors, 'request/bad-cursor'] })
    .route({
      method: 'GET',
      path: '/businesses/{businessId}/saved-workers/{workerId}/notes',
      summary: 'Notes about a worker, newest first',
    })
    .input(ofWorker.extend(pageInput))
    .output(pageOf(applicantNote)),
  addNote: operation({ access: 'member:coordinator', errors: workerErrors, effects: [] })
    .route({
      method: 'POST',
      path: '/businesses/{businessId}/saved-workers/{workerId}/notes',
      summary: 'Add a note about a worker',
      successStatus: 201,
    })
    .input(ofWorker.extend({ text: prose(hiringLimits.noteMax, 1) }))
    .output(applicantNote),
  deleteNote: operation({ access: 'member:coordinator', errors: ['note/not-found'], effects: [] })
    .route({
      method: 'DELETE',
      path: '/saved-worker-notes/{noteId}',
      summary: 'Delete one of your notes about a saved worker',
    })
    .input(z.object({ noteId: id }))
    .output(z.object({ deleted: z.literal(true) })),
  invitees: operation({ access: 'member:coordinator', errors: inviteErrors })
    .route({
      method: 'GET',
      path: '/pools/{poolId}/jobs/{jobId}/invitees',
      summary: 'Preview who of a pool an invitation to a job would reach, and why not the others',
    })
    .input(poolRef.extend({ jobId: id }))
    .output(z.array(poolInvitee)),
  invite: operation({ access: 'member:coordinator', errors: inviteErrors, effects: ['hire', 'text:message'] })
    .route({
      method: 'POST',
      path: '/pools/{poolId}/jobs/{jobId}/invitations',
      summary: 'Invite workers of a pool to apply for a job, with a result for each; nobody is invited twice',
    })
    .input(
      poolRef.extend({
        jobId: id,
        workerIds: z.array(id).min(1).max(hiringLimits.poolWorkersMax),
        message: prose(limits.messageMax).default(''),
      }),
    )
    .output(
      z.object({
        results: z.array(z.object({ workerId: id, sent: z.boolean(), outcome: z.enum(inviteOutcomes) })),
      }),
    ),
};
