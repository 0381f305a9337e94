import { type AuthCode, isAuthCode } from '@nearhand/contract/people/auth-codes';
import type { SessionUser } from '../session.ts';

/**
 * A sign-in failure with a code of the specification's table, otherwise `auth/internal-error`; `cause` has
 * the original.
 */
export class AuthError extends Error {
  readonly code: AuthCode;

  constructor(code: unknown, cause?: unknown) {
    super(String(code), { cause });
    this.name = 'AuthError';
    this.code = isAuthCode(code) ? code : 'auth/internal-error';
  }
}

/** Our server's second step; Firebase's own has no screen here. */
export const isSecondStep = (failure: unknown): boolean =>
  failure instanceof AuthError &&
  failure.code === 'auth/multi-factor-auth-required' &&
  !(failure.cause instanceof Error);

/** Sign-in, independent of the provider (spec §7). Every method rejects with an AuthError. */
export interface AuthPort {
  /** Creates the account and signs in with an unverified address. Does not send the verification email. */
  createAccount(email: string, password: string): Promise<SessionUser>;
  sendEmailVerification(): Promise<void>;
  /** Changes the unverified address of the signed-in user and sends the verification email there. */
  correctEmail(email: string): Promise<void>;
  /** Resolves for unverified users too: the caller decides what they may do. */
  signIn(email: string, password: string): Promise<SessionUser>;
  /**
   * Signs in with a passkey, without a second step.
   * @throws `auth/redirect-cancelled-by-user` if the person cancels
   */
  signInWithPasskey(): Promise<SessionUser>;
  /** Submits the code that `signIn` required with `auth/multi-factor-auth-required`. */
  answerSecondStep(code: string, options: { recovery: boolean; trustDevice: boolean }): Promise<SessionUser>;
  canAnswerWithPasskey(): Promise<boolean>;
  answerSecondStepWithPasskey(): Promise<SessionUser>;
  /** All of these but `confirm` need the password. */
  secondStep: {
    /** The address for an authenticator app, and the recovery codes; the second step is on only after `confirm`. */
    start(password: string): Promise<{ uri: string; recoveryCodes: readonly string[] }>;
    confirm(code: string): Promise<void>;
    newCodes(password: string): Promise<readonly string[]>;
    stop(password: string): Promise<void>;
  };
  /**
   * Navigates to the provider, which comes back at `/loading?next=<returnTo>`. The promise never resolves,
   * except with Firebase in a native app.
   */
  signInWithGoogle(returnTo: string): Promise<void>;
  signInWithFacebook(returnTo: string): Promise<void>;
  signInWithApple(returnTo: string): Promise<void>;
  signInWithOpenId(returnTo: string): Promise<void>;
  /**
   * Finishes a sign-in that took place in the phone's browser. `auth/multi-factor-auth-required` requires
   * `answerSecondStep`.
   */
  answerFromProvider(query: string): Promise<SessionUser>;
  /** Resolves the same whether or not the address has an account. */
  sendPasswordReset(email: string): Promise<void>;
  /**
   * Confirms the address by the mailed code. If nobody is signed in, the account with this address must sign
   * in first (`signInFirst`), unless `replacePassword` removes its password; `resetToken` then sets another
   * one.
   */
  confirmEmail(
    code: string,
    options?: { replacePassword: boolean },
  ): Promise<{ signInFirst?: string; resetToken?: string }>;
  /**
   * Confirms the signed-in person's address by an invitation that was mailed to it. Undefined if the provider
   * can't.
   */
  confirmByInvitation?(invitation: string): Promise<void>;
  /** Resolves with the address of the account, or null if the provider doesn't name it. */
  confirmPasswordReset(code: string, newPassword: string): Promise<string | null>;
  reauthenticate(email: string, currentPassword: string): Promise<void>;
  updatePassword(newPassword: string): Promise<void>;
  signOut(): Promise<void>;
  currentUser(): SessionUser | null;
  subscribe(listener: (user: SessionUser | null) => void): () => void;
  /** The access token, or null when signed out. `fresh` requests a new one and the user's current data. */
  idToken(options?: { fresh?: boolean }): Promise<string | null>;
  /** Restores the device's session at start and finishes a redirect sign-in. Rejects only if that redirect failed. */
  ready(): Promise<SessionUser | null>;
}

let registered: AuthPort | null = null;

/** Sets the provider that signs people in: our server's or Firebase's. Called once, at the start. */
export function registerAuth(port: AuthPort): void {
  registered = port;
}

/**
 * Returns the provider that signs people in.
 * @throws Error before `registerAuth`
 */
export function auth(): AuthPort {
  if (!registered) throw new Error('registerAuth() must be called before auth()');
  return registered;
}

let restoring: Promise<SessionUser | null> | null = null;

/** Restores a stored session once, and returns its user; null for guests. */
export function restoreSession(): Promise<SessionUser | null> {
  restoring ??= auth().ready();
  return restoring;
}

/** The person cancelled, which needs no message. */
export const isCancelled = (failure: unknown): boolean =>
  failure instanceof AuthError && failure.code === 'auth/redirect-cancelled-by-user';
