import { api } from '../../lib/api/api.ts';
import { AuthError, type AuthPort } from '../../lib/api/auth-provider.ts';
import type { SessionManager } from '../../lib/api/session-refresh.ts';
import type { ExternalSignIn } from './firebase-auth.ts';
import { firebaseMark } from './firebase-marks.ts';

/** Methods that Firebase replaces; the rest of the port is shared. */
const replaced = [
  'createAccount',
  'sendEmailVerification',
  'signIn',
  'signInWithGoogle',
  'signInWithFacebook',
  'signInWithApple',
  'sendPasswordReset',
  'confirmPasswordReset',
  'reauthenticate',
  'updatePassword',
] as const;

/** Sign-in by this server or by Firebase, whose part is loaded only if it is configured (ADR 224). */
export function createChosenAuth(session: SessionManager, builtIn: AuthPort): AuthPort {
  let loaded: Promise<ExternalSignIn | null> | null = null;

  async function load(): Promise<ExternalSignIn | null> {
    const { firebase } = await api.signIn.options();
    if (!firebase) return null;
    const { createFirebaseAuth } = await import('./firebase-auth.ts');
    return createFirebaseAuth(firebase, session, builtIn);
  }

  /**
   * Null with the built-in provider.
   * @throws AuthError auth/network-request-failed
   */
  function external(): Promise<ExternalSignIn | null> {
    loaded ??= load().catch((failure: unknown) => {
      loaded = null;
      throw new AuthError('auth/network-request-failed', failure);
    });
    return loaded;
  }

  /** Firebase's session on this device ends with ours, even offline. */
  session.atEnd(() => {
    if (!firebaseMark.signedIn.get()) return;
    firebaseMark.signedIn.set(false);
    const forgetting = loaded?.then((firebase) => firebase?.forget());
    if (forgetting) void forgetting.catch(() => {});
    else globalThis.indexedDB?.deleteDatabase('firebaseLocalStorageDb');
  });

  const methods = Object.fromEntries(
    replaced.map((name) => [
      name,
      async (...args: never[]) =>
        (((await external()) ?? builtIn)[name] as (...values: never[]) => Promise<unknown>)(...args),
    ]),
  ) as Pick<AuthPort, (typeof replaced)[number]>;

  return {
    ...builtIn,
    ...methods,
    async ready() {
      if (globalThis.location.pathname !== '/loading' || !firebaseMark.left.get()) return builtIn.ready();
      firebaseMark.left.set(false);
      return (await external())?.finishRedirect() ?? builtIn.ready();
    },
  };
}
