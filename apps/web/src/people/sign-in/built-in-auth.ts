import { minuteMs } from '@nearhand/contract/durations';
import type { RequestOptions } from '@nearhand/contract/people/passkeys';
import { AuthError, type AuthPort } from '../../lib/api/auth-provider.ts';
import {
  createSessionManager,
  endOfToken,
  type Grant,
  postToSignIn,
  renewBeforeMs,
  type SessionManager,
} from '../../lib/api/session-refresh.ts';
import { isNative } from '../../lib/device/platform.ts';
import { storageFlag } from '../../lib/device/stored.ts';
import { type SessionUser, session } from '../../lib/session.ts';

/** A confirmed password is valid for changing it this long. */
const proofMs = 5 * minuteMs;
/** Marks that this tab opened a provider's page: without it, `/loading` must not sign anyone in by cookie. */
const leftForProvider = storageFlag(() => sessionStorage, 'nearhand-redirect-sign-in');

const secondStepCalls = (replace: SessionManager['replace']): AuthPort['secondStep'] => ({
  start: (password) => postToSignIn('/second-step/start', { password }),
  async confirm(code) {
    await replace(() => postToSignIn<Grant>('/second-step/confirm', { code }));
  },
  async newCodes(password) {
    const path = '/second-step/recovery-codes';
    return (await postToSignIn<{ recoveryCodes: string[] }>(path, { password })).recoveryCodes;
  },
  async stop(password) {
    await replace(() => postToSignIn<Grant>('/second-step/stop', { password }));
  },
});

/** Signs a passkey challenge from `path`/options and sends it to `path`. Loads the passkey library. */
async function signAt(path: string): Promise<Grant> {
  const options = await postToSignIn<RequestOptions>(`${path}/options`);
  const { signWithPasskey } = await import('../../lib/device/passkey.ts');
  return postToSignIn<Grant>(path, { answer: await signWithPasskey(options) });
}

async function leaveFor(
  provider: 'google' | 'facebook' | 'apple' | 'openid',
  returnTo: string,
): Promise<void> {
  const { url } = await postToSignIn<{ url: string }>('/sign-in/social', { provider, returnTo });
  if (isNative()) return (await import('./phone-browser.ts')).openProvider(url, returnTo);
  leftForProvider.set(true);
  globalThis.location.assign(url);
  // The page is being left; callers must not continue as if signed in.
  await new Promise(() => {});
}

/** The provider redirected back, with a code on failure, otherwise with the cookie set. */
async function finishRedirect(start: SessionManager['start']): Promise<SessionUser | null> {
  const error = new URLSearchParams(globalThis.location.search).get('error');
  const expected = leftForProvider.get();
  leftForProvider.set(false);
  if (error !== null) throw new AuthError(error);
  if (!expected) return session.user();
  return start(await postToSignIn<Grant>('/access-token'));
}

/** Sign-in by our own server (ADR 10): a short-lived access token, renewed through an httpOnly cookie. */
export function createBuiltInAuth(sessionManager: SessionManager = createSessionManager()): AuthPort {
  let proof: { password: string; at: number } | null = null;
  const { start, replace, renew, renewAfterChange, clear } = sessionManager;
  sessionManager.atEnd(() => {
    proof = null;
  });

  const signInAt = async (path: string) => start(await signAt(path));

  return {
    async createAccount(email, password) {
      return start(await postToSignIn<Grant>('/sign-up/email', { email, password }));
    },
    async sendEmailVerification() {
      await postToSignIn('/send-verification-email');
    },
    async correctEmail(email) {
      await postToSignIn('/correct-email', { email });
      await renewAfterChange();
    },
    async signIn(email, password) {
      return start(await postToSignIn<Grant>('/sign-in/email', { email, password }));
    },
    signInWithPasskey: () => signInAt('/sign-in/passkey'),
    async canAnswerWithPasskey() {
      return (await postToSignIn<{ passkey: boolean }>('/sign-in/second-step/methods')).passkey;
    },
    answerSecondStepWithPasskey: () => signInAt('/sign-in/second-step/passkey'),
    async answerSecondStep(code, options) {
      return start(await postToSignIn<Grant>('/sign-in/second-step', { code, ...options }));
    },
    secondStep: secondStepCalls(replace),
    signInWithGoogle: (returnTo) => leaveFor('google', returnTo),
    signInWithFacebook: (returnTo) => leaveFor('facebook', returnTo),
    signInWithApple: (returnTo) => leaveFor('apple', returnTo),
    signInWithOpenId: (returnTo) => leaveFor('openid', returnTo),
    async answerFromProvider(query) {
      return start(
        await postToSignIn<Grant>('/sign-in/social/answer', Object.fromEntries(new URLSearchParams(query))),
      );
    },
    async sendPasswordReset(email) {
      await postToSignIn('/request-password-reset', { email });
    },
    async confirmEmail(code, options) {
      const path = '/verify-email';
      const result = await postToSignIn<{ signInFirst?: string; resetToken?: string }>(path, {
        token: code,
        ...options,
      });
      if (session.user()) await renewAfterChange().catch(() => null);
      return result;
    },
    async confirmByInvitation(invitation) {
      await postToSignIn('/verify-email-by-invitation', { invitation });
      await renewAfterChange();
    },
    async confirmPasswordReset(code, newPassword) {
      return (await postToSignIn<{ email: string | null }>('/reset-password', { token: code, newPassword }))
        .email;
    },
    async reauthenticate(email, currentPassword) {
      await postToSignIn('/verify-password', { email, password: currentPassword });
      proof = { password: currentPassword, at: Date.now() };
    },
    async updatePassword(newPassword) {
      if (!proof || Date.now() - proof.at > proofMs) throw new AuthError('auth/requires-recent-login');
      const currentPassword = proof.password;
      await replace(() => postToSignIn<Grant>('/change-password', { currentPassword, newPassword }));
      proof = null;
    },
    async signOut() {
      // Offline, the device is cleared anyway; the error reports that the server wasn't reached.
      try {
        await postToSignIn('/sign-out');
      } finally {
        clear();
      }
    },
    currentUser: session.user,
    subscribe: (listener) => session.subscribe(() => listener(session.user())),
    async idToken({ fresh } = {}) {
      const token = session.accessToken();
      if (!session.user()) return null;
      return fresh || !token || endOfToken(token) - Date.now() < 5_000 ? renew() : token;
    },
    async ready() {
      if (globalThis.location.pathname === '/loading') {
        const user = await finishRedirect(start);
        if (!user) return null;
      }
      if (!session.user()) return null;
      const token = session.accessToken();
      const renewal = renew().catch(() => null);
      // A valid token is used right away; the renewal still fetches current data.
      if (!token || endOfToken(token) - Date.now() < renewBeforeMs) await renewal;
      return session.user();
    },
  };
}
