import { minuteMs } from '@nearhand/contract/durations';
import { AuthError, type AuthPort } from '../../lib/api/auth-port.ts';
import { type SessionUser, session } from '../../lib/session.ts';

/** The server's answer to every sign-in and renewal. */
type Grant = { token: string; expiresAt: string; user: SessionUser };

/** Renew this long before expiry, so that no call uses an expired token. */
const renewBeforeMs = 60_000;
/** How long a confirmed password is enough to change it. */
const proofMs = 5 * minuteMs;
const redirectKey = 'nearhand-redirect-sign-in';

async function post<Answer>(path: string, body: unknown = {}): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(`/api/auth${path}`, {
      method: 'POST',
      credentials: 'same-origin',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  } catch (failure) {
    throw new AuthError('auth/network-request-failed', failure);
  }
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok && answer !== null) return answer as Answer;
  // A proxy that can't reach the server answers with a page, not a code.
  const lost = [502, 503, 504].includes(response.status) ? 'auth/network-request-failed' : undefined;
  throw new AuthError((answer as { code?: unknown } | null)?.code ?? lost, {
    status: response.status,
    answer,
  });
}

/** A token's expiry from its payload; 0 if unreadable. */
export function endOfToken(token: string): number {
  try {
    const [, payload = ''] = token.split('.');
    const { exp } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as { exp?: unknown };
    return typeof exp === 'number' ? exp * 1_000 : 0;
  } catch {
    return 0;
  }
}

/** Marks that this tab opened a provider's page: without it, `/loading` must not sign anyone in by cookie. */
const leftForProvider = {
  set: (on: boolean): void => {
    try {
      if (on) sessionStorage.setItem(redirectKey, '1');
      else sessionStorage.removeItem(redirectKey);
    } catch {
      // Storage is blocked: the mark is lost with the page, and the user signs in by email instead.
    }
  },
  get: (): boolean => {
    try {
      return sessionStorage.getItem(redirectKey) !== null;
    } catch {
      return false;
    }
  },
};

/** The session on this device: renews its token in time and calls `onEnd` when the session ends. */
function keepSession(onEnd: () => void) {
  let renewing: Promise<string | null> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let signOuts = 0;

  /** Schedules renewal; a suspended page renews when it wakes. */
  function schedule(): void {
    clearTimeout(timer);
    const token = session.accessToken();
    if (!token) return;
    const wait = endOfToken(token) - Date.now() - renewBeforeMs;
    timer = setTimeout(() => void renew().catch(() => {}), Math.max(wait, 1_000));
  }

  function start({ token, user }: Grant): SessionUser {
    const known = session.user();
    if (known?.id === user.id) session.update({ user, accessToken: token });
    else session.start({ user, accessToken: token });
    schedule();
    return user;
  }

  function clear(): void {
    clearTimeout(timer);
    signOuts += 1;
    onEnd();
    session.clear();
  }

  /** Renews once for concurrent callers. An ended session ends here too. */
  function renew(): Promise<string | null> {
    const asked = signOuts;
    renewing ??= post<Grant>('/access-token')
      .then((grant) => {
        // Signed out in the meantime: the answer must not sign back in.
        if (asked !== signOuts) return null;
        start(grant);
        return grant.token;
      })
      .catch((failure: unknown) => {
        if (failure instanceof AuthError && failure.code === 'auth/user-token-expired') {
          clear();
          return null;
        }
        // Offline, the user stays signed in; retry soon.
        clearTimeout(timer);
        if (session.user()) timer = setTimeout(() => void renew().catch(() => {}), 30_000);
        throw failure;
      })
      .finally(() => {
        renewing = null;
      });
    return renewing;
  }

  const renewIfDue = () => {
    const token = session.accessToken();
    if (session.user() && (!token || endOfToken(token) - Date.now() < renewBeforeMs))
      void renew().catch(() => {});
  };
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) renewIfDue();
  });
  globalThis.addEventListener('online', renewIfDue);
  return { start, renew, clear };
}

/**
 * Sign-in by our own server (ADR 0010): a short-lived access token, renewed through an httpOnly cookie. Every failure is an
 * AuthError with our codes.
 */
export function createBuiltInAuth(): AuthPort {
  let proof: { password: string; at: number } | null = null;
  const { start, renew, clear } = keepSession(() => {
    proof = null;
  });

  async function leaveFor(provider: 'google' | 'facebook', returnTo: string): Promise<void> {
    const { url } = await post<{ url: string }>('/sign-in/social', { provider, returnTo });
    leftForProvider.set(true);
    globalThis.location.assign(url);
    // The page is being left; callers must not continue as if signed in.
    await new Promise(() => {});
  }

  /** The provider redirected back, with a code on failure, else with the cookie set. */
  async function finishRedirect(): Promise<SessionUser | null> {
    const error = new URLSearchParams(globalThis.location.search).get('error');
    const expected = leftForProvider.get();
    leftForProvider.set(false);
    if (error !== null) throw new AuthError(error);
    if (!expected) return session.user();
    return start(await post<Grant>('/access-token'));
  }

  return {
    async createAccount(email, password) {
      return start(await post<Grant>('/sign-up/email', { email, password }));
    },
    async sendEmailVerification() {
      await post('/send-verification-email');
    },
    async signIn(email, password) {
      return start(await post<Grant>('/sign-in/email', { email, password }));
    },
    async answerSecondStep(code, options) {
      return start(await post<Grant>('/sign-in/second-step', { code, ...options }));
    },
    secondStep: {
      start: (password) => post('/second-step/start', { password }),
      async confirm(code) {
        start(await post<Grant>('/second-step/confirm', { code }));
      },
      async newCodes(password) {
        const path = '/second-step/recovery-codes';
        return (await post<{ recoveryCodes: string[] }>(path, { password })).recoveryCodes;
      },
      async stop(password) {
        start(await post<Grant>('/second-step/stop', { password }));
      },
    },
    signInWithGoogle: (returnTo) => leaveFor('google', returnTo),
    signInWithFacebook: (returnTo) => leaveFor('facebook', returnTo),
    async sendPasswordReset(email) {
      await post('/request-password-reset', { email });
    },
    async confirmEmail(code) {
      await post('/verify-email', { token: code });
      if (session.user()) await renew().catch(() => null);
    },
    async confirmPasswordReset(code, newPassword) {
      await post('/reset-password', { token: code, newPassword });
    },
    async reauthenticate(email, currentPassword) {
      await post('/verify-password', { email, password: currentPassword });
      proof = { password: currentPassword, at: Date.now() };
    },
    async updatePassword(newPassword) {
      if (!proof || Date.now() - proof.at > proofMs) throw new AuthError('auth/requires-recent-login');
      const currentPassword = proof.password;
      start(await post<Grant>('/change-password', { currentPassword, newPassword }));
      proof = null;
    },
    async signOut() {
      // Offline, the device is cleared anyway; the error says that the server wasn't reached.
      try {
        await post('/sign-out');
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
        const user = await finishRedirect();
        if (!user) return null;
      }
      if (!session.user()) return null;
      const token = session.accessToken();
      const asked = renew().catch(() => null);
      // A valid token is used right away; the renewal still brings fresh facts.
      if (!token || endOfToken(token) - Date.now() < renewBeforeMs) await asked;
      return session.user();
    },
  };
}
