import { z } from 'zod';
import { jobCard } from './jobs.ts';
import { limits } from './limits.ts';
import { matchReason } from './matching.ts';
import { id, instant, line, operation, pageInput, pageOf, prose } from './operation.ts';
import { workerCard } from './profiles.ts';

/** A note about an applicant, private to the recruiters of the business. */
export const applicantNote = z.object({
  id,
  text: z.string(),
  author: z.object({ id, name: z.string() }),
  at: instant,
  /** Whether the caller wrote it, and may delete it. */
  own: z.boolean(),
});
export type ApplicantNote = z.infer<typeof applicantNote>;

/** How an invitation stands; `ended` is said of one that nobody answered while the job was open. */
export const invitationStatuses = ['sent', 'applied', 'declined', 'ended'] as const;

/** An invitation to apply for a job, as the worker sees it. `ended`: the job is no longer open. */
export const invitation = z.object({
  id,
  status: z.enum(invitationStatuses),
  message: z.string(),
  at: instant,
  job: jobCard,
});
export type Invitation = z.infer<typeof invitation>;

/** Somebody who may be invited, with the reasons why they would suit. */
export const candidate = z.object({
  worker: workerCard,
  matchScore: z.number().int(),
  match: z.array(matchReason),
  invitedAt: instant.nullable(),
});
export type Candidate = z.infer<typeof candidate>;

const memberErrors = ['application/not-found', 'application/not-allowed'] as const;
const tag = line(limits.tagMax);

/** What a business keeps to itself about applicants, and whom it asks to apply. */
export const pipeline = {
  notes: operation({ access: 'member:recruiter', errors: [...memberErrors, 'request/bad-cursor'] })
    .route({
      method: 'GET',
      path: '/applications/{applicationId}/notes',
      summary: 'Notes about an applicant, newest first',
    })
    .input(z.object({ applicationId: id, ...pageInput }))
    .output(pageOf(applicantNote)),
  addNote: operation({ access: 'member:recruiter', errors: [...memberErrors] })
    .route({
      method: 'POST',
      path: '/applications/{applicationId}/notes',
      summary: 'Note something about an applicant',
      successStatus: 201,
    })
    .input(z.object({ applicationId: id, text: prose(limits.noteMax, 1) }))
    .output(applicantNote),
  deleteNote: operation({ access: 'member:recruiter', errors: ['note/not-found'] })
    .route({ method: 'DELETE', path: '/notes/{noteId}', summary: 'Delete a note of your own' })
    .input(z.object({ noteId: id }))
    .output(z.object({ deleted: z.literal(true) })),
  setTags: operation({ access: 'member:recruiter', errors: [...memberErrors] })
    .route({
      method: 'PUT',
      path: '/applications/{applicationId}/tags',
      summary: 'Put exactly these tags on an applicant',
    })
    .input(z.object({ applicationId: id, tags: z.array(tag).max(limits.tagsMax) }))
    .output(z.object({ tags: z.array(z.string()) })),
  tags: operation({ access: 'member:recruiter', errors: ['business/not-found', 'business/not-allowed'] })
    .route({
      method: 'GET',
      path: '/businesses/{businessId}/tags',
      summary: 'Tags in use at a business, most used first, at most 50',
    })
    .input(z.object({ businessId: id }))
    .output(z.array(z.object({ tag: z.string(), count: z.number().int() }))),
  candidates: operation({
    access: 'member:recruiter',
    errors: ['job/not-found', 'job/not-allowed'],
  })
    .route({
      method: 'GET',
      path: '/jobs/{jobId}/candidates',
      summary:
        'People who applied to the business or worked for it before and not for this job yet, best match first, at most 50',
    })
    .input(z.object({ jobId: id }))
    .output(z.array(candidate)),
  invite: operation({
    access: 'member:recruiter',
    errors: [
      'job/not-found',
      'job/not-allowed',
      'job/not-open',
      'invitation/unknown-worker',
      'invitation/already-applied',
    ],
  })
    .route({
      method: 'POST',
      path: '/jobs/{jobId}/invitations',
      summary: 'Invite somebody to apply; a repeat changes nothing',
      successStatus: 201,
    })
    .input(z.object({ jobId: id, workerId: id, message: prose(limits.messageMax).default('') }))
    .output(z.object({ id, workerId: id, at: instant })),
  invitations: operation({ access: 'verified', errors: ['request/bad-cursor'] })
    .route({ method: 'GET', path: '/invitations', summary: 'Your invitations, newest first' })
    .input(z.object({ ...pageInput }))
    .output(pageOf(invitation)),
  declineInvitation: operation({
    access: 'verified',
    errors: ['invitation/not-found', 'invitation/wrong-state'],
  })
    .route({
      method: 'POST',
      path: '/invitations/{invitationId}/decline',
      summary: 'Say no to an invitation',
    })
    .input(z.object({ invitationId: id }))
    .output(invitation),
};
