import type { RequestOptions } from '@nearhand/contract/people/passkeys';
import { type Grant, keepSession, post } from '../lib/api/session-refresh.ts';
import { signWithPasskey } from '../lib/device/passkey.ts';

const session = keepSession();

/** Asks for a signature at `path`/options, and signs in with it at `path`. @throws AuthError */
async function signInAt(path: string): Promise<void> {
  const options = await post<RequestOptions>(`${path}/options`);
  session.start(await post<Grant>(path, { answer: await signWithPasskey(options) }));
}

/** Signing in and out of the console, on the routes of the app. The session is that of the browser: signing out ends it in the app too. */
export const consoleAuth = {
  /** @throws AuthError auth/multi-factor-auth-required where a code comes next */
  async signIn(email: string, password: string): Promise<void> {
    session.start(await post<Grant>('/sign-in/email', { email, password }));
  },
  /** With a passkey that the person chooses; it needs no code. @throws AuthError auth/redirect-cancelled-by-user if they stop */
  signInWithPasskey: () => signInAt('/sign-in/passkey'),
  /** Whether a passkey can stand in for the code that `signIn` asked for. */
  canAnswerWithPasskey: async () =>
    (await post<{ passkey: boolean }>('/sign-in/second-step/methods')).passkey,
  answerWithPasskey: () => signInAt('/sign-in/second-step/passkey'),
  /** The code that `signIn` asked for. A device is never trusted here: each session proves its second factor (ADR 181). */
  async answerCode(code: string, recovery: boolean): Promise<void> {
    session.start(await post<Grant>('/sign-in/second-step', { code, recovery, trustDevice: false }));
  },
  /** Confirms the second step of this session again. */
  async confirm(code: string, recovery: boolean): Promise<void> {
    session.start(await post<Grant>('/second-step/check', { code, recovery }));
  },
  /** A new access token; null if the session has ended. */
  renew: session.renew,
  /** Forgets the session on this device; the server has ended it already. */
  forget: session.clear,
  async signOut(): Promise<void> {
    try {
      await post('/sign-out');
    } finally {
      session.clear();
    }
  },
};
