import { z } from 'zod';
import { limits } from '../limits.ts';
import { id, instant, line, operation, pageInput, pageOf, queryFlag, queryInteger } from '../operation.ts';
import { talkLimits } from './limits.ts';
import { chatSides, message } from './messages.ts';

/**
 * The states of a conversation (product.md). `read_only` 30 d after the work, `blocked` by a side, `frozen` by an
 * operator.
 */
export const conversationStates = ['active', 'read_only', 'blocked', 'frozen'] as const;
export type ConversationState = (typeof conversationStates)[number];

/** A conversation of a worker and a business about one job, as the caller sees it. */
export const conversation = z.object({
  id,
  state: z.enum(conversationStates),
  blockedBy: z.enum(['you', 'them', 'both']).nullable(),
  /** The time it becomes or became read-only; null while the work is open. */
  readOnlyAt: instant.nullable(),
  side: z.enum(chatSides),
  job: z.object({ id, title: z.string(), startsAt: instant.nullable(), timeZone: z.string() }),
  business: z.object({ id, name: z.string(), logoPath: z.string().nullable() }),
  worker: z.object({ id, name: z.string(), photoPath: z.string().nullable() }),
  applicationId: id.nullable(),
  engagementId: id.nullable(),
  /** True if one side has hired the other, so that contact details need no warning. */
  hired: z.boolean(),
  lastSeq: z.number().int(),
  rev: z.number().int(),
  /** The last message the caller has read, and the number of the other side's after it (without system lines). */
  readSeq: z.number().int(),
  unread: z.number().int(),
  muted: z.boolean(),
  /** `readSeq` is null if either side hides read receipts. Hiding last-seen limits `deliveredSeq` too. */
  theirs: z.object({ deliveredSeq: z.number().int(), readSeq: z.number().int().nullable() }),
  /** Null if either side hides it, or one has blocked the other. The same applies to `online`. */
  lastSeenAt: instant.nullable(),
  online: z.boolean(),
  /** The other side's median response time in minutes; null with fewer than three answers. */
  repliesInMinutes: z.number().int().nullable(),
  last: message.nullable(),
  lastAt: instant,
});
export type Conversation = z.infer<typeof conversation>;

export const chatSettings = z.object({
  /** Each applies both ways: hiding one's own also hides the other side's. */
  showsTyping: z.boolean(),
  showsLastSeen: z.boolean(),
  showsRead: z.boolean(),
});
export type ChatSettings = z.infer<typeof chatSettings>;

export const quickReply = line(talkLimits.quickReplyMax);

const inConversation = z.object({ conversationId: id });
const pathSeq = queryInteger(1);
const revision = queryInteger(0);

const messagePage = z.object({
  items: z.array(message),
  /** True if there is more in that direction (`since`: later changes; otherwise earlier messages). */
  more: z.boolean(),
  rev: z.number().int(),
  lastSeq: z.number().int(),
});

