import { z } from 'zod';
import { chatReportReasons, message } from './chat.ts';
import { attendanceEvent, dispute, engagementStatuses, hoursClaim } from './engagements.ts';
import { jobKinds } from './jobs.ts';
import { limits } from './limits.ts';
import { currency } from './money.ts';
import { id, instant, operation, pageInput, pageOf, prose } from './operation.ts';
import { fundings, step } from './terms.ts';

const minor = z.number().int();

/** Something that waits for an operator (ADR 0086), with what is needed to decide it; `engagements.get` has the rest. Amounts in minor units of `currency`. */
export const operatorCase = z.object({
  what: z.enum(['dispute', 'no_show']),
  engagementId: id,
  engagementStatus: z.enum(engagementStatuses),
  /** Null for a contested no-show. */
  disputeId: id.nullable(),
  /** Of the dispute, or else of the engagement: what the decision sends back. */
  version: z.number().int(),
  /** Since when it waits, and when it ends by itself; null: never. */
  since: instant,
  stopAt: instant.nullable(),
  kind: z.enum(jobKinds),
  title: z.string(),
  timeZone: z.string(),
  startsAt: instant.nullable(),
  endsAt: instant.nullable(),
  worker: z.object({ id, name: z.string() }),
  business: z.object({ id, name: z.string() }),
  currency,
  plannedMinor: minor,
  /** What each side holds to be right for the whole; null for who never named an amount. */
  workerAmountMinor: minor.nullable(),
  businessAmountMinor: minor.nullable(),
  proposal: dispute.shape.proposal,
  /** Between what the decision has to lie: what is agreed already, and the whole. Of a no-show, where they worked. */
  leastMinor: minor,
  mostMinor: minor,
  /** What is still set aside, fee included. */
  heldMinor: minor,
  funding: z.enum(fundings),
  /** What was written when it was filed or contested. */
  reason: z.string(),
  /** Of the engagement and its dispute, in the order they were taken. */
  steps: z.array(step.extend({ amountMinor: minor.nullable() })),
  attendance: z.array(attendanceEvent),
  claims: z.array(hoursClaim),
});
export type OperatorCase = z.infer<typeof operatorCase>;

/** A report of a message or a whole conversation, with what was said around it. */
export const chatReport = z.object({
  id,
  conversationId: id,
  reason: z.enum(chatReportReasons),
  note: z.string(),
  by: z.object({ accountId: id, name: z.string(), side: z.enum(['worker', 'business']) }),
  job: z.object({ id, title: z.string() }),
  business: z.object({ id, name: z.string() }),
  worker: z.object({ id, name: z.string() }),
  /** The message that was reported, and up to 10 before and after it, or the newest 20 of the conversation. A redacted one still has its words here, an edited one its earlier words before them. */
  seq: z.number().int().nullable(),
  messages: z.array(message),
  at: instant,
});
export type ChatReport = z.infer<typeof chatReport>;

/** A conversation in which nobody can write since an operator decided so. */
export const frozenConversation = z.object({
  conversationId: id,
  job: z.object({ id, title: z.string() }),
  business: z.object({ id, name: z.string() }),
  worker: z.object({ id, name: z.string() }),
  /** Since when, and what both were told then. */
  at: instant,
  reason: z.string(),
});
export type FrozenConversation = z.infer<typeof frozenConversation>;

/** What waits for the platform's own staff, and what they decide about conversations. Disputes and no-shows are decided where they belong. */
export const operators = {
  cases: operation({ access: 'operator', errors: ['request/bad-cursor'] })
    .route({
      method: 'GET',
      path: '/operators/cases',
      summary:
        'What waits for a decision, longest waiting first: disputes out of time and contested no-shows, less your own',
    })
    .input(z.object({ ...pageInput }))
    .output(pageOf(operatorCase)),
  reports: operation({ access: 'operator', errors: ['request/bad-cursor'] })
    .route({
      method: 'GET',
      path: '/operators/reports',
      summary: 'Open reports of conversations, oldest first, less those one is part of',
    })
    .input(z.object({ ...pageInput }))
    .output(pageOf(chatReport)),
  decideReport: operation({ access: 'operator', errors: ['chat/report-not-found', 'operator/own-record'] })
    .route({
      method: 'POST',
      path: '/operators/reports/{reportId}/decide',
      summary:
        'Close a report: dismissed, its message redacted, or the conversation frozen; with a reason that both are told',
    })
    .input(
      z.object({
        reportId: id,
        decision: z.enum(['dismiss', 'redact', 'freeze']),
        reason: prose(limits.reasonMax, 1),
      }),
    )
    .output(z.object({ id, decision: z.enum(['dismiss', 'redact', 'freeze']) })),
  frozen: operation({ access: 'operator', errors: ['request/bad-cursor'] })
    .route({
      method: 'GET',
      path: '/operators/conversations/frozen',
      summary: 'Conversations that are frozen, longest first, less those one is part of',
    })
    .input(z.object({ ...pageInput }))
    .output(pageOf(frozenConversation)),
  unfreeze: operation({
    access: 'operator',
    errors: ['chat/not-found', 'operator/own-record', 'operator/own-decision'],
  })
    .route({
      method: 'POST',
      path: '/operators/conversations/{conversationId}/unfreeze',
      summary: 'Let both sides write again; with a reason that both are told',
    })
    .input(z.object({ conversationId: id, reason: prose(limits.reasonMax, 1) }))
    .output(z.object({ conversationId: id })),
};
