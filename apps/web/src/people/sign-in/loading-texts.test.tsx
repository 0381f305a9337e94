import { readFileSync } from 'node:fs';
import { screen } from '@testing-library/react';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { press } from '../../../test/device.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { later, type } from '../../../test/typing.ts';
import { registerAuth } from '../../lib/api/auth-provider.ts';
import { createSessionManager } from '../../lib/api/session-refresh.ts';
import { createChosenAuth } from '../firebase-sign-in/chosen-auth.ts';
import { createBuiltInAuth } from './built-in-auth.ts';
import ChangePasswordScreen from './change-password.screen.tsx';
import LoginScreen from './login.screen.tsx';
import RegisterScreen from './register.screen.tsx';

// The build that browsers load.
vi.mock('@firebase/auth', () => import('../../../../../node_modules/@firebase/auth/dist/esm/index.js'));

const specified = Object.fromEntries(
  readFileSync(`${import.meta.dirname}/../../../test/specification/messages.tsv`, 'utf8')
    .trim()
    .split('\n')
    .map((row) => row.split('\t') as [string, string]),
);

const none = { google: false, facebook: false, apple: false, openId: null, mailboxPath: null };
const app = { projectId: 'p', apiKey: 'k', authDomain: 'p.example', emulator: 'http://firebase.test' };
const toolkit = 'POST /identitytoolkit.googleapis.com/v1/accounts:' as const;

const providers = {
  'the built-in provider': {
    options: { ...none, provider: 'built-in', firebase: null },
    paths: {
      signIn: 'POST /api/auth/sign-in/email',
      create: 'POST /api/auth/sign-up/email',
      prove: 'POST /api/auth/verify-password',
      social: 'POST /api/auth/sign-in/social',
    },
  },
  Firebase: {
    options: { ...none, provider: 'firebase', firebase: app },
    paths: {
      signIn: `${toolkit}signInWithPassword`,
      create: `${toolkit}signUp`,
      prove: `${toolkit}signInWithPassword`,
      social: null,
    },
  },
} as const;

const refused = () =>
  Response.json({ code: 'auth/internal-error', error: { message: 'MISSING_OOB_CODE' } }, { status: 400 });

describe.each(Object.entries(providers))('with %s', (_name, { options, paths }) => {
  beforeAll(() => registerAuth(createChosenAuth(createSessionManager(), createBuiltInAuth())));

  function open(screenPart: React.ReactNode, path: keyof typeof paths, signedIn = false) {
    const response = later<Response>();
    const at = paths[path];
    renderPart(screenPart, {
      session: signedIn ? ('worker' as const) : undefined,
      api: {
        'signIn.options': { ...options, google: path === 'social' },
        'POST /api/auth/firebase/common-passwords': () => Response.json({ hashes: [] }),
        ...(at ? { [at]: () => response.answer } : {}),
      },
    });
    return response;
  }

  async function expectLoading(text: string | undefined, response: ReturnType<typeof open>) {
    expect(text).toMatch(/\.\.\.$/);
    await screen.findByRole('dialog', { name: text ?? '' });
    await response.give(refused());
    await screen.findByRole('alertdialog', { name: 'Error' });
    expect(screen.queryByRole('dialog')).toBeNull();
    await press(/Try again|OK/);
  }

  const fill = () => {
    type('Email', 'leila@example.org');
    type('Password', 'a quiet harbour 7');
  };

  it('logging in shows a waiting text', async () => {
    const response = open(<LoginScreen />, 'signIn');
    fill();
    await press('Log in');
    await expectLoading(specified['loading, sign in'], response);
  });

  it('creating an account shows a waiting text', async () => {
    const response = open(<RegisterScreen />, 'create');
    fill();
    await press('Create account');
    await expectLoading(specified['loading, create account'], response);
  });

  it('changing the password shows a waiting text', async () => {
    const response = open(<ChangePasswordScreen />, 'prove', true);
    type('Current password', 'a quiet harbour 7');
    type('New password', 'a louder harbour 8');
    await press('Change password');
    await expectLoading(specified['loading, change password'], response);
  });

  // Firebase's SDK leaves the page without a request.
  if (paths.social)
    it('leaving for Google shows a waiting text', async () => {
      const response = open(<LoginScreen />, 'social');
      await press('Continue with Google');
      await expectLoading(specified['loading, sign in'], response);
    });
});
