import { readFileSync } from 'node:fs';
import { FirebaseError } from '@firebase/app';
import type { Auth, User } from '@firebase/auth';
import { authCodes } from '@nearhand/contract/people/auth-codes';
import { cleanup, screen } from '@testing-library/react';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { seededSample } from '../../../../../scripts/seeded-sample.ts';
import { press } from '../../../test/device.ts';
import type { Handlers } from '../../../test/fake-api.ts';
import { standInForFrame } from '../../../test/firebase-frame.ts';
import { fetchByHttp, refusedBy, startIdentityToolkit } from '../../../test/identity-toolkit.ts';
import { byNameOnly, bySdk, byServer, byServerUnlisted, type Raising } from '../../../test/raised-codes.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { type } from '../../../test/typing.ts';
import { registerAuth } from '../../lib/api/auth-provider.ts';
import { createSessionManager } from '../../lib/api/session-refresh.ts';
import { session } from '../../lib/session.ts';
import { createBuiltInAuth } from '../sign-in/built-in-auth.ts';
import LoginScreen from '../sign-in/login.screen.tsx';
import { createChosenAuth } from './chosen-auth.ts';

const sdkFolder = `${import.meta.dirname}/../../../../../node_modules/@firebase/auth/dist/esm`;

type SignIn = (auth: Auth, email: string, password: string) => Promise<{ user: User }>;
/** Replaces the SDK's sign-in; null keeps the original. */
const sdk = vi.hoisted(() => ({
  instead: null as ((auth: Auth, signIn: SignIn) => Promise<unknown>) | null,
  raised: undefined as unknown,
}));

// The browser build of the SDK, with only the sign-in call replaced.
vi.mock('@firebase/auth', async () => {
  const real = await import('../../../../../node_modules/@firebase/auth/dist/esm/index.js');
  return {
    ...real,
    signInWithEmailAndPassword: async (auth: Auth, email: string, password: string) => {
      const signIn: SignIn = real.signInWithEmailAndPassword;
      try {
        return await (sdk.instead ? sdk.instead(auth, signIn) : signIn(auth, email, password));
      } catch (failure) {
        sdk.raised = failure;
        throw failure;
      }
    },
  };
});

