import { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import { issueRules } from './field-issues.rules.ts';
import { currency } from './money.ts';

/** The schema of `FieldIssue` in `field-issues.rules.ts`. */
const fieldIssue = z.object({
  path: z.string(),
  message: z.string(),
  rule: z.enum(issueRules).optional(),
  limit: z.number().optional(),
});

/** A record's current status, and who changed it if that may be known. */
const moved = z.object({ status: z.string(), by: z.string().nullable().optional() });
/** The shortage of a payment, in minor units. */
const short = z.object({
  balanceMinor: z.number().optional(),
  missingMinor: z.number().optional(),
  currency,
});
const retryAfter = z.object({ retryAfterSeconds: z.number() });

const dataByCode = {
  'request/invalid': z.object({ issues: z.array(fieldIssue).readonly() }),
  'request/too-many': retryAfter,
  'request/too-large': z.object({ maxBytes: z.number() }),

  'address-search/unavailable': retryAfter,
  'travel/unavailable': retryAfter,
  'email-change/too-many': z.object({ limit: z.number() }),
  'business-proof/too-many': z.object({ limit: z.number() }),
  'business-proof/too-soon': retryAfter,
  'certificate/wrong-state': z.object({ status: z.string() }),
  'certificate/too-far': z.object({ latest: z.string() }),
  'identity-check/wrong-state': z.object({ status: z.string() }),
  'identity-check/too-many': retryAfter,
  /** The next possible time; absent if text messages are not configured. */
  'phone-check/unavailable': retryAfter.partial(),
  'phone-check/too-soon': retryAfter,
  'phone-check/too-many': retryAfter,
  /** The remaining tries; a new code is needed at 0. */
  'phone-check/wrong-code': z.object({ left: z.number() }),
  'passkey/too-many': z.object({ limit: z.number() }),
  'account/cannot-be-deleted': z.object({ obstacles: z.array(z.string()).readonly() }),
  'account/wrong-code': z.object({ left: z.number() }),
  'account/too-many-codes': retryAfter,
  'account/too-many-tries': retryAfter,
  'data-export/daily-limit': z.object({ limit: z.number() }),

  'business/stale': z.object({ version: z.number() }),
  'business/wrong-state': moved,
  'business/has-open-jobs': z.object({ jobs: z.number() }),
  'business/too-many': z.object({ limit: z.number() }),
  'business/currency-fixed': z.object({ currency }),
  'branch/stale': z.object({ version: z.number() }),
  'branch/too-many': z.object({ limit: z.number() }),
  'kiosk/too-many': z.object({ limit: z.number() }),
  'team/invitation-over': z.object({ status: z.string() }),
  'team/full': z.object({ limit: z.number() }),
  'team/invitation-limit': z.object({ limit: z.number() }),
  'team/role-changed': z.object({ role: z.string() }),
  'profile/stale': z.object({ version: z.number() }),

  /** The dates of the block that are missing. */
  'job/all-dates-required': z.object({ jobIds: z.array(z.string()).readonly() }),
  'job/stale': z.object({ version: z.number() }),
  'job/wrong-state': moved,
  'job/not-open': moved,
  'job/incomplete': z.object({ missing: z.array(z.string()).readonly() }),
  'job/not-instant': z.object({ because: z.array(z.string()).readonly() }),
  'job/terms-fixed': z.object({ changed: z.array(z.string()).readonly() }),
  'job/head-count-below-hires': z.object({ hired: z.number(), offered: z.number() }),
  /** The open jobs that an unverified business may have, and the open dates of a series, which is one job. */
  'job/open-limit': z.object({ limit: z.number(), dates: z.number() }),
  'job-template/too-many': z.object({ limit: z.number() }),

  'saved-job/too-many': z.object({ limit: z.number() }),
  'referral/too-late': z.object({ days: z.number() }),
  'referral/not-payable': z.object({ why: z.enum(['not-earned', 'suspended', 'closed-account']) }),
  'saved-search/too-many': z.object({ limit: z.number() }),
  'follow/too-many': z.object({ limit: z.number() }),
  'pool/too-many': z.object({ limit: z.number() }),
  'pool/full': z.object({ limit: z.number() }),

  'application/stale': moved.extend({ version: z.number().optional() }),
  'application/wrong-state': moved,
  'application/already-applied': z.object({ applicationId: z.string() }),
  'application/answers-invalid': z.object({
    issues: z.array(z.object({ questionId: z.string(), problem: z.string() })).readonly(),
  }),
  'application/daily-limit': z.object({ limit: z.number() }),
  'invitation/wrong-state': moved,
  'invitation/limit': z.object({ limit: z.number() }),

  'case/claimed': z.object({ by: z.string() }),
  'approval/required': z.object({ amountMinor: z.number(), aboveMinor: z.number(), currency }),
  'approval/over': z.object({ state: z.string() }),
  'correction/not-possible': z.object({ problem: z.string() }),

  'interview/stale': moved,
  'interview/wrong-state': moved,
  'interview/too-many': z.object({ limit: z.number() }),
  'interview/too-early': z.object({ from: z.string() }),

  'offer/stale': moved,
  'offer/wrong-state': moved,
  'offer/expired': z.object({ expiresAt: z.string() }),
  'offer/pay-below-job': z.object({ payMinor: z.number() }),
  'offer/terms-missing': z.object({ missing: z.array(z.string()).readonly() }),

  'giveaway/stale': moved,
  'giveaway/wrong-state': moved,

  'engagement/stale': moved,
  'engagement/wrong-state': moved,
  'engagement/overlap': z.object({ title: z.string(), startsAt: z.string(), endsAt: z.string() }),
  'engagement/too-early': z.object({ from: z.string() }),
  'engagement/too-late': z.object({ until: z.string() }),
  /** The cost of cancelling now, in minor units of the terms. */
  'engagement/costs-more': z.object({ late: z.boolean(), compensationMinor: z.number() }),
  'attendance/too-far': z.object({ distanceM: z.number(), allowedM: z.number() }),
  'attendance/code-attempts': retryAfter,
  /** The remaining tries before a pause. */
  'attendance/wrong-code': z.object({ left: z.number() }),
  'timesheet/hours-impossible': z.object({ problem: z.string() }),
  'timesheet/below-paid': z.object({ minMinor: z.number() }),
  'timesheet/counter-higher': z.object({ claimMinor: z.number() }),
  'dispute/wrong-state': moved,
  'dispute/too-late': z.object({ until: z.string() }),
  'dispute/amount-impossible': z.object({ minMinor: z.number(), maxMinor: z.number() }),

  'payment/wrong-state': moved,
  'transfer/decided': z.object({ state: z.string() }),
  'payment/balance-short': short,
  /** The budget that is exceeded the most, by how much, and what `budgets.ask` needs. */
  'payment/over-budget': z.object({
    jobId: z.string(),
    amountMinor: z.number(),
    kind: z.enum(['business', 'branch', 'member']),
    name: z.string(),
    period: z.enum(['month', 'week']),
    /** The first day of the month or week. */
    from: z.string(),
    overMinor: z.number(),
    currency,
  }),
  /** The limit per 24 hours, the remainder, and when it renews; `verified` businesses may add more. */
  'payment/top-up-limit': z.object({
    perDayMinor: z.number(),
    leftMinor: z.number(),
    currency,
    from: z.string(),
    verified: z.boolean(),
  }),
  'payment/method-missing': short,
  /** The minimum that the payment provider charges. */
  'payment/too-little': z.object({ minMinor: z.number(), currency }),
  'payment/hold-short': z.object({ missingMinor: z.number(), currency }),
  'payment/refund-too-much': z.object({ maxMinor: z.number(), currency }),
  'payment/card-refused': z.object({ failure: z.string() }),
  'payment/tip-too-late': z.object({ until: z.string() }),
  'payment/tip-too-much': z.object({ maxMinor: z.number(), currency }),
  'payout/stale': moved,
  'payout/wrong-state': moved,
  'payout/identity-wrong-state': moved,
  'payout/method-refused': z.object({ failure: z.string() }),
  'payout/method-held': z.object({ until: z.string() }),
  'payout/below-minimum': z.object({ minimumMinor: z.number(), currency }),
  'payout/method-limit': z.object({ limit: z.number() }),
  'payout/balance-short': z.object({ availableMinor: z.number(), currency }),
  'payout/daily-limit': z.object({ perDay: z.number(), from: z.string() }),
  'statement/too-long': z.object({ limit: z.number() }),
  'calendar/range-too-long': z.object({ maxDays: z.number() }),

  'file/too-large': z.union([z.object({ maxBytes: z.number() }), z.object({ maxPixels: z.number() })]),
  'file/wrong-type': z.union([
    z.object({ allowed: z.array(z.string()).readonly() }),
    z.object({ purpose: z.string() }),
  ]),
  'file/daily-limit': z.object({ limit: z.number() }),
  /** Active parts of a document: macros, scripts, programs, or an external template. */
  'file/active-content': z.object({ found: z.string() }),
  'file/unpacks-too-large': z.object({ maxBytes: z.number() }),

  'chat/too-fast': retryAfter,
  'review/closed': z.object({ until: z.string() }),
  'review/already-written': z.object({ reviewId: z.string() }),
  'review/stale': z.object({ version: z.number() }),
  'review/contact-details': z.object({ found: z.array(z.string()).readonly() }),
  /** The request that has the messages now. */
  'ticket/merged': z.object({ ticketId: z.uuid() }),
  'ticket/too-many': z.object({ limit: z.number() }),
  'report/too-many': z.object({ limit: z.number() }),
  /** The suspended scope, and its end; null means until it is lifted. */
  'account/suspended': z.object({ scope: z.string(), until: z.string().nullable() }),
  'notification/too-many-devices': z.object({ limit: z.number() }),
} as const satisfies Partial<Record<ErrorCode, z.ZodType>>;

/** The `data` of each code; unlisted codes have none. Times are ISO 8601, amounts minor units. */
export const errorData = z.object(dataByCode).partial();
export type ErrorData = { [Code in keyof typeof dataByCode]: z.output<(typeof dataByCode)[Code]> };

export type DataOf<Code extends string> = Code extends keyof ErrorData ? ErrorData[Code] : undefined;

/** The body of a failed call. `data` names fields or limits, never secrets or another person's data. */
export type ErrorBody<Code extends ErrorCode = ErrorCode> = {
  code: Code;
  message: string;
  requestId: string;
  data?: DataOf<Code>;
};
