import type { RequestOptions } from '@nearhand/contract/people/passkeys';
import { createSessionManager, type Grant, postToSignIn } from '../lib/api/session-refresh.ts';
import { dropOperatorTexts } from '../lib/device/device-draft.ts';
import { signWithPasskey } from '../lib/device/passkey.ts';

const session = createSessionManager();

function forget(): void {
  dropOperatorTexts();
  session.clear();
}

/**
 * Signs a challenge from `path`/options and signs in with it at `path`.
 * @throws AuthError
 */
async function signInAt(path: string): Promise<void> {
  const options = await postToSignIn<RequestOptions>(`${path}/options`);
  session.start(await postToSignIn<Grant>(path, { answer: await signWithPasskey(options) }));
}

/** Signs in to and out of the console. It shares the app's browser session, so signing out ends both. */
export const consoleAuth = {
  /** @throws AuthError auth/multi-factor-auth-required if a code comes next */
  async signIn(email: string, password: string): Promise<void> {
    session.start(await postToSignIn<Grant>('/sign-in/email', { email, password }));
  },
  /**
   * No code is required after it.
   * @throws AuthError auth/redirect-cancelled-by-user if the person cancels
   */
  signInWithPasskey: () => signInAt('/sign-in/passkey'),
  canAnswerWithPasskey: async () =>
    (await postToSignIn<{ passkey: boolean }>('/sign-in/second-step/methods')).passkey,
  answerWithPasskey: () => signInAt('/sign-in/second-step/passkey'),
  /** Submits the code. The console never trusts a device: each session proves its second factor (ADR 181). */
  async answerCode(code: string, recovery: boolean): Promise<void> {
    session.start(await postToSignIn<Grant>('/sign-in/second-step', { code, recovery, trustDevice: false }));
  },
  async confirm(code: string, recovery: boolean): Promise<void> {
    session.start(await postToSignIn<Grant>('/second-step/check', { code, recovery }));
  },
  renew: session.renew,
  forget,
  async signOut(): Promise<void> {
    try {
      await postToSignIn('/sign-out');
    } finally {
      forget();
    }
  },
};
