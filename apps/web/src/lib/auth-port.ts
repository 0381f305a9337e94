import { type AuthCode, isAuthCode } from '@nearhand/contract/people/auth-codes';
import type { SessionUser } from './session.ts';

/**
 * Every failure of sign-in, whatever the provider: one of the codes of the specification's table. Its words are in `auth-text.ts`.
 * A code that the table does not know becomes `auth/internal-error`; what the provider really said is kept in `cause`.
 */
export class AuthError extends Error {
  readonly code: AuthCode;

  constructor(code: unknown, cause?: unknown) {
    super(String(code), { cause });
    this.name = 'AuthError';
    this.code = isAuthCode(code) ? code : 'auth/internal-error';
  }
}

/**
 * Sign-in as the app sees it (spec §7). Nothing outside an adapter knows which provider answers. Every method rejects with an AuthError
 * and nothing else. The adapter keeps `session` up to date: it starts it after a sign-in and clears it after a sign-out.
 */
export interface AuthPort {
  /** Makes the account and signs in, unverified. Does not send the verification email. */
  createAccount(email: string, password: string): Promise<SessionUser>;
  /** To the signed-in user. */
  sendEmailVerification(): Promise<void>;
  /** Resolves for unverified users too: what they may do is the caller's question. */
  signIn(email: string, password: string): Promise<SessionUser>;
  /** Leaves the page for the provider, which comes back to `/loading?next=<returnTo>`; resolves only if leaving fails. */
  signInWithGoogle(returnTo: string): Promise<void>;
  signInWithFacebook(returnTo: string): Promise<void>;
  /** Settles the same for every address, whether somebody has it or not. */
  sendPasswordReset(email: string): Promise<void>;
  /** Confirms the address by the code of the link in the mail; needs no session, since the mail may be read elsewhere. */
  confirmEmail(code: string): Promise<void>;
  /** Sets a new password by the code of the link in the mail. */
  confirmPasswordReset(code: string, newPassword: string): Promise<void>;
  /** Proves again that it is really the signed-in user. */
  reauthenticate(email: string, currentPassword: string): Promise<void>;
  updatePassword(newPassword: string): Promise<void>;
  signOut(): Promise<void>;
  /** Known at once, from the device. */
  currentUser(): SessionUser | null;
  subscribe(listener: (user: SessionUser | null) => void): () => void;
  /** The access token for the API, or null when signed out. `fresh` asks the provider for a new one and for the user's newest facts. */
  idToken(options?: { fresh?: boolean }): Promise<string | null>;
  /**
   * Called once when the app starts: restores the session of this device and finishes a redirect sign-in if one is coming back.
   * Rejects only where that redirect failed; without a network it answers what the device knows.
   */
  ready(): Promise<SessionUser | null>;
}

let registered: AuthPort | null = null;

/** Called once by the app, before anything renders. */
export function registerAuth(port: AuthPort): void {
  registered = port;
}

/** The registered sign-in. */
export function auth(): AuthPort {
  if (!registered) throw new Error('registerAuth() must be called before auth()');
  return registered;
}

let restoring: Promise<SessionUser | null> | null = null;

/** The session of this device, restored once however many ask. */
export function restored(): Promise<SessionUser | null> {
  restoring ??= auth().ready();
  return restoring;
}
