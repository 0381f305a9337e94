import { initializeApp } from '@firebase/app';
import {
  type Auth,
  type AuthCredential,
  type AuthProvider,
  browserLocalPersistence,
  browserPopupRedirectResolver,
  confirmPasswordReset,
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  EmailAuthProvider,
  FacebookAuthProvider,
  GoogleAuthProvider,
  getRedirectResult,
  indexedDBLocalPersistence,
  initializeAuth,
  OAuthProvider,
  reauthenticateWithCredential,
  sendEmailVerification,
  sendPasswordResetEmail,
  signInWithCredential,
  signInWithEmailAndPassword,
  signInWithRedirect,
  signOut,
  type User,
  updatePassword,
} from '@firebase/auth';
import { isPattern } from '@nearhand/contract/people/passwords.rules';
import type { FirebaseApp } from '@nearhand/contract/people/sign-in';
import { AuthError, type AuthPort } from '../../lib/api/auth-provider.ts';
import { type Grant, postToSignIn, type SessionManager } from '../../lib/api/session-refresh.ts';
import { type NativePlugins, nativePlugin } from '../../lib/native/plugins.ts';
import { type SessionUser, session } from '../../lib/session.ts';
import { firebaseMark } from './firebase-marks.ts';

/** The methods of the port that Firebase implements, and two for the code that chooses the port. */
export type ExternalSignIn = Pick<
  AuthPort,
  | 'confirmPasswordReset'
  | 'createAccount'
  | 'reauthenticate'
  | 'sendEmailVerification'
  | 'sendPasswordReset'
  | 'signIn'
  | 'signInWithApple'
  | 'signInWithFacebook'
  | 'signInWithGoogle'
  | 'updatePassword'
> & {
  finishRedirect(): Promise<SessionUser | null>;
  forget(): Promise<void>;
};

/** Google's front end responds with a sentence instead of a code; the SDK passes it on as one. */
const sentences: Record<string, string> = {
  'auth/api-key-not-valid.-please-pass-a-valid-api-key.': 'auth/invalid-api-key',
};

/** Failures of the SDK carry the specification's codes (spec §8); ours are AuthErrors already. */
function asAuthError(failure: unknown): AuthError {
  if (failure instanceof AuthError) return failure;
  const code = String((failure as { code?: unknown } | null)?.code);
  return new AuthError(sentences[code] ?? code, failure);
}

const codeOf = (failure: unknown): string => asAuthError(failure).code;

function withCodes<Methods extends Record<string, (...args: never[]) => Promise<unknown>>>(
  methods: Methods,
): Methods {
  return Object.fromEntries(
    Object.entries(methods).map(([name, method]) => [
      name,
      async (...args: never[]) => {
        try {
          return await method(...args);
        } catch (failure) {
          throw asAuthError(failure);
        }
      },
    ]),
  ) as Methods;
}

function openSdk(app: FirebaseApp): Auth {
  const { apiKey, authDomain, projectId, emulator } = app;
  // Without a resolver, the code for redirects loads only when it is used.
  const auth = initializeAuth(initializeApp({ apiKey, authDomain, projectId }), {
    persistence: [indexedDBLocalPersistence, browserLocalPersistence],
  });
  if (emulator) connectAuthEmulator(auth, emulator, { disableWarnings: true });
  auth.languageCode = navigator.language;
  return auth;
}

/** Apple returns the address and the name only if they are requested. */
function appleProvider(): OAuthProvider {
  const provider = new OAuthProvider('apple.com');
  provider.addScope('email');
  provider.addScope('name');
  return provider;
}

const pageProvider: Record<SocialProvider, () => AuthProvider> = {
  google: () => new GoogleAuthProvider(),
  facebook: () => new FacebookAuthProvider(),
  apple: appleProvider,
};

/** Firebase returns to the current address, so it is first replaced with the page that finishes the sign-in. */
async function leaveFor(auth: Auth, provider: AuthProvider, returnTo: string): Promise<void> {
  const from = globalThis.location.href;
  history.replaceState(history.state, '', `/loading?next=${encodeURIComponent(returnTo)}`);
  firebaseMark.left.set(true);
  try {
    await signInWithRedirect(auth, provider, browserPopupRedirectResolver);
  } catch (failure) {
    firebaseMark.left.set(false);
    history.replaceState(history.state, '', from);
    throw failure;
  }
}