/** The caller's conversations; the socket only hints at what to fetch here (ADR 92). */
export const conversations = {
  list: operation({ access: 'verified', errors: ['request/bad-cursor'] })
    .route({ method: 'GET', path: '/conversations', summary: 'List your conversations, newest first' })
    .input(
      z.object({
        ...pageInput,
        /** `work`: as a worker; `hire`: as a recruiter. Both if omitted. */
        side: z.enum(['work', 'hire']).optional(),
        businessId: id.optional(),
        jobId: id.optional(),
        unread: queryFlag.optional(),
        search: line(talkLimits.conversationSearchMax).optional(),
      }),
    )
    .output(
      pageOf(conversation).extend({
        unread: z.number().int(),
        /** The newest matching message of each conversation; none if only its name or title matched. */
        found: z.array(message),
      }),
    ),
  unread: operation({ access: 'verified', errors: [] })
    .route({
      method: 'GET',
      path: '/conversations/unread',
      summary: 'The number of unread conversations',
    })
    .input(z.object({ side: z.enum(['work', 'hire']).optional() }))
    .output(z.object({ conversations: z.number().int() })),
  get: operation({ access: 'verified', errors: ['chat/not-found'] })
    .route({ method: 'GET', path: '/conversations/{conversationId}', summary: 'Get a conversation' })
    .input(inConversation)
    .output(conversation),
  open: operation({ access: 'verified', errors: ['chat/not-found', 'chat/not-connected'], effects: ['text'] })
    .route({
      method: 'POST',
      path: '/conversations',
      summary:
        'The conversation about a job with one worker; created where there is an application or an invitation',
    })
    .input(z.object({ jobId: id, /** Omitted by the worker. */ workerId: id.optional() }))
    .output(conversation),
  messages: operation({ access: 'verified', errors: ['chat/not-found'] })
    .route({
      method: 'GET',
      path: '/conversations/{conversationId}/messages',
      summary: 'Messages by position, or everything changed since a revision',
    })
    .input(
      inConversation
        .extend({
          /** Everything with a greater `rev`, in the order of `rev`. A future revision is refused. */
          since: revision.optional(),
          /** The newest messages before this place, in the order of `seq`. Without any of the three: the newest. */
          before: pathSeq.optional(),
          around: pathSeq.optional(),
          limit: queryInteger(1, talkLimits.messagesPage).default(50),
        })
        .refine(
          (request) =>
            [request.since, request.before, request.around].filter((value) => value !== undefined).length < 2,
          {
            message: 'only one of since, before and around',
          },
        ),
    )
    .output(messagePage),
  recent: operation({ access: 'verified', errors: [] })
    .route({
      method: 'GET',
      path: '/conversations/recent',
      summary: 'The last messages of the conversations about your open work, for reading offline',
    })
    .output(
      z.object({
        /** Newest conversation first; the messages in the order of `seq`. */
        items: z.array(messagePage.extend({ conversationId: id })),
      }),
    ),
  acknowledge: operation({ access: 'verified', errors: [], effects: [], whileSuspended: 'retreat' })
    .route({
      method: 'PUT',
      path: '/conversations/receipts',
      summary: 'Record how far your devices received and read messages; only moves forward',
    })
    .input(
      z.object({
        items: z
          .array(
            z.object({
              conversationId: id,
              deliveredSeq: z.number().int().min(0),
              readSeq: z.number().int().min(0).optional(),
            }),
          )
          .min(1)
          .max(limits.bulkMax),
      }),
    )
    .output(z.object({ conversations: z.number().int() })),
  mute: operation({ access: 'verified', errors: ['chat/not-found'], effects: [], whileSuspended: 'retreat' })
    .route({
      method: 'PUT',
      path: '/conversations/{conversationId}/mute',
      summary: 'Mute or unmute a conversation',
    })
    .input(inConversation.extend({ muted: z.boolean() }))
    .output(conversation),
  block: operation({ access: 'verified', errors: ['chat/not-found'], effects: [], whileSuspended: 'retreat' })
    .route({
      method: 'PUT',
      path: '/conversations/{conversationId}/block',
      summary: 'Block or unblock the other side in all conversations with them',
    })
    .input(inConversation.extend({ blocked: z.boolean() }))
    .output(conversation),
  settings: operation({ access: 'verified', errors: [] })
    .route({ method: 'GET', path: '/chat/settings', summary: 'Get your chat privacy settings' })
    .output(chatSettings),
  saveSettings: operation({ access: 'verified', errors: [], effects: [] })
    .route({ method: 'PUT', path: '/chat/settings', summary: 'Change your chat privacy settings' })
    .input(chatSettings)
    .output(chatSettings),
  quickReplies: operation({ access: 'verified', errors: [] })
    .route({ method: 'GET', path: '/chat/quick-replies', summary: 'List your quick replies' })
    .output(z.object({ items: z.array(z.string()) })),
  saveQuickReplies: operation({ access: 'verified', errors: [], effects: [] })
    .route({ method: 'PUT', path: '/chat/quick-replies', summary: 'Replace your quick replies' })
    .input(z.object({ items: z.array(quickReply).max(talkLimits.quickRepliesMax) }))
    .output(z.object({ items: z.array(z.string()) })),
};
