import { i18n } from '@lingui/core';
import { authCodes } from '@nearhand/contract/people/auth-codes';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { authMessages, authText } from '../../lib/api/auth.labels.ts';
import { AuthError, type AuthPort } from '../../lib/api/auth-provider.ts';
import { createSessionManager } from '../../lib/api/session-refresh.ts';
import { session } from '../../lib/session.ts';
import { createChosenAuth } from './chosen-auth.ts';

/** The mocked SDK: its current user, and the code that the next calls throw. */
const sdk = vi.hoisted(() => ({
  raises: null as string | null,
  calls: [] as string[],
  credentials: [] as unknown[],
  current: null as { email: string } | null,
  redirected: null as { email: string } | null,
}));

vi.mock('@firebase/app', async (importActual) => ({
  ...(await importActual<typeof import('@firebase/app')>()),
  initializeApp: () => ({}),
}));
vi.mock('@firebase/auth', async () => {
  const { FirebaseError } = await import('@firebase/app');
  const run = (name: string) => {
    sdk.calls.push(name);
    if (sdk.raises === null) return;
    throw new FirebaseError(sdk.raises, `Firebase: (${sdk.raises}).`, { appName: 'nearhand' });
  };
  const userOf = (email: string) => ({
    email,
    getIdToken: async () => `token of ${email}`,
    delete: async () => {
      sdk.calls.push('delete');
    },
  });
  const opens = (name: string) => async (_auth: unknown, email: string) => {
    run(name);
    sdk.current = userOf(email);
    return { user: sdk.current };
  };
  const does = (name: string) => async () => run(name);
  class Provider {
    static credential = (...tokens: unknown[]) => ({ tokens });
    readonly #id: string | undefined;
    constructor(id?: string) {
      this.#id = id;
    }
    addScope() {}
    credential = (tokens: object) => ({ id: this.#id, tokens });
  }
  return {
    initializeAuth: () => ({
      authStateReady: async () => {},
      get currentUser() {
        return sdk.current;
      },
    }),
    connectAuthEmulator: () => {},
    browserLocalPersistence: {},
    indexedDBLocalPersistence: {},
    browserPopupRedirectResolver: {},
    EmailAuthProvider: { credential: (email: string) => ({ email }) },
    GoogleAuthProvider: Provider,
    FacebookAuthProvider: Provider,
    OAuthProvider: Provider,
    createUserWithEmailAndPassword: opens('create'),
    signInWithEmailAndPassword: opens('sign-in'),
    reauthenticateWithCredential: async (user: unknown) => {
      run('reauthenticate');
      return { user };
    },
    signInWithRedirect: does('redirect'),
    signInWithCredential: async (_auth: unknown, credential: unknown) => {
      run('credential');
      sdk.credentials.push(credential);
      return { user: userOf('leila@x.test') };
    },
    getRedirectResult: async () => {
      run('redirect-result');
      return sdk.redirected && { user: userOf(sdk.redirected.email) };
    },
    sendEmailVerification: does('verification'),
    sendPasswordResetEmail: does('reset'),
    confirmPasswordReset: does('confirm-reset'),
    updatePassword: does('update-password'),
    signOut: async () => {
      sdk.calls.push('sign-out');
      sdk.current = null;
    },
  };
});
const options = {
  provider: 'firebase',
  google: true,
  facebook: false,
  apple: false,
  openId: null,
  mailboxPath: null,
};
const app = { projectId: 'p', apiKey: 'k', authDomain: 'nearhand.example', emulator: null };
const server = vi.hoisted(() => ({ firebase: true, reachable: true }));
vi.mock('../../lib/api/api.ts', () => ({
  api: {
    signIn: {
      options: async () => {
        if (!server.reachable) throw new TypeError('failed to fetch');
        return { ...options, firebase: server.firebase ? app : null };
      },
    },
  },
}));

const user = { id: 'a', email: 'leila@x.test', emailVerified: true, name: 'Leila' };
const posted: { path: string; body: unknown }[] = [];
const common = ({ prefix }: { prefix: string }) =>
  ['5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8'].filter((hash) =>
    hash.startsWith(prefix),
  );
let answers: Record<string, { status: number; body: unknown }>;
const builtIn = {
  confirmPasswordReset: vi.fn(async () => {}),
  sendEmailVerification: vi.fn(async () => {}),
  signIn: vi.fn(async () => user),
  ready: vi.fn(async () => null),
};

function createAuth(): AuthPort {
  return createChosenAuth(createSessionManager(), builtIn as unknown as AuthPort);
}

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));
beforeEach(() => {
  Object.assign(sdk, { raises: null, calls: [], credentials: [], current: null, redirected: null });
  Object.assign(server, { firebase: true, reachable: true });
  posted.length = 0;
  answers = {};
  localStorage.clear();
  sessionStorage.clear();
  session.clear();
  vi.clearAllMocks();
  history.replaceState(null, '', '/login?next=%2Ftoc');
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    const sent = JSON.parse(String(init.body));
    if (path === '/api/auth/firebase/common-passwords')
      return new Response(JSON.stringify({ hashes: common(sent) }));
    posted.push({ path, body: sent });
    const { status, body } = answers[path.replace('/api/auth', '')] ?? {
      status: 200,
      body: { token: `h.${btoa('{"exp":9999999999}')}.s`, expiresAt: '', user },
    };
    return new Response(JSON.stringify(body), { status });
  });
});

const failureOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => null,
    (failure: unknown) => failure,
  );
const codeOf = async (attempt: Promise<unknown>) => {
  const failure = await failureOf(attempt);
  return failure instanceof AuthError ? failure.code : failure;
};
const refuse = (path: string, code: string) => {
  answers[path] = { status: 409, body: { code } };
};

describe('a code that the SDK raises', () => {
  it('shows the specified text, for each of the 111', async () => {
    expect(authCodes).toHaveLength(111);
    const auth = createAuth();
    for (const code of authCodes) {
      sdk.raises = code;
      const failures = [
        await failureOf(auth.signIn('leila@x.test', 'secret1')),
        await failureOf(auth.createAccount('leila@x.test', 'secret1')),
        await failureOf(auth.signInWithGoogle('/toc')),
      ];
      for (const failure of failures) expect(authText(failure)).toBe(i18n._(authMessages[code]));
    }
  });

  it('is an internal error if it is unknown or missing', async () => {
    const auth = createAuth();
    sdk.raises = 'auth/made-up';
    expect(await codeOf(auth.signIn('a@x.test', 'x'))).toBe('auth/internal-error');
    sdk.raises = '';
    expect(await codeOf(auth.createAccount('a@x.test', 'x'))).toBe('auth/internal-error');
  });

  it('of a wrong password appears where the password is confirmed', async () => {
    const auth = createAuth();
    sdk.raises = 'auth/invalid-credential';
    expect(await codeOf(auth.signIn('leila@x.test', 'x'))).toBe('auth/invalid-credential');
    expect(await codeOf(auth.reauthenticate('leila@x.test', 'x'))).toBe('auth/wrong-password');
  });
});

