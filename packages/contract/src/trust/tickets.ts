import { z } from 'zod';
import { languages } from '../languages.ts';
import { limits } from '../limits.ts';
import { id, instant, line, operation, pageInput, pageOf, prose } from '../operation.ts';
import { contactEmail } from '../people/email.ts';
import { storedFile } from '../people/files.ts';
import { personName } from '../people/names.ts';
import { ticketCategories, ticketLimits, ticketRefKinds, ticketStatuses } from './tickets.rules.ts';

/** A record that the person attached. Not authorized here: staff open it under their own access. */
export const ticketRef = z.object({ kind: z.enum(ticketRefKinds), id });
export type TicketRef = z.infer<typeof ticketRef>;

/** A path of the app without its query, which could contain typed or secret text. */
const page = z
  .string()
  .max(ticketLimits.pageMax)
  .regex(/^(\/[\w/-]*)?$/);

const words = {
  category: z.enum(ticketCategories),
  subject: line(ticketLimits.subjectMax),
  body: prose(ticketLimits.bodyMax, 1),
  page: page.default(''),
};

export const ticketMessage = z.object({
  id,
  author: z.enum(['requester', 'staff']),
  body: z.string(),
  files: z.array(storedFile),
  /** The number of attachments rejected from a mail, as too large, too many or of another type. */
  filesRefused: z.number().int(),
  byMail: z.boolean(),
  at: instant,
});
export type TicketMessage = z.infer<typeof ticketMessage>;

/** A message as operators see it. Its author sees only that Nearhand wrote it. */
export const staffTicketMessage = ticketMessage.extend({
  /** The operator who wrote it; null for the requester and for an operator whose account is gone. */
  by: z.string().nullable(),
  /** The subject of the merged request that it was sent in; null if it was sent in this one. */
  sentIn: z.string().nullable(),
});
export type StaffTicketMessage = z.infer<typeof staffTicketMessage>;

/** A request to staff. `waiting`: for the requester's reply. */
export const ticket = z.object({
  id,
  category: z.enum(ticketCategories),
  subject: z.string(),
  status: z.enum(ticketStatuses),
  /** The deadline of a question that Nearhand asked about a case; null for the person's own request. */
  dueAt: instant.nullable(),
  /** The requester's rating once it was solved; null if there is none. */
  helpful: z.boolean().nullable(),
  createdAt: instant,
  updatedAt: instant,
});
export type Ticket = z.infer<typeof ticket>;

export const ticketThread = ticket.extend({
  page: z.string(),
  /** The request that this one was merged into, which has its messages; null if it was not merged. */
  mergedInto: id.nullable(),
  refs: z.array(ticketRef),
  messages: z.array(ticketMessage),
});
export type TicketThread = z.infer<typeof ticketThread>;

/** A guest's ticket, sent to `POST /api/guest-tickets` (ADR 161). `id` is made by the device and deduplicates it. */
export const guestTicket = z.object({
  id,
  email: contactEmail(limits.emailMax),
  name: personName(limits.nameMax),
  /** The language of the page with the form, for mails about the request. */
  language: z.enum(languages).optional(),
  ...words,
});
export type GuestTicket = z.input<typeof guestTicket>;

/** A guest's request, as its link opens it. */
export const guestThread = ticketThread.extend({ linkExpiresAt: instant });
export type GuestThread = z.infer<typeof guestThread>;

/** A reply with a link, sent as a form; `id` is made by the device and deduplicates it. */
export const guestReply = z.object({
  id,
  body: prose(ticketLimits.bodyMax, 1),
  files: z.array(z.file()).max(ticketLimits.filesMax),
});

export const ticketFileIds = z.array(id).max(ticketLimits.filesMax).default([]);
export const ticketFileErrors = ['file/not-found', 'file/wrong-type'] as const;
const ticketInput = z.object({ ticketId: id });

/** Requests to Nearhand's staff, of the caller alone. Guests write through a plain route and by mail (ADR 161). */
export const tickets = {
  create: operation({
    access: 'signed-in',
    errors: ['ticket/too-many', ...ticketFileErrors],
    effects: [],
    whileSuspended: 'staff',
  })
    .route({ method: 'POST', path: '/me/tickets', summary: 'Write to Nearhand', successStatus: 201 })
    .input(
      z.object({
        ...words,
        refs: z.array(ticketRef).max(ticketLimits.refsMax).default([]),
        fileIds: ticketFileIds,
      }),
    )
    .output(ticketThread),
  list: operation({ access: 'signed-in', errors: ['request/bad-cursor'] })
    .route({
      method: 'GET',
      path: '/me/tickets',
      summary: 'List your requests to Nearhand, last changed first',
    })
    .input(z.object(pageInput))
    .output(pageOf(ticket)),
  get: operation({ access: 'signed-in', errors: ['ticket/not-found'] })
    .route({ method: 'GET', path: '/tickets/{ticketId}', summary: 'A request with its messages' })
    .input(ticketInput)
    .output(ticketThread),
  reply: operation({
    access: 'signed-in',
    errors: ['ticket/not-found', 'ticket/merged', 'ticket/too-many', ...ticketFileErrors],
    effects: [],
    whileSuspended: 'staff',
  })
    .route({
      method: 'POST',
      path: '/tickets/{ticketId}/messages',
      summary: 'Reply to Nearhand; opens a solved request again',
      successStatus: 201,
    })
    .input(ticketInput.extend({ body: prose(ticketLimits.bodyMax, 1), fileIds: ticketFileIds }))
    .output(ticketThread),
  solve: operation({
    access: 'signed-in',
    errors: ['ticket/not-found', 'ticket/merged'],
    effects: [],
    whileSuspended: 'staff',
  })
    .route({ method: 'POST', path: '/tickets/{ticketId}/solve', summary: 'Mark your request as solved' })
    .input(ticketInput)
    .output(ticketThread),
  rate: operation({
    access: 'signed-in',
    errors: ['ticket/not-found', 'ticket/merged', 'ticket/not-solved'],
    effects: [],
    whileSuspended: 'staff',
  })
    .route({
      method: 'POST',
      path: '/tickets/{ticketId}/rating',
      summary: 'Say whether a solved request was helpful',
    })
    .input(ticketInput.extend({ helpful: z.boolean() }))
    .output(ticketThread),
};
