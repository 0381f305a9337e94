import { z } from 'zod';
import { limits } from '../limits.ts';
import { id, idAndName, instant, operation, prose } from '../operation.ts';
import { chatSides, message } from './messages.ts';

export const chatReportReasons = ['harassment', 'scam', 'off-platform', 'spam', 'illegal', 'other'] as const;
export type ChatReportReason = (typeof chatReportReasons)[number];

/** A dismissal that a reporter contested, with the closed case. */
export const dismissal = z.object({ caseId: id, answer: z.string(), by: z.string(), decidedAt: instant });

export const chatReport = z.object({
  id,
  conversationId: id,
  reason: z.enum(chatReportReasons),
  note: z.string(),
  by: z.object({ accountId: id, name: z.string(), side: z.enum(chatSides) }),
  job: z.object({ id, title: z.string() }),
  business: idAndName,
  worker: idAndName,
  /** The reported message with up to 10 around it, or the newest 20. Redacted ones still have their text. */
  seq: z.number().int().nullable(),
  messages: z.array(message),
  at: instant,
  /** The dismissal that this report contests, with the first report's words. */
  contested: dismissal.extend({ note: z.string() }).nullable(),
});
export type ChatReport = z.infer<typeof chatReport>;

export const frozenConversation = z.object({
  conversationId: id,
  job: z.object({ id, title: z.string() }),
  business: idAndName,
  worker: idAndName,
  /** The time it was frozen, and the reason that both sides read. */
  at: instant,
  reason: z.string(),
  /**
   * The reported message that led to the freeze. `messages` has up to 10 around it, or the newest 20 if none
   * was reported; redacted ones keep their text.
   */
  seq: z.number().int().nullable(),
  messages: z.array(message),
  /** The reports that led to it, oldest first; each is a closed case. */
  reports: z.array(
    z.object({
      id,
      reason: z.enum(chatReportReasons),
      note: z.string(),
      by: z.object({ name: z.string(), side: z.enum(chatSides) }),
      at: instant,
    }),
  ),
});
export type FrozenConversation = z.infer<typeof frozenConversation>;

/** Reports to the operators, who decide them in `operators.*`. */
export const chatReports = {
  create: operation({
    access: 'verified',
    errors: ['chat/not-found', 'chat/no-such-message'],
    effects: [],
    whileSuspended: 'staff',
  })
    .route({
      method: 'POST',
      path: '/conversations/{conversationId}/reports',
      summary: 'Report a message or the whole conversation to the operators',
      successStatus: 201,
    })
    .input(
      z.object({
        conversationId: id,
        seq: z.number().int().min(1).optional(),
        reason: z.enum(chatReportReasons),
        note: prose(limits.reasonMax),
      }),
    )
    .output(z.object({ id })),
};
