import { cleanup, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { leila, sampleAccount } from '../../../test/people.fixtures.ts';
import { address, renderApp } from '../../../test/render-app.tsx';
import { renderPart } from '../../../test/render-part.tsx';
import { session } from '../../lib/session.ts';
import { SocialButtons } from '../../people/sign-in/social-buttons.tsx';
import { handOverLink } from './open-url.ts';

vi.mock('../../lib/device/native-push.ts', async (original) => ({
  ...(await original<typeof import('../../lib/device/native-push.ts')>()),
  nativePushBridge: async () => null,
}));

const options = {
  provider: 'built-in' as const,
  google: true,
  facebook: false,
  apple: false,
  openId: null,
  firebase: null,
  mailboxPath: null,
};
const grant = () => ({
  token: `header.${btoa(JSON.stringify({ exp: Math.floor(Date.now() / 1_000) + 3_600 }))}.signature`,
  expiresAt: '2100-01-01T00:00:00Z',
  user: leila,
});
const answer = 'provider=google&code=a%26b&state=s';
const query = `answer=${encodeURIComponent(answer)}`;
const received: unknown[] = [];

const openApp = (respond: () => Response) => {
  vi.stubGlobal('Capacitor', {
    isNativePlatform: () => true,
    getPlatform: () => 'android',
    Plugins: { Browser: { open: vi.fn(), close: vi.fn(), addListener: vi.fn() } },
  });
  return renderApp(`/loading?next=%2Fterms-of-use&${query}`, {
    api: {
      'POST /api/auth/sign-in/social/answer': async (request) => {
        received.push(await request.json());
        return respond();
      },
      'accounts.me': sampleAccount(leila),
      'signIn.options': options,
    },
  });
};
const refused = (code: string) => () => Response.json({ code }, { status: 400 });

beforeEach(() => {
  received.length = 0;
  return () => {
    vi.unstubAllGlobals();
    vi.unstubAllEnvs();
  };
});

it("leads from the phone's browser back to the app", async () => {
  renderApp(`/loading?app=${encodeURIComponent(answer)}`);
  const link = await screen.findByRole('link', { name: 'Open the app' });
  expect(link.getAttribute('href')).toBe(`nearhand://sign-in?${answer}`);
});

describe('the way back from a payment', () => {
  const link = (query: Record<string, string>) => handOverLink(new URLSearchParams(query));

  it("opens the page in the app, with the provider's parameters", () => {
    expect(link({ back: '/create-job?job=7', savedFor: 'b1', saved: 'cs_test_1' })).toBe(
      'nearhand://create-job?job=7&savedFor=b1&saved=cs_test_1',
    );
    expect(link({ back: '/withdraw', payee: '1' })).toBe('nearhand://withdraw?payee=1');
  });

  it('opens nothing else', () => {
    expect(link({ back: '//evil.example' })).toBeNull();
    expect(link({ back: 'https://evil.example/' })).toBeNull();
  });
});

describe('a sign-in that comes back to the app', () => {
  it('finishes with the response and continues', async () => {
    openApp(() => Response.json(grant()));
    await waitFor(() => expect(session.user()?.email).toBe(leila.email));
    expect(received).toEqual([{ provider: 'google', code: 'a&b', state: 's' }]);
    await waitFor(() => expect(address()).not.toContain('/loading'));
  });

  it('asks for the second step, and keeps the return path', async () => {
    openApp(refused('auth/multi-factor-auth-required'));
    await waitFor(() => expect(address()).toBe('/login?second-step=1&next=%2Fterms-of-use'));
    expect(session.user()).toBeNull();
  });

  it('shows why it failed, and leads to log in', async () => {
    openApp(refused('auth/account-exists-with-different-credential'));
    (await screen.findByRole('button', { name: 'Go to log in' })).click();
    await waitFor(() => expect(address()).toBe('/login?next=%2Fterms-of-use'));
  });
});

describe('the buttons of the providers in the app', () => {
  const draw = (plugins: object) => {
    vi.stubEnv('VITE_SERVER', 'https://jobs.example.org');
    vi.stubGlobal('Capacitor', { isNativePlatform: () => true, Plugins: plugins });
    renderPart(<SocialButtons onBusy={() => {}} />, {
      api: { 'signIn.options': options },
    });
  };
  const google = { name: 'Continue with Google' };

  it('are available if the phone has a browser to open', async () => {
    draw({ Browser: {} });
    expect(await screen.findByRole('button', google)).toBeTruthy();
    cleanup();
    draw({});
    expect(screen.queryByRole('button', google)).toBeNull();
  });
});
