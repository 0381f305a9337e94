import type { Currency } from './currencies.ts';
import type { ErrorCode } from './errors.ts';

/** One refused value: the field's path, such as `pay.minor`, and what it should have been. */
export type FieldIssue = { path: string; message: string };

/** A record's current status, and who changed it if that may be known. */
type Moved = { status: string; by?: string | null };
/** What is missing to pay for something, in minor units. */
type Short = { balanceMinor?: number; missingMinor?: number; currency: Currency };
type RetryAfter = { retryAfterSeconds: number };

/** The `data` of each code; unlisted codes have none. Times are ISO 8601, amounts minor units. */
export type ErrorData = {
  'request/invalid': { issues: readonly FieldIssue[] };
  'request/too-many': RetryAfter;
  'request/too-large': { maxBytes: number };

  'email-change/too-many': { limit: number };
  'business-proof/too-many': { limit: number };
  'business-proof/too-soon': RetryAfter;
  'certificate/wrong-state': { status: string };
  'certificate/too-far': { latest: string };
  'identity-check/wrong-state': { status: string };
  'identity-check/too-many': RetryAfter;
  'phone-check/too-soon': RetryAfter;
  'phone-check/too-many': RetryAfter;
  /** How many tries are left; a new code is needed at 0. */
  'phone-check/wrong-code': { left: number };
  'passkey/too-many': { limit: number };
  'account/cannot-be-deleted': { obstacles: readonly string[] };
  /** How many tries are left; a new code is needed at 0. */
  'account/wrong-code': { left: number };
  'account/too-many-codes': RetryAfter;
  'account/too-many-tries': RetryAfter;
  'data-export/daily-limit': { limit: number };

  'business/stale': { version: number };
  'business/wrong-state': Moved;
  'business/has-open-jobs': { jobs: number };
  'business/too-many': { limit: number };
  'business/currency-fixed': { currency: Currency };
  'branch/stale': { version: number };
  'branch/too-many': { most: number };
  'team/invitation-over': { status: string };
  'team/full': { limit: number };
  'team/invitation-limit': { limit: number };
  'team/role-changed': { role: string };
  'profile/stale': { version: number };

  'job/stale': { version: number };
  'job/wrong-state': Moved;
  'job/not-open': Moved;
  /** Names of the contract's fields. */
  'job/incomplete': { missing: readonly string[] };
  'job/not-instant': { because: readonly string[] };
  'job/terms-fixed': { changed: readonly string[] };
  'job/head-count-below-hires': { hired: number; offered: number };
  'job/open-limit': { limit: number };

  'saved-job/too-many': { most: number };
  'referral/too-late': { days: number };
  'saved-search/too-many': { most: number };
  'follow/too-many': { most: number };
  'pool/too-many': { most: number };
  'pool/full': { most: number };

  'application/stale': Moved & { version?: number };
  'application/wrong-state': Moved;
  'application/already-applied': { applicationId: string };
  'application/answers-invalid': { issues: readonly { questionId: string; problem: string }[] };
  'application/daily-limit': { limit: number };
  'invitation/wrong-state': Moved;
  'invitation/limit': { limit: number };

  /** The operator who works on it. */
  'case/claimed': { by: string };
  'approval/required': { amountMinor: number; aboveMinor: number; currency: Currency };
  'approval/over': { state: string };
  'correction/not-possible': { problem: string };

  'interview/stale': Moved;
  'interview/wrong-state': Moved;
  'interview/too-many': { limit: number };
  'interview/too-early': { from: string };

  'offer/stale': Moved;
  'offer/wrong-state': Moved;
  'offer/expired': { expiresAt: string };
  'offer/pay-below-job': { payMinor: number };
  'offer/terms-missing': { missing: readonly string[] };

  'engagement/stale': Moved;
  'engagement/wrong-state': Moved;
  'engagement/overlap': { title: string; startsAt: string; endsAt: string };
  'engagement/too-early': { from: string };
  'engagement/too-late': { until: string };
  'attendance/too-far': { distanceM: number; allowedM: number };
  'attendance/code-attempts': RetryAfter;
  /** How many tries are left before a pause. */
  'attendance/wrong-code': { left: number };
  'timesheet/hours-impossible': { problem: string };
  'timesheet/below-paid': { minMinor: number };
  'timesheet/counter-higher': { claimMinor: number };
  'dispute/wrong-state': Moved;
  'dispute/too-late': { until: string };
  'dispute/amount-impossible': { minMinor: number; maxMinor: number };

  'payment/wrong-state': Moved;
  'payment/balance-short': Short;
  /** What can be added in 24 hours, what is left of it, and when more can be added; `verified` businesses may add more. */
  'payment/top-up-limit': {
    perDayMinor: number;
    leftMinor: number;
    currency: Currency;
    from: string;
    verified: boolean;
  };
  'payment/method-missing': Short;
  'payment/hold-short': { missingMinor: number; currency: Currency };
  'payment/refund-too-much': { maxMinor: number; currency: Currency };
  'payment/card-refused': { failure: string };
  'payment/tip-too-late': { until: string };
  'payment/tip-too-much': { maxMinor: number };
  'payout/stale': Moved;
  'payout/wrong-state': Moved;
  'payout/identity-wrong-state': Moved;
  'payout/method-refused': { failure: string };
  'payout/method-held': { until: string };
  'payout/below-minimum': { minimumMinor: number };
  'payout/method-limit': { max: number };
  'payout/balance-short': { availableMinor: number };
  'payout/daily-limit': { perDay: number; from: string };
  'statement/too-long': { max: number };
  'calendar/range-too-long': { maxDays: number };

  'file/too-large': { maxBytes: number } | { maxPixels: number };
  'file/wrong-type': { allowed: readonly string[] } | { purpose: string };
  'file/daily-limit': { limit: number };
  /** What a document would run or load: macros, scripts, programs, a template from elsewhere. */
  'file/active-content': { found: string };
  'file/unpacks-too-large': { maxBytes: number };

  'chat/too-fast': RetryAfter;
  'review/closed': { until: string };
  'review/already-written': { reviewId: string };
  'review/stale': { version: number };
  /** What was found: phone, email, link or messenger. */
  'review/contact-details': { found: readonly string[] };
  'ticket/too-many': { limit: number };
  'report/too-many': { limit: number };
  /** What is suspended, until when; null: until it is lifted. */
  'account/suspended': { scope: string; until: string | null };
  'notification/too-many-devices': { most: number };
};

/** A code's data; undefined if it has none. */
export type DataOf<Code extends string> = Code extends keyof ErrorData ? ErrorData[Code] : undefined;

/** The body of a failed call. `data` names fields or limits, never secrets or another person's data. */
export type ErrorBody<Code extends ErrorCode = ErrorCode> = {
  code: Code;
  message: string;
  requestId: string;
  data?: DataOf<Code>;
};