const resets = (auth: Auth, builtIn: Pick<AuthPort, 'confirmPasswordReset'>) => ({
  async sendPasswordReset(email: string) {
    try {
      await sendPasswordResetEmail(auth, email);
    } catch (failure) {
      // The response must not reveal whether an address has an account.
      if (codeOf(failure) !== 'auth/user-not-found') throw failure;
    }
  },
  async confirmPasswordReset(code: string, newPassword: string) {
    await requireUncommon(newPassword);
    try {
      await confirmPasswordReset(auth, code, newPassword);
      return null;
    } catch (failure) {
      // Some links are our own (ADR 10).
      if (codeOf(failure) !== 'auth/invalid-action-code') throw failure;
      return builtIn.confirmPasswordReset(code, newPassword);
    }
  },
});

/** Sign-in by Firebase: its ID token is exchanged for a session of our server (ADR 224). */
export function createFirebaseAuth(
  app: FirebaseApp,
  sessionManager: SessionManager,
  builtIn: Pick<AuthPort, 'confirmPasswordReset' | 'sendEmailVerification'>,
): ExternalSignIn {
  const auth = openSdk(app);

  /** Signs out of Firebase again if our server refuses. A second step continues with our server only. */
  async function exchange(user: User): Promise<SessionUser> {
    firebaseMark.signedIn.set(true);
    try {
      return sessionManager.start(
        await postToSignIn<Grant>('/firebase/session', { idToken: await user.getIdToken() }),
      );
    } catch (failure) {
      const goesOn = ['auth/multi-factor-auth-required', 'auth/network-request-failed'];
      if (!goesOn.includes(codeOf(failure))) await forget();
      throw failure;
    }
  }

  async function forget(): Promise<void> {
    firebaseMark.signedIn.set(false);
    await signOut(auth);
  }

  /** The person who is signed in here and at Firebase; null if Firebase has no one or someone else. */
  async function ownUser(): Promise<User | null> {
    await auth.authStateReady();
    const user = auth.currentUser;
    return user?.email?.toLowerCase() === session.user()?.email.toLowerCase() ? user : null;
  }

  async function finish(user: User, returnTo: string | null): Promise<SessionUser> {
    try {
      return await exchange(user);
    } catch (failure) {
      if (codeOf(failure) !== 'auth/multi-factor-auth-required') throw failure;
      const next = returnTo ? `&next=${encodeURIComponent(returnTo)}` : '';
      globalThis.location.replace(`/login?second-step=1${next}`);
      return new Promise<never>(() => {});
    }
  }

  /** Uses the provider's page, or the phone's own sheet. */
  async function signInWith(provider: SocialProvider, returnTo: string): Promise<void> {
    const credential = nativeCredential(provider);
    if (!credential) return leaveFor(auth, pageProvider[provider](), returnTo);
    const { user } = await signInWithCredential(auth, await credential());
    await finish(user, returnTo);
  }

  return withCodes({
    async createAccount(email: string, password: string) {
      await requireUncommon(password, email);
      const { user } = await createUserWithEmailAndPassword(auth, email, password);
      try {
        return await exchange(user);
      } catch (failure) {
        // An older account has the address, so this new Firebase identity is deleted.
        if (codeOf(failure) !== 'auth/account-exists-with-different-credential') throw failure;
        await user.delete();
        throw new AuthError('auth/email-already-in-use', failure);
      }
    },
    async signIn(email: string, password: string) {
      return exchange((await signInWithEmailAndPassword(auth, email, password)).user);
    },
    async sendEmailVerification() {
      const user = await ownUser();
      if (!user) return builtIn.sendEmailVerification();
      try {
        await sendEmailVerification(user);
      } catch (failure) {
        // Signed in here but no longer at Firebase, for example after a correction of the address.
        if (codeOf(failure) !== 'auth/user-token-expired') throw failure;
        await builtIn.sendEmailVerification();
      }
    },
    signInWithGoogle: (returnTo: string) => signInWith('google', returnTo),
    signInWithFacebook: (returnTo: string) => signInWith('facebook', returnTo),
    signInWithApple: (returnTo: string) => signInWith('apple', returnTo),
    async finishRedirect() {
      const result = await getRedirectResult(auth, browserPopupRedirectResolver);
      if (!result) throw new AuthError('auth/user-cancelled');
      return finish(result.user, new URLSearchParams(globalThis.location.search).get('next'));
    },
    ...resets(auth, builtIn),
    async reauthenticate(email: string, currentPassword: string) {
      try {
        const user = await ownUser();
        const proved = user
          ? await reauthenticateWithCredential(user, EmailAuthProvider.credential(email, currentPassword))
          : await signInWithEmailAndPassword(auth, email, currentPassword);
        firebaseMark.signedIn.set(true);
        await postToSignIn('/firebase/proof', { idToken: await proved.user.getIdToken() });
      } catch (failure) {
        const wrong = ['auth/invalid-credential', 'auth/invalid-login-credentials'];
        throw wrong.includes(codeOf(failure)) ? new AuthError('auth/wrong-password', failure) : failure;
      }
    },
    async updatePassword(newPassword: string) {
      const user = await ownUser();
      if (!user?.email) throw new AuthError('auth/requires-recent-login');
      await requireUncommon(newPassword, user.email);
      await updatePassword(user, newPassword);
      // Firebase ends every sign-in with the old password, so sign in with the new one.
      const fresh = await signInWithEmailAndPassword(auth, user.email, newPassword);
      const idToken = await fresh.user.getIdToken();
      await sessionManager.replace(() => postToSignIn<Grant>('/firebase/password-changed', { idToken }));
    },
    forget,
  });
}

