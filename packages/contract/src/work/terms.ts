import { z } from 'zod';
import { currency } from '../money.ts';
import { day, instant } from '../operation.ts';
import { categoryIds } from '../people/taxonomy.ts';
import { jobRelations } from './pay.rules.ts';

/** A `shift` is a place and hours; a `task` is a result at a fixed price (product.md, Words). */
export const jobKinds = ['shift', 'task'] as const;
export type JobKind = (typeof jobKinds)[number];

/** The agreed terms, frozen when an offer is sent, in minor units. Only offer and engagement show the exact place. */
export const terms = z.object({
  kind: z.enum(jobKinds),
  title: z.string(),
  category: z.enum(categoryIds),
  /** Hourly for a shift, total for a task. */
  payMinor: z.number().int(),
  currency,
  /** Planned paid minutes; null for a task. */
  paidMinutes: z.number().int().nullable(),
  /**
   * Minutes paid at least if the business sends home a worker who came on time. Null for a task; absent in terms
   * agreed before the rule.
   */
  minimumMinutes: z.number().int().nullable().optional(),
  /** Total planned pay before the worker's fee. */
  payTotalMinor: z.number().int(),
  /** Total planned pay after the worker's fee. */
  workerGetsMinor: z.number().int(),
  businessFeeBasisPoints: z.number().int(),
  workerFeeBasisPoints: z.number().int(),
  /** The fee schedule's version (ADR 141); absent before an offer. */
  feeVersion: z.number().int().optional(),
  /** Held from the business: pay plus its fee. */
  holdMinor: z.number().int(),
  startsAt: instant.nullable(),
  endsAt: instant.nullable(),
  breakMinutes: z.number().int(),
  breakPaid: z.boolean(),
  /** Null if the business did not state it; absent in terms agreed before it could. */
  relation: z.enum(jobRelations).nullable().optional(),
  dueOn: day.nullable(),
  timeZone: z.string(),
  /**
   * The deadline for the worker to confirm a shift, or the spot goes to someone else. Null if it is booked
   * too late to ask twice; absent in terms agreed before the rule.
   */
  confirmBy: instant.nullable().optional(),
  /**
   * The time when the pay is set aside if not with the offer, and the deadline after which the booking ends without a mark
   * (ADR 399). Null if at once; absent in terms agreed before the rule.
   */
  plannedFunding: z.object({ at: instant, by: instant }).nullable().optional(),
  place: z.object({ address: z.string(), area: z.string(), lat: z.number(), lng: z.number() }),
});
export type Terms = z.infer<typeof terms>;
