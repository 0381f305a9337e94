import type { AuthCode } from '@nearhand/contract/people/auth-codes';

/** A failed sign-in with a code of spec §8. */
export class AuthFailure extends Error {
  readonly code: AuthCode;
  readonly retryAfterSeconds: number | null;

  constructor(code: AuthCode, retryAfterSeconds: number | null = null) {
    super(code);
    this.name = 'AuthFailure';
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  get status(): number {
    return statuses[this.code] ?? 400;
  }
}

const statuses: Partial<Record<AuthCode, number>> = {
  'auth/invalid-credential': 401,
  'auth/multi-factor-auth-required': 401,
  'auth/invalid-verification-code': 401,
  'auth/invalid-multi-factor-session': 401,
  'auth/wrong-password': 401,
  'auth/null-user': 401,
  'auth/user-token-expired': 401,
  'auth/user-disabled': 403,
  'auth/unauthorized-domain': 403,
  'auth/email-already-in-use': 409,
  'auth/account-exists-with-different-credential': 409,
  'auth/app-not-authorized': 403,
  'auth/invalid-user-token': 401,
  'auth/user-not-found': 401,
  'auth/too-many-requests': 429,
  'auth/network-request-failed': 503,
  'auth/quota-exceeded': 503,
  'auth/internal-error': 500,
};

const codes: Record<string, AuthCode> = {
  INVALID_EMAIL_OR_PASSWORD: 'auth/invalid-credential',
  INVALID_PASSWORD: 'auth/wrong-password',
  CREDENTIAL_ACCOUNT_NOT_FOUND: 'auth/no-such-provider',
  USER_ALREADY_EXISTS: 'auth/email-already-in-use',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'auth/email-already-in-use',
  PASSWORD_TOO_SHORT: 'auth/weak-password',
  PASSWORD_TOO_LONG: 'auth/password-does-not-meet-requirements',
  INVALID_EMAIL: 'auth/invalid-email',
  BANNED_USER: 'auth/user-disabled',
  IDENTITY_UNREACHABLE: 'auth/network-request-failed',
  INVALID_TOKEN: 'auth/invalid-action-code',
  USER_NOT_FOUND: 'auth/invalid-action-code',
  TOKEN_EXPIRED: 'auth/expired-action-code',
  UNAUTHORIZED: 'auth/user-token-expired',
  SESSION_EXPIRED: 'auth/user-token-expired',
  SESSION_NOT_FRESH: 'auth/requires-recent-login',
  INVALID_ORIGIN: 'auth/unauthorized-domain',
  MISSING_OR_NULL_ORIGIN: 'auth/unauthorized-domain',
  CROSS_SITE_NAVIGATION_LOGIN_BLOCKED: 'auth/unauthorized-domain',
  INVALID_CALLBACK_URL: 'auth/invalid-continue-uri',
  INVALID_ERROR_CALLBACK_URL: 'auth/invalid-continue-uri',
  PROVIDER_NOT_FOUND: 'auth/operation-not-allowed',
  INVALID_CODE: 'auth/invalid-verification-code',
  INVALID_BACKUP_CODE: 'auth/invalid-verification-code',
  INVALID_TWO_FACTOR_COOKIE: 'auth/invalid-multi-factor-session',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'auth/invalid-multi-factor-session',
  ACCOUNT_TEMPORARILY_LOCKED: 'auth/too-many-requests',
  TOTP_ALREADY_ENABLED: 'auth/second-factor-already-in-use',
  TOTP_NOT_ENABLED: 'auth/multi-factor-info-not-found',
  TWO_FACTOR_NOT_ENABLED: 'auth/multi-factor-info-not-found',
  BACKUP_CODES_NOT_ENABLED: 'auth/multi-factor-info-not-found',

  access_denied: 'auth/user-cancelled',
  user_denied: 'auth/user-cancelled',
  user_cancelled_authorize: 'auth/user-cancelled',
  consent_required: 'auth/user-cancelled',
  account_not_linked: 'auth/account-exists-with-different-credential',
  account_already_linked_to_different_user: 'auth/credential-already-in-use',
  email_does_not_match: 'auth/user-mismatch',
  email_not_found: 'auth/missing-email',
  invalid_code: 'auth/rejected-credential',
  no_code: 'auth/rejected-credential',
  unable_to_get_user_info: 'auth/rejected-credential',
  issuer_mismatch: 'auth/rejected-credential',
  nonce_binding_missing: 'auth/missing-or-invalid-nonce',
  oauth_provider_not_found: 'auth/operation-not-allowed',
  state_not_found: 'auth/invalid-auth-event',
  state_mismatch: 'auth/invalid-auth-event',
  state_invalid: 'auth/invalid-auth-event',
  state_security_mismatch: 'auth/invalid-auth-event',
  please_restart_the_process: 'auth/invalid-auth-event',
  temporarily_unavailable: 'auth/quota-exceeded',
};

/** Translates an error code of the identity provider; unknown ones by status. */
export function codeOf(provided: unknown, status?: number): AuthCode {
  const code = typeof provided === 'string' ? codes[provided] : undefined;
  if (code) return code;
  if (status === 401) return 'auth/user-token-expired';
  return status === 429 ? 'auth/too-many-requests' : 'auth/internal-error';
}
