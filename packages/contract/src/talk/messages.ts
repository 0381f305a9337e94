import { z } from 'zod';
import { id, instant, operation, prose, queryInteger } from '../operation.ts';
import { storedFile } from '../people/files.ts';
import { chatWarnings } from './chat-warnings.ts';
import { talkLimits } from './limits.ts';

/** A side of a conversation: the worker, or any recruiter (and above) of the business. */
export const chatSides = ['worker', 'business'] as const;
export type ChatSide = (typeof chatSides)[number];

/** System messages about booked work; the chat links them to it. */
export const workLines = [
  'hired',
  'work-confirmed',
  'checked-in',
  'checked-out',
  'hours-submitted',
  'hours-countered',
  'work-delivered',
  'changes-requested',
  'work-approved',
  'pay-released',
  'work-cancelled',
  'work-handed-on',
  'work-day-off',
  'no-show-reported',
  'dispute-opened',
  'dispute-settled',
] as const;

/** A work event between messages. The app has the texts; `data` has times, amounts and names. */
export const systemLines = [
  'applied',
  'invited',
  'shortlisted',
  'application-ended',
  'interview-proposed',
  'interview-times-suggested',
  'interview-scheduled',
  'interview-cancelled',
  'offer-sent',
  'offer-accepted',
  'offer-declined',
  'offer-ended',
  ...workLines,
] as const;
export type SystemLine = (typeof systemLines)[number];

export const reactions = ['thumbs-up', 'heart', 'check', 'smiley', 'hands-clapping', 'question'] as const;
export type Reaction = (typeof reactions)[number];

const seq = z.number().int().min(1);

const person = z.object({
  accountId: id,
  side: z.enum(chatSides),
  name: z.string(),
  photoPath: z.string().nullable(),
});

/** A message by a person (`kind: 'text'`) or a system line. */
export const message = z.object({
  id,
  conversationId: id,
  /** Its position: 1, 2, 3 … without gaps in a conversation, the same for everyone. */
  seq,
  /** The revision of its last change, without gaps in a conversation; `since` uses it. */
  rev: z.number().int().min(1),
  kind: z.enum(['text', 'system']),
  from: person.nullable(),
  /** The id under which the caller's device sent it; null for others' messages. */
  clientId: id.nullable(),
  /** Empty for a system line, a redacted message, and one with only files. */
  body: z.string(),
  system: z
    .object({
      line: z.enum(systemLines),
      data: z.record(z.string(), z.union([z.string(), z.number()])),
      /** The link of this line for the caller; null if there is none. */
      path: z.string().nullable(),
    })
    .nullable(),
  files: z.array(storedFile),
  /** The message it replies to; `excerpt` is its first 140 characters, empty if redacted. */
  replyTo: z.object({ seq, name: z.string(), excerpt: z.string(), redacted: z.boolean() }).nullable(),
  reactions: z.array(z.object({ reaction: z.enum(reactions), count: z.number().int(), mine: z.boolean() })),
  /** Warnings for both sides: contact details before hiring, and payment outside Nearhand. */
  warnings: z.array(z.enum(chatWarnings)),
  editedAt: instant.nullable(),
  redactedAt: instant.nullable(),
  at: instant,
});
export type Message = z.infer<typeof message>;

const inConversation = z.object({ conversationId: id });
const pathSeq = queryInteger(1);
const ofMessage = inConversation.extend({ seq: pathSeq });

/** Writes in a conversation; `conversations.messages` reads it. */
export const messages = {
  send: operation({
    access: 'verified',
    errors: [
      'chat/not-found',
      'chat/read-only',
      'chat/blocked',
      'chat/frozen',
      'chat/too-fast',
      'chat/no-such-message',
      'chat/empty',
      'idempotency/key-reused',
      'file/not-found',
      'file/wrong-type',
    ],
    effects: ['text'],
  })
    .route({
      method: 'POST',
      path: '/conversations/{conversationId}/messages',
      summary: 'Send a message; idempotent by clientId',
      successStatus: 201,
    })
    .input(
      inConversation.extend({
        clientId: id,
        body: prose(talkLimits.chatMessageMax),
        replyTo: seq.optional(),
        fileIds: z.array(id).max(talkLimits.chatFilesMax).default([]),
      }),
    )
    .output(message),
  edit: operation({
    access: 'verified',
    errors: [
      'chat/not-found',
      'chat/no-such-message',
      'chat/not-yours',
      'chat/too-late',
      'chat/read-only',
      'chat/blocked',
      'chat/frozen',
      'chat/empty',
    ],
    effects: ['text'],
  })
    .route({
      method: 'PATCH',
      path: '/conversations/{conversationId}/messages/{seq}',
      summary: 'Edit your message, within 5 minutes',
    })
    .input(ofMessage.extend({ body: prose(talkLimits.chatMessageMax, 1) }))
    .output(message),
  redact: operation({
    access: 'verified',
    errors: ['chat/not-found', 'chat/no-such-message', 'chat/not-yours'],
    effects: [],
    whileSuspended: 'retreat',
  })
    .route({
      method: 'POST',
      path: '/conversations/{conversationId}/messages/{seq}/redact',
      summary: 'Delete your message; its place stays',
    })
    .input(ofMessage)
    .output(message),
  react: operation({
    access: 'verified',
    errors: ['chat/not-found', 'chat/no-such-message', 'chat/read-only', 'chat/blocked', 'chat/frozen'],
    effects: ['text'],
  })
    .route({
      method: 'PUT',
      path: '/conversations/{conversationId}/messages/{seq}/reaction',
      summary: 'React to a message; null removes the reaction',
    })
    .input(ofMessage.extend({ reaction: z.enum(reactions).nullable() }))
    .output(message),
};
