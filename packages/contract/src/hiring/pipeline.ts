import { z } from 'zod';
import { id, idAndName, instant, line, operation, pageInput, pageOf, prose } from '../operation.ts';
import { stages } from './applicants.ts';
import { jobStatuses } from './jobs.rules.ts';
import { jobCard } from './jobs.ts';
import { hiringLimits } from './limits.ts';

/** A note about an applicant, private to the business's recruiters. */
export const applicantNote = z.object({
  id,
  text: z.string(),
  author: idAndName,
  at: instant,
  own: z.boolean(),
});
export type ApplicantNote = z.infer<typeof applicantNote>;

export const board = z.object({
  stages: z.record(z.enum(stages), z.number().int()),
  job: jobCard
    .extend({ status: z.enum(jobStatuses), hired: z.number().int(), offered: z.number().int() })
    .nullable(),
  /** Applications without a decision, and how many of them no one has opened (glossary: waiting, new). */
  waiting: z.object({
    count: z.number().int(),
    unopened: z.number().int(),
    firstDecideBy: instant.nullable(),
  }),
});
export type Board = z.infer<typeof board>;

const memberErrors = ['application/not-found', 'application/not-allowed'] as const;
const tag = line(hiringLimits.tagMax);

/** The board of a business's applicants, with its private notes and tags. */
export const pipeline = {
  board: operation({ access: 'member:coordinator', errors: ['job/not-found', 'job/not-allowed'] })
    .route({ method: 'GET', path: '/jobs/{jobId}/board', summary: 'Pipeline stages of one job, with counts' })
    .input(z.object({ jobId: id }))
    .output(board),
  boardOfBusiness: operation({
    access: 'member:coordinator',
    errors: ['business/not-found', 'business/not-allowed'],
  })
    .route({
      method: 'GET',
      path: '/businesses/{businessId}/board',
      summary: 'Pipeline stages across all jobs of a business, with counts',
    })
    .input(z.object({ businessId: id }))
    .output(board),
  notes: operation({ access: 'member:coordinator', errors: [...memberErrors, 'request/bad-cursor'] })
    .route({
      method: 'GET',
      path: '/applications/{applicationId}/notes',
      summary: 'Notes about an applicant, newest first',
    })
    .input(z.object({ applicationId: id, ...pageInput }))
    .output(pageOf(applicantNote)),
  addNote: operation({ access: 'member:coordinator', errors: [...memberErrors], effects: [] })
    .route({
      method: 'POST',
      path: '/applications/{applicationId}/notes',
      summary: 'Add a note about an applicant',
      successStatus: 201,
    })
    .input(z.object({ applicationId: id, text: prose(hiringLimits.noteMax, 1) }))
    .output(applicantNote),
  deleteNote: operation({ access: 'member:coordinator', errors: ['note/not-found'], effects: [] })
    .route({ method: 'DELETE', path: '/notes/{noteId}', summary: 'Delete one of your notes' })
    .input(z.object({ noteId: id }))
    .output(z.object({ deleted: z.literal(true) })),
  setTags: operation({ access: 'member:coordinator', errors: [...memberErrors], effects: [] })
    .route({
      method: 'PUT',
      path: '/applications/{applicationId}/tags',
      summary: "Replace an applicant's tags",
    })
    .input(z.object({ applicationId: id, tags: z.array(tag).max(hiringLimits.tagsMax) }))
    .output(z.object({ tags: z.array(z.string()) })),
  tags: operation({ access: 'member:coordinator', errors: ['business/not-found', 'business/not-allowed'] })
    .route({
      method: 'GET',
      path: '/businesses/{businessId}/tags',
      summary: 'Tags in use at a business, most used first, at most 50',
    })
    .input(z.object({ businessId: id }))
    .output(z.array(z.object({ tag: z.string(), count: z.number().int() }))),
};
