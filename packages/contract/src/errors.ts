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

  'application/not-found': 404,
  'application/not-allowed': 403,
  'application/stale': 409,
  'application/wrong-state': 409,
  'application/already-applied': 409,
  'application/own-business': 422,
  'application/answers-invalid': 422,
  'application/daily-limit': 429,
  'application/cv-required': 422,

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