const prefixLength = 2;

const hexOf = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** Rejects common passwords before Firebase gets them; our server learns two letters of the hash (ADR 224). */
async function requireUncommon(password: string, email = ''): Promise<void> {
  const lowered = password.toLowerCase();
  const address = email.toLowerCase();
  const isOwnAddress = address !== '' && (lowered === address || lowered === address.split('@')[0]);
  const hash = hexOf(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(lowered)));
  const { hashes } = await postToSignIn<{ hashes: string[] }>('/firebase/common-passwords', {
    prefix: hash.slice(0, prefixLength),
  });
  if (isOwnAddress || isPattern(password) || hashes.includes(hash))
    throw new AuthError('auth/password-does-not-meet-requirements');
}

type Phone = NativePlugins['FirebaseAuthentication'];
type SocialProvider = 'google' | 'facebook' | 'apple';

/** Phones report a closed sign-in sheet without a code. */
const asCancelled = (failure: unknown): unknown =>
  /cancel/i.test((failure as Error | null)?.message ?? '')
    ? new AuthError('auth/user-cancelled', failure)
    : failure;

async function tokensOf(signIn: Phone['signInWithGoogle'], scopes?: string[]) {
  const { credential } = await signIn({ skipNativeAuth: true, scopes: scopes || undefined }).catch(
    (failure: unknown) => {
      throw asCancelled(failure);
    },
  );
  if (!credential) throw new AuthError('auth/internal-error');
  return credential;
}

const ways: Record<SocialProvider, (phone: Phone) => Promise<AuthCredential>> = {
  async google(phone) {
    const { idToken, accessToken } = await tokensOf((options) => phone.signInWithGoogle(options));
    return GoogleAuthProvider.credential(idToken, accessToken);
  },
  async facebook(phone) {
    const { idToken, accessToken, nonce } = await tokensOf((options) => phone.signInWithFacebook(options));
    // On iOS without permission to track, Facebook gives an ID token and nothing else.
    if (idToken) return new OAuthProvider('facebook.com').credential({ idToken, rawNonce: nonce });
    return FacebookAuthProvider.credential(accessToken ?? '');
  },
  async apple(phone) {
    const { idToken, nonce } = await tokensOf((options) => phone.signInWithApple(options), ['email', 'name']);
    return new OAuthProvider('apple.com').credential({ idToken, rawNonce: nonce });
  },
};

/** The phone's own sign-in as a credential for Firebase; null in browsers, and in apps without the plugin. */
function nativeCredential(provider: SocialProvider): (() => Promise<AuthCredential>) | null {
  const phone = nativePlugin('FirebaseAuthentication');
  return phone ? () => ways[provider](phone) : null;
}
