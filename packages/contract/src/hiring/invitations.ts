import { z } from 'zod';
import { limits } from '../limits.ts';
import { id, instant, operation, pageInput, pageOf, prose } from '../operation.ts';
import { workerCard } from '../people/profiles.ts';
import { jobCard } from './jobs.ts';
import { matchReason } from './matching.ts';

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

/** Invitations: recruiters ask people to apply for a job. */
export const invitations = {
  candidates: operation({
    access: 'member:recruiter',
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
    access: 'member:recruiter',
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
  mine: operation({ access: 'verified', errors: ['request/bad-cursor'] })
    .route({ method: 'GET', path: '/invitations', summary: 'Your invitations, newest first' })
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