describe('signing in with Firebase', () => {
  it('exchanges the ID token for our session, and ends both together', async () => {
    const sessionManager = createSessionManager();
    const auth = createChosenAuth(sessionManager, builtIn as unknown as AuthPort);
    expect(await auth.signIn('leila@x.test', 'secret1')).toEqual(user);
    expect(posted).toEqual([
      { path: '/api/auth/firebase/session', body: { idToken: 'token of leila@x.test' } },
    ]);
    expect(session.user()).toEqual(user);
    expect(sdk.current).not.toBeNull();
    sessionManager.clear();
    expect(session.user()).toBeNull();
    await vi.waitFor(() => expect(sdk.current).toBeNull());
  });

  it('keeps nobody at Firebase whom our server rejected', async () => {
    const auth = createAuth();
    refuse('/firebase/session', 'auth/user-disabled');
    expect(await codeOf(auth.signIn('leila@x.test', 'secret1'))).toBe('auth/user-disabled');
    expect(sdk.current).toBeNull();
    expect(session.user()).toBeNull();
  });

  it('leaves no account there for an address that has one here', async () => {
    refuse('/firebase/session', 'auth/account-exists-with-different-credential');
    expect(await codeOf(createAuth().createAccount('leila@x.test', 'secret1'))).toBe(
      'auth/email-already-in-use',
    );
    expect(sdk.calls).toContain('delete');
  });

  it('stays signed in there for a second step on our server', async () => {
    refuse('/firebase/session', 'auth/multi-factor-auth-required');
    expect(await codeOf(createAuth().signIn('leila@x.test', 'x'))).toBe('auth/multi-factor-auth-required');
    expect(sdk.current).not.toBeNull();
  });

  it("is a network error while the server can't return the provider, and works after that", async () => {
    const auth = createAuth();
    server.reachable = false;
    expect(await codeOf(auth.signIn('leila@x.test', 'x'))).toBe('auth/network-request-failed');
    server.reachable = true;
    expect(await auth.signIn('leila@x.test', 'x')).toEqual(user);
  });

  it('is unused by a server with the built-in provider', async () => {
    server.firebase = false;
    await createAuth().signIn('leila@x.test', 'x');
    expect(builtIn.signIn).toHaveBeenCalledWith('leila@x.test', 'x');
    expect(sdk.calls).toEqual([]);
  });
});

describe('Google by redirect', () => {
  it('returns to the page that finishes it, and stays on the page if leaving fails', async () => {
    const auth = createAuth();
    sdk.raises = 'auth/operation-not-allowed';
    expect(await codeOf(auth.signInWithGoogle('/toc'))).toBe('auth/operation-not-allowed');
    expect(location.pathname + location.search).toBe('/login?next=%2Ftoc');
    sdk.raises = null;
    await auth.signInWithGoogle('/toc');
    expect(location.pathname + location.search).toBe('/loading?next=%2Ftoc');
    sdk.redirected = { email: 'leila@x.test' };
    expect(await createAuth().ready()).toEqual(user);
  });

  it("reports the cancellation and doesn't sign in on a plain visit", async () => {
    history.replaceState(null, '', '/loading');
    sdk.redirected = { email: 'leila@x.test' };
    expect(await createAuth().ready()).toBeNull();
    expect(sdk.calls).toEqual([]);
    sessionStorage.setItem('nearhand-firebase-redirect', '1');
    sdk.redirected = null;
    expect(await codeOf(createAuth().ready())).toBe('auth/user-cancelled');
  });
});

describe('Google, Facebook and Apple on a phone', () => {
  const tokens = { idToken: 'an ID token', accessToken: 'an access token', nonce: 'a nonce' };
  const requests: { provider: string; options: unknown }[] = [];
  let sheet: () => Promise<{ credential: object | null }>;
  beforeEach(() => {
    requests.length = 0;
    sheet = async () => ({ credential: tokens });
    const opens = (provider: string) => async (options: unknown) => {
      requests.push({ provider, options });
      return sheet();
    };
    vi.stubGlobal('Capacitor', {
      isNativePlatform: () => false,
      Plugins: {
        FirebaseAuthentication: {
          signInWithGoogle: opens('google'),
          signInWithFacebook: opens('facebook'),
          signInWithApple: opens('apple'),
        },
      },
    });
  });
  afterEach(() => vi.stubGlobal('Capacitor', undefined));

  it("sign in without leaving the page, with the phone's response", async () => {
    const auth = createAuth();
    await auth.signInWithGoogle('/toc');
    await auth.signInWithFacebook('/toc');
    await auth.signInWithApple('/toc');
    sheet = async () => ({ credential: { accessToken: 'an access token' } });
    await auth.signInWithFacebook('/toc');
    expect(sdk.credentials).toEqual([
      { tokens: ['an ID token', 'an access token'] },
      { id: 'facebook.com', tokens: { idToken: 'an ID token', rawNonce: 'a nonce' } },
      { id: 'apple.com', tokens: { idToken: 'an ID token', rawNonce: 'a nonce' } },
      { tokens: ['an access token'] },
    ]);
    expect(requests.map(({ provider }) => provider)).toEqual(['google', 'facebook', 'apple', 'facebook']);
    expect(requests[0]?.options).toEqual({ skipNativeAuth: true });
    expect(posted.at(-1)).toEqual({
      path: '/api/auth/firebase/session',
      body: { idToken: 'token of leila@x.test' },
    });
    expect(session.user()).toEqual(user);
    expect(sdk.calls).not.toContain('redirect');
    expect(location.pathname).toBe('/login');
  });

  it("report a cancellation, and pass on Firebase's errors", async () => {
    const auth = createAuth();
    sheet = async () => {
      throw new Error('Sign in canceled.');
    };
    expect(await codeOf(auth.signInWithGoogle('/toc'))).toBe('auth/user-cancelled');
    sheet = async () => {
      throw Object.assign(new Error('no network'), { code: 'auth/network-request-failed' });
    };
    expect(await codeOf(auth.signInWithApple('/toc'))).toBe('auth/network-request-failed');
    sheet = async () => ({ credential: null });
    expect(await codeOf(auth.signInWithGoogle('/toc'))).toBe('auth/internal-error');
    sheet = async () => ({ credential: tokens });
    sdk.raises = 'auth/account-exists-with-different-credential';
    expect(await codeOf(auth.signInWithGoogle('/toc'))).toBe(sdk.raises);
    expect(session.user()).toBeNull();
  });
});

