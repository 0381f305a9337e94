import { z } from 'zod';
import { attendanceEvent, dispute, engagementStatuses, hoursClaim } from './engagements.ts';
import { jobKinds } from './jobs.ts';
import { currency } from './money.ts';
import { id, instant, operation, pageInput, pageOf } from './operation.ts';
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
};
