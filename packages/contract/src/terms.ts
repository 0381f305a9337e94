import { z } from 'zod';
import { jobKinds } from './jobs.ts';
import { currency } from './money.ts';
import { day, instant } from './operation.ts';
import { categoryIds } from './taxonomy.ts';

/**
 * What was agreed, frozen when an offer goes out (product.md: terms frozen): later edits of the job change nothing here. Amounts in minor units of
 * `currency`; the place is the true one and only whoever has the offer or the engagement is told it.
 */
export const terms = z.object({
  kind: z.enum(jobKinds),
  title: z.string(),
  category: z.enum(categoryIds),
  /** An hour for a shift, the whole for a task. */
  payMinor: z.number().int(),
  currency,
  /** Paid minutes as planned; null for a task. */
  paidMinutes: z.number().int().nullable(),
  /** Pay for the whole as planned, before the worker's fee. */
  payTotalMinor: z.number().int(),
  /** What the worker gets for the whole as planned. */
  workerGetsMinor: z.number().int(),
  merchantFeeBasisPoints: z.number().int(),
  workerFeeBasisPoints: z.number().int(),
  /** Of the schedule of fees, by which both were frozen (ADR 0141); none before there is an offer. */
  feeVersion: z.number().int().optional(),
  /** What the merchant sets aside: pay and fee. */
  holdMinor: z.number().int(),
  startsAt: instant.nullable(),
  endsAt: instant.nullable(),
  breakMinutes: z.number().int(),
  breakPaid: z.boolean(),
  /** Last day of a task, in the job's zone. */
  dueOn: day.nullable(),
  timeZone: z.string(),
  place: z.object({ address: z.string(), area: z.string(), lat: z.number(), lng: z.number() }),
});
export type Terms = z.infer<typeof terms>;

/**
 * Whether the money is set aside (product.md: Hold). `frozen`: it is, but a chargeback is open; `partly_funded`: a lost one took a part of it; `not_funded`: not yet, or
 * not any more.
 */
export const fundings = ['not_funded', 'partly_funded', 'funded', 'frozen'] as const;
export type Funding = (typeof fundings)[number];

/** The other side of a piece of work, as each may know it. */
export const businessRef = z.object({
  id: z.uuid(),
  name: z.string(),
  verified: z.boolean(),
  logoPath: z.string().nullable(),
});
/** The worker of a piece of work, as the other side may know them. */
export const workerRef = z.object({ id: z.uuid(), name: z.string(), photoPath: z.string().nullable() });

/** One dated step of a record: what happened, by whom, why. `by` says whose side it was. */
export const step = z.object({
  action: z.string(),
  status: z.string(),
  by: z.enum(['worker', 'business', 'timer', 'operator']),
  at: instant,
  reason: z.string().nullable(),
});
export type Step = z.infer<typeof step>;

/** On which side of a record the caller stands; someone may be on either, never on both of one. */
export const sides = ['worker', 'business'] as const;
export type Side = (typeof sides)[number];