describe('mails and passwords', () => {
  it('resolves a reset the same for every address', async () => {
    const auth = createAuth();
    sdk.raises = 'auth/user-not-found';
    expect(await codeOf(auth.sendPasswordReset('nobody@x.test'))).toBeNull();
    sdk.raises = 'auth/too-many-requests';
    expect(await codeOf(auth.sendPasswordReset('nobody@x.test'))).toBe('auth/too-many-requests');
  });

  it('rejects a common password before Firebase gets it', async () => {
    const auth = createAuth();
    const refused = 'auth/password-does-not-meet-requirements';
    for (const password of ['password', 'PassWord', 'Leila', 'leila@x.test'])
      expect(await codeOf(auth.createAccount('leila@x.test', password))).toBe(refused);
    expect(await codeOf(auth.confirmPasswordReset('a code', 'password'))).toBe(refused);
    expect(sdk.calls).toEqual([]);
    await auth.signIn('leila@x.test', 'password');
    expect(await codeOf(auth.updatePassword('password'))).toBe(refused);
    expect(sdk.calls).toEqual(['sign-in']);
    await auth.createAccount('leila@x.test', 'passwords of a harbour');
    expect(sdk.calls).toContain('create');
  });

  it('sets a password by our own link too', async () => {
    sdk.raises = 'auth/invalid-action-code';
    await createAuth().confirmPasswordReset('ours', 'secret2');
    expect(builtIn.confirmPasswordReset).toHaveBeenCalledWith('ours', 'secret2');
  });

  it('requests the verification mail from the server when Firebase has no session', async () => {
    const auth = createAuth();
    await auth.signIn('leila@x.test', 'secret1');
    await auth.sendEmailVerification();
    expect(builtIn.sendEmailVerification).not.toHaveBeenCalled();
    sdk.raises = 'auth/user-token-expired';
    await auth.sendEmailVerification();
    sdk.current = null;
    await auth.sendEmailVerification();
    expect(builtIn.sendEmailVerification).toHaveBeenCalledTimes(2);
  });

  it('changes a password only for the user signed in there, and starts a session with the new one', async () => {
    const auth = createAuth();
    expect(await codeOf(auth.updatePassword('secret2'))).toBe('auth/requires-recent-login');
    await auth.signIn('leila@x.test', 'secret1');
    await auth.reauthenticate('leila@x.test', 'secret1');
    await auth.updatePassword('secret2');
    expect(posted.map(({ path }) => path.replace('/api/auth', ''))).toEqual([
      '/firebase/session',
      '/firebase/proof',
      '/firebase/password-changed',
    ]);
  });
});