const words = new Map(
  readFileSync(`${import.meta.dirname}/../../../test/specification/auth-codes.tsv`, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((row) => row.split('\t') as [string, string]),
);
const somethingWrong = 'Something went wrong on our side. Please try again.';

let toolkit: Raising['toolkit'];
let frame: Raising['frame'];
beforeAll(async () => {
  toolkit = await startIdentityToolkit();
  frame = standInForFrame();
  registerAuth(createChosenAuth(createSessionManager(), createBuiltInAuth()));
});
afterAll(async () => {
  frame.remove();
  await toolkit.stop();
});
beforeEach(() => {
  Object.assign(sdk, { instead: null, raised: undefined });
  toolkit.answer({});
  frame.reset();
  // The SDK waits eight seconds for a window that was closed.
  const { setTimeout: later } = window;
  const sooner = vi
    .spyOn(window, 'setTimeout')
    .mockImplementation(((run: () => void, ms?: number) =>
      later(run, ms === 8_000 ? 0 : ms)) as typeof window.setTimeout);
  return () => sooner.mockRestore();
});

async function alertOfLogin(api: Handlers = {}): Promise<string> {
  const options = {
    ...({ provider: 'firebase', google: false, facebook: false, apple: false, openId: null } as const),

    mailboxPath: null,
    firebase: { projectId: 'p', apiKey: 'k', authDomain: 'p.example', emulator: toolkit.url },
  };
  renderPart(<LoginScreen />, { path: '/login', api: { 'signIn.options': options, ...api } });
  const own = globalThis.fetch;
  globalThis.fetch = ((target: string, init?: RequestInit) => {
    const there = String(target).replace(/^https:\/\/(identitytoolkit)/, `${toolkit.url}/$1`);
    return there.startsWith(toolkit.url) ? fetchByHttp(there, init) : own(target, init);
  }) as typeof fetch;
  type('Email', 'leila@example.org');
  type('Password', 'secret-1');
  await press('Log in');
  const text = (await screen.findByRole('alertdialog', { name: 'Error' })).textContent ?? '';
  await press(/^(Try again|Close)$/);
  cleanup();
  return text;
}

const says = (code: string) => `ErrorSign in${words.get(code)}`;

async function expectWords(code: string): Promise<void> {
  const text = await alertOfLogin();
  expect(sdk.raised).toBeInstanceOf(FirebaseError);
  expect((sdk.raised as FirebaseError).code).toBe(code);
  expect(text).toContain(says(code));
}

describe('every code of the specification', () => {
  it('is raised by the SDK in one of four ways', () => {
    const all = [byServer, byServerUnlisted, bySdk].flatMap((ways) => Object.keys(ways));
    expect([...all, ...byNameOnly].sort()).toEqual([...words.keys()].sort());
    expect([...words.keys()].sort()).toEqual([...authCodes].sort());
    expect(words.size).toBe(111);
  });

  it('comes from an error that the SDK lists, if the server sends it', () => {
    const list = readFileSync(`${sdkFolder}/src/api/errors.d.ts`, 'utf8');
    const listed = (error: string) => list.includes(`    ${error} = "${error}"`);
    expect(Object.values(byServer).filter((error) => !listed(error))).toEqual([]);
    expect(Object.values(byServerUnlisted).filter(listed)).toEqual([]);
  });
});

describe('logging in shows the specified words', () => {
  it.each(seededSample(Object.entries({ ...byServer, ...byServerUnlisted }), 20, ([code]) => code))(
    'of %s, when the server returns %s',
    async (code, error) => {
      toolkit.answer({ signInWithPassword: refusedBy(error) });
      await expectWords(code);
    },
  );

  it.each(seededSample(Object.entries(bySdk), 10, ([code]) => code))(
    'of %s, raised by the SDK itself',
    async (code, raise) => {
      sdk.instead = async (auth, signIn) =>
        raise({
          auth,
          frame,
          toolkit,
          signIn: async () => (await signIn(auth, 'leila@example.org', 'secret-1')).user,
        });
      await expectWords(code);
    },
  );

  it.each(byNameOnly)("of %s, which only Firebase's page can return", async (code) => {
    sdk.instead = async (auth) => {
      const { signInWithPopup, GoogleAuthProvider, browserPopupRedirectResolver } = await import(
        '@firebase/auth'
      );
      const waiting = signInWithPopup(auth, new GoogleAuthProvider(), browserPopupRedirectResolver);
      await Promise.all([waiting, frame.endWith(code)]);
    };
    await expectWords(code);
  });
});

describe('logging in shows the specified words of what our server says about an ID token', () => {
  it.each([
    ['expired or revoked', 'auth/user-token-expired'],
    ['unsigned, forged, or from a clock that is ten minutes ahead', 'auth/invalid-user-token'],
    ['of another project', 'auth/app-not-authorized'],
    ['whose keys cannot be fetched', 'auth/network-request-failed'],
    ['of an account that was disabled', 'auth/user-disabled'],
    ['of an account that was removed', 'auth/user-not-found'],
    ['with the address of another account', 'auth/account-exists-with-different-credential'],
  ])('%s', async (_name, code) => {
    const refused = () => Response.json({ code }, { status: 401 });
    expect(await alertOfLogin({ 'POST /api/auth/firebase/session': refused })).toContain(says(code));
    expect(session.user()).toBeNull();
    if (code !== 'auth/network-request-failed') expect(localStorage.getItem('nearhand-firebase')).toBeNull();
  });
});

describe('logging in has words for what nobody specified', () => {
  it.each(['SOMETHING_NEW', 'CONFIGURATION_NOT_FOUND : none', '', 'constructor'])(
    'the code of %j',
    async (error) => {
      toolkit.answer({ signInWithPassword: refusedBy(error) });
      expect(await alertOfLogin()).toContain(somethingWrong);
      expect(words.has((sdk.raised as FirebaseError).code)).toBe(false);
    },
  );

  it("a sentence of Google's front end about the key", async () => {
    toolkit.answer({ signInWithPassword: refusedBy('API key not valid. Please pass a valid API key.') });
    expect(await alertOfLogin()).toContain(says('auth/invalid-api-key'));
  });

  it("a response that isn't JSON, and one without an error", async () => {
    toolkit.answer({ signInWithPassword: { status: 500, body: 'no error in it' } });
    expect(await alertOfLogin()).toContain(says('auth/network-request-failed'));
  });
});
