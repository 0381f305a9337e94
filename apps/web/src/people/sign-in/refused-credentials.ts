import { plural, t } from '@lingui/core/macro';
import { AuthError, auth } from '../../lib/api/auth-provider.ts';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { showAuthError } from './auth-alert.ts';

/**
 * The reason for a failed sign-in at its field; empty if it concerns no field. Where it adds nothing to the
 * sentence of the specification's alert (spec §8), it repeats that sentence.
 */
export function refusedCredentials(failure: unknown): { email?: string; password?: string } {
  switch (failure instanceof AuthError ? failure.code : null) {
    case 'auth/password-does-not-meet-requirements':
      return {
        password: t`This password is too common, or too close to your email. Use three or four words.`,
      };
    case 'auth/weak-password':
    case 'auth/missing-password':
      return { password: t`The password must be 6 characters long or more.` };
    case 'auth/email-already-in-use':
      return { email: t`The email address is already in use by another account.` };
    case 'auth/invalid-email':
    case 'auth/missing-email':
      return { email: t`Enter an address such as name@example.com.` };
    case 'auth/invalid-credential':
    case 'auth/wrong-password':
      return { password: t`Invalid email or password.` };
    default:
      return {};
  }
}

/**
 * Returns whether a failure breaks a rule of our own that its field explains. The specification has no alert for it,
 * so its text at the field is not covered by one.
 */
export const isExplainedAtField = (failure: unknown): boolean =>
  failure instanceof AuthError && failure.code === 'auth/password-does-not-meet-requirements';

/** As `refusedCredentials`, with the wait after too many tries where the server names one. */
export function refusedLogIn(failure: unknown): { email?: string; password?: string } {
  if (!(failure instanceof AuthError) || failure.code !== 'auth/too-many-requests')
    return refusedCredentials(failure);
  const seconds = (failure.cause as { retryAfterSeconds?: number } | undefined)?.retryAfterSeconds ?? 0;
  // It is 0 without the header, and no number where a proxy sends a date.
  if (!(seconds > 0)) return { password: t`Too many tries. Wait a while, or reset the password.` };
  const minutes = Math.ceil(seconds / 60);
  return {
    password: plural(minutes, {
      one: 'Too many tries. Wait # minute, or reset the password.',
      other: 'Too many tries. Wait # minutes, or reset the password.',
    }),
  };
}

/** Sends a link as `sendResetLink` does, and says so in an alert: its page has no place for a notice. */
export async function resetTakenPassword(email: string): Promise<void> {
  try {
    if (!(await sendResetLink(email))) return;
    const message = t`A password reset email has been sent. Please check your inbox.`;
    await showAlert({ tone: 'ask', title: t`Check your inbox`, message });
  } catch (failure) {
    await showAuthError('reset', failure);
  }
}

/**
 * Asks whether to send a link for a new password, and sends it.
 * @returns whether it was sent
 */
export async function sendResetLink(to: string): Promise<boolean> {
  const choice = await showAlert({
    tone: 'ask',
    title: t`Reset your password?`,
    message: t`We'll send a link to ${to}. It works once, for one hour.`,
    buttons: [
      { value: 'send', label: t`Send email` },
      { value: 'cancel', label: t`Cancel` },
    ],
  });
  if (choice !== 'send') return false;
  await auth().sendPasswordReset(to);
  return true;
}
