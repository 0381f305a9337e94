/**
 * Every code the API can answer, with its HTTP status: 400 shape, 401 no session, 403 visible but not allowed, 404 not visible to
 * you, 409 wrong state, 413 too large, 422 broken rule, 429 too many, 5xx ours. The words for people are in `web/lib/error-text.ts`; a test
 * demands words for every code. `auth/*` codes of the sign-in provider live in `auth-codes.ts`.
 */
export const errorStatus = {
  'request/invalid': 400,
  'request/unknown-operation': 404,
  'request/too-large': 413,
  'request/too-many': 429,
  'request/internal': 500,
  'request/unavailable': 503,
  'request/bad-cursor': 400,

  'session/required': 401,
  'session/expired': 401,
  'session/email-not-verified': 403,

  'idempotency/key-required': 400,
  'idempotency/key-reused': 422,
  'idempotency/in-flight': 409,

  'profile/not-found': 404,
  'profile/unknown-skill': 422,
  'profile/stale': 409,

  'business/not-found': 404,
  'business/not-allowed': 403,
  'business/stale': 409,
  'business/wrong-state': 409,
  'business/has-open-jobs': 409,

  'job/not-found': 404,
  'job/not-allowed': 403,
  'job/stale': 409,
  'job/wrong-state': 409,
  'job/not-open': 409,
  'job/incomplete': 422,
  'job/starts-in-past': 422,
  'job/open-limit': 422,
  'job/pay-fell-after-hire': 422,
  'job/head-count-below-hires': 422,
  'job/filled': 409,
  'job/terms-fixed': 422,
  'job/not-instant': 422,

  'application/not-found': 404,
  'application/not-allowed': 403,
  'application/stale': 409,
  'application/wrong-state': 409,
  'application/already-applied': 409,
  'application/own-business': 422,
  'application/answers-invalid': 422,
  'application/daily-limit': 429,
  'application/cv-required': 422,
  'application/name-required': 422,
  'application/not-waiting': 409,

  'note/not-found': 404,
  'invitation/not-found': 404,
  'invitation/wrong-state': 409,
  'invitation/already-applied': 409,
  'invitation/unknown-worker': 422,

  'interview/not-found': 404,
  'interview/not-allowed': 403,
  'interview/stale': 409,
  'interview/wrong-state': 409,
  'interview/already-open': 409,
  'interview/slot-not-found': 422,
  'interview/slot-in-past': 422,
  'interview/slot-too-far': 422,
  'interview/slots-repeated': 422,
  'interview/reschedule-limit': 422,
  'interview/reschedule-too-late': 422,
  'interview/too-early': 422,
  'interview/contest-over': 422,
  'interview/where-missing': 422,
  'interview/where-invalid': 422,

  'offer/not-found': 404,
  'offer/not-allowed': 403,
  'offer/stale': 409,
  'offer/wrong-state': 409,
  'offer/expired': 409,
  'offer/no-seat': 409,
  'offer/pay-below-job': 422,
  'offer/terms-missing': 422,
  'offer/starts-in-past': 422,

  'engagement/not-found': 404,
  'engagement/not-allowed': 403,
  'engagement/stale': 409,
  'engagement/wrong-state': 409,
  'engagement/overlap': 409,
  'engagement/too-early': 422,
  'engagement/too-late': 422,
  'engagement/contest-over': 422,

  'attendance/too-far': 422,
  'attendance/wrong-code': 422,
  'attendance/code-attempts': 429,
  'attendance/no-evidence': 422,
  'attendance/time-impossible': 422,
  'attendance/on-break': 409,
  'attendance/not-on-break': 409,

  'timesheet/hours-impossible': 422,
  'timesheet/counter-higher': 422,
  'timesheet/below-paid': 422,
  'timesheet/no-delivery': 422,

  'dispute/not-found': 404,
  'dispute/not-allowed': 403,
  'dispute/wrong-state': 409,
  'dispute/too-late': 422,
  'dispute/amount-impossible': 422,

  'calendar/range-too-long': 422,
  'calendar/feed-not-found': 404,

  'file/not-found': 404,
  'file/not-allowed': 403,
  'file/too-large': 413,
  'file/wrong-type': 422,
  'file/unreadable': 422,

  'notification/not-found': 404,
} as const satisfies Record<string, number>;

/** A registered error code, form `noun/what-is-wrong`. */
export type ErrorCode = keyof typeof errorStatus;

/** What a failed call answers. `data` names fields or limits, never secrets or another person's facts. */
export type ErrorBody = { code: ErrorCode; message: string; requestId: string; data?: unknown };
