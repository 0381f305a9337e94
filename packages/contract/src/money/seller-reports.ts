import { z } from 'zod';
import { limits } from '../limits.ts';
import { currency } from '../money.ts';
import { day, instant, line, operation } from '../operation.ts';
import { businessLimits, countryCodeShape } from '../people/businesses.rules.ts';
import { personName } from '../people/names.ts';

/** The details that the law has a platform collect about a worker whose pay it reports. */
export const sellerDetailsInput = z.object({
  /** Empty for someone with one name only. */
  firstName: z.union([z.literal(''), personName(limits.nameMax)]),
  lastName: personName(limits.nameMax),
  bornOn: day,
  /** The address where the worker lives, in the country of their tax residence. */
  street: line(businessLimits.address),
  postcode: line(businessLimits.postcode, 0),
  town: line(businessLimits.area),
  countryCode: z.string().regex(countryCodeShape),
  /** The number by which the tax office of that country identifies the person (TIN). */
  taxNumber: line(businessLimits.registrationNumber),
});
export type SellerDetails = z.infer<typeof sellerDetailsInput>;

/** Pay of a quarter for self-employed work, after the worker's fee. Minor units; reversed payments don't count. */
export const sellerQuarter = z.object({
  paidMinor: z.number().int(),
  /** The fee that we withheld from the worker. */
  feeMinor: z.number().int(),
  /** Engagements with a payment in the quarter. */
  activities: z.number().int(),
});
export type SellerQuarter = z.infer<typeof sellerQuarter>;

export const sellerYear = z.object({
  year: z.number().int(),
  currency,
  /** January to March first, in the zone of the company that runs the server. */
  quarters: z.array(sellerQuarter).length(4),
});
export type SellerYear = z.infer<typeof sellerYear>;

/** An unanswered request for a worker's details. */
export const sellerRequest = z.object({
  askedAt: instant,
  /** The time from which withdrawals wait until the details are submitted. The money stays the worker's. */
  waitsFrom: instant,
  isWaiting: z.boolean(),
});
export type SellerRequest = z.infer<typeof sellerRequest>;

/** A worker's details for the tax office, what is missing, and the pay of each year. */
export const sellerView = z.object({
  details: sellerDetailsInput.nullable(),
  /** The open request for details; null if none is missing. */
  request: sellerRequest.nullable(),
  /** Newest first; empty without pay for self-employed work. */
  years: z.array(sellerYear),
});
export type SellerView = z.infer<typeof sellerView>;

/**
 * Reports to the tax office about workers' pay, which the law requires of platforms (DAC7), and the details
 * they need.
 */
export const sellerReports = {
  mine: operation({ access: 'verified', errors: [] })
    .route({
      method: 'GET',
      path: '/seller-reports/mine',
      summary: 'Your details for the tax office, and your pay for self-employed work by quarter',
    })
    .output(sellerView),
  saveDetails: operation({ access: 'verified', errors: [], effects: [], whileSuspended: 'account' })
    .route({
      method: 'PUT',
      path: '/seller-reports/details',
      summary: 'Save your details for the tax office',
    })
    .input(sellerDetailsInput)
    .output(sellerView),
};
