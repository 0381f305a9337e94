import { z } from 'zod';
import { engagementStatuses } from '../engagement-statuses.ts';
import { limits } from '../limits.ts';
import { fundings } from '../money/funding.ts';
import { currency } from '../money.ts';
import { id, instant, operation, pageInput, pageOf, prose } from '../operation.ts';
import { step } from '../sides.ts';
import { chatReport, frozenConversation } from '../talk/chat-reports.ts';
import { attendanceEvent, dispute, hoursClaim } from '../work/engagements.ts';
import { jobKinds } from '../work/terms.ts';
import { serviceMessage, serviceMessageInput } from './service-status.ts';
import { ticketLimits } from './tickets.rules.ts';
import { ticket, ticketThread } from './tickets.ts';

const minor = z.number().int();

/** A case for an operator (ADR 0086), with the facts needed to decide; `engagements.get` has the rest. Amounts in minor units. */
export const operatorCase = z.object({
  what: z.enum(['dispute', 'no_show']),
  engagementId: id,
  engagementStatus: z.enum(engagementStatuses),
  /** Null for a contested no-show. */
  disputeId: id.nullable(),
  /** The version of the dispute, else of the engagement, which the decision sends back. */
  version: z.number().int(),
  /** Pending since, and when it resolves automatically; null: never. */
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
  /** The total each side considers right; null if it named none. */
  workerAmountMinor: minor.nullable(),
  businessAmountMinor: minor.nullable(),
  proposal: dispute.shape.proposal,
  /** The allowed range: what is already agreed, up to the whole. For a no-show, the pay if they worked. */
  minMinor: minor,
  maxMinor: minor,
  /** What is still on hold, including the fee. */
  heldMinor: minor,
  funding: z.enum(fundings),
  /** The reason given when it was filed or contested. */
  reason: z.string(),
  /** Steps of the engagement and its dispute, in order. */
  steps: z.array(step.extend({ amountMinor: minor.nullable() })),
  attendance: z.array(attendanceEvent),
  claims: z.array(hoursClaim),
});
export type OperatorCase = z.infer<typeof operatorCase>;

/** Who wrote a ticket; `accountId` is null for a guest, whose `email` is confirmed. */
const requester = z.object({ accountId: id.nullable(), name: z.string(), email: z.string() });
const staffTicket = ticket.extend({ from: requester, openSince: instant });
const staffThread = ticketThread.extend({ from: requester, openSince: instant });
export type StaffTicket = z.infer<typeof staffTicket>;
export type StaffThread = z.infer<typeof staffThread>;
const ofTicket = z.object({ ticketId: id });
const ticketErrors = ['ticket/not-found', 'operator/own-record'] as const;

/** Cases for platform staff, and their decisions about conversations. Disputes and no-shows are decided in their own slices. */
export const operators = {
  cases: operation({ access: 'operator', errors: ['request/bad-cursor'] })
    .route({
      method: 'GET',
      path: '/operators/cases',
      summary: 'Cases to decide, oldest first: overdue disputes and contested no-shows, except your own',
    })
    .input(z.object({ ...pageInput }))
    .output(pageOf(operatorCase)),
  reports: operation({ access: 'operator', errors: ['request/bad-cursor'] })
    .route({
      method: 'GET',
      path: '/operators/reports',
      summary: 'Open conversation reports, oldest first, except your own conversations',
    })
    .input(z.object({ ...pageInput }))
    .output(pageOf(chatReport)),
  decideReport: operation({ access: 'operator', errors: ['chat/report-not-found', 'operator/own-record'] })
    .route({
      method: 'POST',
      path: '/operators/reports/{reportId}/decide',
      summary:
        'Close a report by dismissing it, redacting the message or freezing the conversation; both sides get the reason',
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
      summary: 'Frozen conversations, oldest first, except your own',
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
      summary: 'Unfreeze a conversation; both sides get the reason',
    })
    .input(z.object({ conversationId: id, reason: prose(limits.reasonMax, 1) }))
    .output(z.object({ conversationId: id })),
  tickets: operation({ access: 'operator', errors: ['request/bad-cursor'] })
    .route({
      method: 'GET',
      path: '/operators/tickets',
      summary: 'Requests that wait for an answer, longest waiting first, except your own',
    })
    .input(z.object({ ...pageInput }))
    .output(pageOf(staffTicket)),
  ticket: operation({ access: 'operator', errors: [...ticketErrors] })
    .route({ method: 'GET', path: '/operators/tickets/{ticketId}', summary: 'A request with its messages' })
    .input(ofTicket)
    .output(staffThread),
  answerTicket: operation({ access: 'operator', errors: [...ticketErrors] })
    .route({
      method: 'POST',
      path: '/operators/tickets/{ticketId}/messages',
      summary: 'Answer a request; it then waits for its author, who gets the answer in the app and by mail',
    })
    .input(ofTicket.extend({ body: prose(ticketLimits.bodyMax, 1) }))
    .output(staffThread),
  solveTicket: operation({ access: 'operator', errors: [...ticketErrors] })
    .route({
      method: 'POST',
      path: '/operators/tickets/{ticketId}/solve',
      summary: 'Close a request as solved; a reply opens it again',
    })
    .input(ofTicket)
    .output(staffThread),
  serviceMessages: operation({ access: 'operator', errors: ['request/bad-cursor'] })
    .route({
      method: 'GET',
      path: '/operators/service-messages',
      summary: 'Messages about the service, last starting first',
    })
    .input(z.object({ ...pageInput }))
    .output(pageOf(serviceMessage)),
  postServiceMessage: operation({ access: 'operator', errors: [] })
    .route({
      method: 'POST',
      path: '/operators/service-messages',
      summary:
        'Show a message about the service to everyone, now or from startsAt, until endsAt or until it is ended',
      successStatus: 201,
    })
    .input(serviceMessageInput)
    .output(serviceMessage),
  endServiceMessage: operation({ access: 'operator', errors: ['service-message/not-found'] })
    .route({
      method: 'POST',
      path: '/operators/service-messages/{messageId}/end',
      summary: 'End a message about the service now',
    })
    .input(z.object({ messageId: id }))
    .output(serviceMessage),
};
