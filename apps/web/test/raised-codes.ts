import { initializeApp } from '@firebase/app';
import {
  type Auth,
  beforeAuthStateChanged,
  browserPopupRedirectResolver,
  connectAuthEmulator,
  EmailAuthProvider,
  GoogleAuthProvider,
  initializeAuth,
  inMemoryPersistence,
  linkWithCredential,
  reauthenticateWithCredential,
  sendEmailVerification,
  signInWithPopup,
  signInWithRedirect,
  type User,
  unlink,
  validatePassword,
} from '@firebase/auth';
import type { AuthCode } from '@nearhand/contract/people/auth-codes';
import type { Frame } from './firebase-frame.ts';
import { refusedBy, type startIdentityToolkit, unsignedToken } from './identity-toolkit.ts';

type Toolkit = Awaited<ReturnType<typeof startIdentityToolkit>>;

export type Raising = { auth: Auth; frame: Frame; toolkit: Toolkit; signIn: () => Promise<User> };

const same = (...names: string[]): Partial<Record<AuthCode, string>> =>
  Object.fromEntries(
    names.map((name) => [`auth/${name}`, name.toUpperCase().replaceAll('-', '_')]),
  ) as Partial<Record<AuthCode, string>>;

/** Codes that the SDK maps from an Identity Toolkit error in its own list. */
export const byServer: Partial<Record<AuthCode, string>> = {
  ...same('captcha-check-failed', 'cors-unsupported', 'dynamic-link-not-activated'),
  ...same('email-change-needs-verification', 'invalid-app-credential', 'invalid-app-id', 'invalid-cert-hash'),
  ...same('invalid-continue-uri', 'invalid-custom-token', 'invalid-dynamic-link-domain', 'invalid-email'),
  ...same('invalid-hosting-link-domain', 'invalid-message-payload', 'invalid-oauth-client-id'),
  ...same('invalid-phone-number', 'invalid-provider-id', 'invalid-recaptcha-action', 'invalid-req-type'),
  ...same('invalid-recaptcha-token', 'invalid-recaptcha-version', 'invalid-recipient-email'),
  ...same('invalid-sender', 'invalid-tenant-id', 'missing-app-credential', 'missing-client-type'),
  ...same('missing-ios-bundle-id', 'missing-or-invalid-nonce', 'missing-password', 'missing-phone-number'),
  ...same('missing-recaptcha-version', 'operation-not-allowed', 'password-does-not-meet-requirements'),
  ...same('quota-exceeded', 'recaptcha-not-enabled', 'rejected-credential', 'tenant-id-mismatch'),
  ...same('unsupported-first-factor', 'unsupported-tenant-operation', 'unverified-email', 'user-cancelled'),
  ...same('user-disabled', 'weak-password'),
  'auth/admin-restricted-operation': 'ADMIN_ONLY_OPERATION',
  'auth/code-expired': 'SESSION_EXPIRED',
  'auth/credential-already-in-use': 'FEDERATED_USER_ID_ALREADY_LINKED',
  'auth/custom-token-mismatch': 'CREDENTIAL_MISMATCH',
  'auth/email-already-in-use': 'EMAIL_EXISTS',
  'auth/expired-action-code': 'EXPIRED_OOB_CODE',
  'auth/internal-error': 'MISSING_OOB_CODE',
  'auth/invalid-action-code': 'INVALID_OOB_CODE',
  'auth/invalid-credential': 'INVALID_LOGIN_CREDENTIALS',
  'auth/invalid-multi-factor-session': 'INVALID_MFA_PENDING_CREDENTIAL',
  'auth/invalid-user-token': 'INVALID_ID_TOKEN',
  'auth/invalid-verification-code': 'INVALID_CODE',
  'auth/invalid-verification-id': 'INVALID_SESSION_INFO',
  'auth/maximum-second-factor-count-exceeded': 'SECOND_FACTOR_LIMIT_EXCEEDED',
  'auth/missing-android-pkg-name': 'MISSING_ANDROID_PACKAGE_NAME',
  'auth/missing-multi-factor-info': 'MISSING_MFA_ENROLLMENT_ID',
  'auth/missing-multi-factor-session': 'MISSING_MFA_PENDING_CREDENTIAL',
  'auth/missing-verification-id': 'MISSING_SESSION_INFO',
  'auth/multi-factor-info-not-found': 'MFA_ENROLLMENT_NOT_FOUND',
  'auth/requires-recent-login': 'CREDENTIAL_TOO_OLD_LOGIN_AGAIN',
  'auth/second-factor-already-in-use': 'SECOND_FACTOR_EXISTS',
  'auth/too-many-requests': 'TOO_MANY_ATTEMPTS_TRY_LATER',
  'auth/unauthorized-continue-uri': 'UNAUTHORIZED_DOMAIN',
  'auth/user-not-found': 'EMAIL_NOT_FOUND',
  'auth/user-token-expired': 'TOKEN_EXPIRED',
  'auth/wrong-password': 'INVALID_PASSWORD',
};

/** Errors of the Identity Toolkit that the SDK's list lacks, so that it passes them on by name. */
export const byServerUnlisted: Partial<Record<AuthCode, string>> = same(
  ...['missing-email', 'invalid-refresh-token'],
);

const popup = (auth: Auth) => signInWithPopup(auth, new GoogleAuthProvider(), browserPopupRedirectResolver);
let apps = 0;
const otherAuth = (options: object) =>
  initializeAuth(initializeApp({ apiKey: 'k', projectId: 'p', ...options }, `other-${++apps}`), {
    persistence: inMemoryPersistence,
  });

function emulated(auth: Auth, { url }: Toolkit): Auth {
  connectAuthEmulator(auth, url, { disableWarnings: true });
  return auth;
}

/** Codes that the SDK raises itself, each provoked in the way that raises it. */
export const bySdk: Partial<Record<AuthCode, (raising: Raising) => unknown>> = {
  async 'auth/account-exists-with-different-credential'({ toolkit, signIn }) {
    toolkit.answer({ signInWithPassword: { status: 200, body: { needConfirmation: true } } });
    await signIn();
  },
  async 'auth/multi-factor-auth-required'({ toolkit, signIn }) {
    toolkit.answer({ signInWithPassword: { status: 200, body: { mfaPendingCredential: 'one' } } });
    await signIn();
  },
  async 'auth/network-request-failed'({ toolkit, signIn }) {
    toolkit.answer({ signInWithPassword: 'hang up' });
    await signIn();
  },
  'auth/already-initialized': ({ auth }) => initializeAuth(auth.app, { persistence: inMemoryPersistence }),
  'auth/argument-error': () => GoogleAuthProvider.credential(null, null),
  async 'auth/auth-domain-config-required'({ toolkit }) {
    const auth = emulated(otherAuth({}), toolkit);
    await signInWithRedirect(auth, new GoogleAuthProvider(), browserPopupRedirectResolver);
  },
  async 'auth/cancelled-popup-request'({ auth, frame }) {
    const first = popup(auth);
    await frame.opened();
    const second = popup(auth).catch(() => {});
    await first.finally(async () => {
      await frame.endWith('auth/user-cancelled');
      await second;
    });
  },
  async 'auth/emulator-config-failed'({ auth, signIn }) {
    await signIn();
    connectAuthEmulator(auth, 'http://127.0.0.1:1', { disableWarnings: true });
  },
  'auth/invalid-api-key': () => otherAuth({ apiKey: '' }),
  async 'auth/invalid-auth-event'({ auth, frame }) {
    const waiting = popup(auth).catch(() => {});
    try {
      await frame.opened();
      frame.say({});
    } finally {
      await frame.endWith('auth/user-cancelled');
      await waiting;
    }
  },
  'auth/invalid-emulator-scheme': () => connectAuthEmulator(otherAuth({}), 'localhost:9099'),
  async 'auth/login-blocked'({ auth, signIn }) {
    const stop = beforeAuthStateChanged(auth, () => {
      throw new Error('not today');
    });
    await signIn().finally(stop);
  },
  async 'auth/missing-recaptcha-token'({ toolkit, signIn }) {
    // After a password request, the SDK would fetch a token and retry.
    toolkit.answer({ sendOobCode: refusedBy('MISSING_RECAPTCHA_TOKEN') });
    await sendEmailVerification(await signIn());
  },
  'auth/no-such-provider': async ({ signIn }) => unlink(await signIn(), 'github.com'),
  async 'auth/popup-blocked'({ auth, frame }) {
    frame.windowIs('nothing');
    await popup(auth);
  },
  async 'auth/popup-closed-by-user'({ auth, frame }) {
    frame.windowIs('closed window');
    await popup(auth);
  },
  'auth/provider-already-linked': async ({ signIn }) =>
    linkWithCredential(await signIn(), EmailAuthProvider.credential('leila@example.org', 'secret-1')),
  async 'auth/unauthorized-domain'() {
    const auth = otherAuth({ authDomain: 'p.firebaseapp.example' });
    await signInWithRedirect(auth, new GoogleAuthProvider(), browserPopupRedirectResolver);
  },
  'auth/unsupported-password-policy-schema-version': ({ auth }) => validatePassword(auth, 'secret-1'),
  async 'auth/user-mismatch'({ toolkit, signIn }) {
    const user = await signIn();
    const otherUser = {
      localId: 'uid-other',
      idToken: unsignedToken('uid-other'),
      refreshToken: 'r',
      expiresIn: '1',
    };
    toolkit.answer({ signInWithPassword: { status: 200, body: otherUser } });
    await reauthenticateWithCredential(user, EmailAuthProvider.credential('other@example.org', 'secret-1'));
  },
  async 'auth/web-storage-unsupported'({ toolkit, frame }) {
    frame.blockStorage();
    await popup(emulated(otherAuth({ authDomain: 'p.example' }), toolkit));
  },
};

/** Codes that this version of the SDK never raises in a browser unless Firebase's sign-in page names them. */
export const byNameOnly: readonly AuthCode[] = [
  'auth/app-deleted',
  'auth/app-not-authorized',
  'auth/app-not-installed',
  'auth/cordova-not-ready',
  'auth/invalid-cordova-configuration',
  'auth/timeout',
  'auth/dependent-sdk-initialized-before-auth',
  'auth/invalid-login-credentials',
  'auth/invalid-oauth-provider',
  'auth/invalid-persistence-type',
  'auth/missing-continue-uri',
  'auth/missing-iframe-start',
  'auth/missing-verification-code',
  'auth/no-auth-event',
  'auth/null-user',
  'auth/operation-not-supported-in-this-environment',
  'auth/redirect-cancelled-by-user',
  'auth/redirect-operation-pending',
  'auth/user-signed-out',
  'auth/unsupported-persistence-type',
];
