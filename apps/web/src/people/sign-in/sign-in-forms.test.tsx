import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { useLocation } from 'react-router';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { press, type RenderOptions } from '../../../test/device.ts';
import type { FakeApi } from '../../../test/fake-api.ts';
import { leila, sampleAccount } from '../../../test/people.fixtures.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { field, later, pressEnter, pressTwice, problemAt, type } from '../../../test/typing.ts';
import { session } from '../../lib/session.ts';
import ChangePasswordScreen from './change-password.screen.tsx';
import { likelyEmail } from './email-typo.ts';
import LoginScreen from './login.screen.tsx';
import RegisterScreen from './register.screen.tsx';
import { passwordHint } from './sign-in-fields.ts';

const part = vi.hoisted(() => ({ isMissing: false }));
// A server that runs a newer version no longer has the chunk.
vi.mock('./refused-credentials.ts', async (load) => {
  const loaded = await load<typeof import('./refused-credentials.ts')>();
  const unlessMissing = <Read extends () => unknown>(read: Read) => {
    if (part.isMissing) throw new TypeError('Failed to fetch dynamically imported module');
    return read() as ReturnType<Read>;
  };
  return {
    ...loaded,
    refusedLogIn: (failure: unknown) => unlessMissing(() => loaded.refusedLogIn(failure)),
    refusedCredentials: (failure: unknown) => unlessMissing(() => loaded.refusedCredentials(failure)),
  };
});
afterEach(() => {
  part.isMissing = false;
});

type Sent = { path: string; body: Record<string, unknown> };

const grant = (verified = true) => ({
  token: `header.${btoa(JSON.stringify({ exp: Math.floor(Date.now() / 1_000) + 3_600 }))}.signature`,
  expiresAt: '2100-01-01T00:00:00Z',
  user: { ...leila, emailVerified: verified },
});
const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
const refusal = (code: string) => json({ code }, 400);

function authServer(answers: Record<string, (sent: Sent) => Response | Promise<Response>>) {
  const received: Sent[] = [];
  const api = Object.fromEntries(
    Object.entries(answers).map(([path, respond]) => [
      `POST /api/auth${path}`,
      async (request: Request) => {
        const sent = { path, body: (await request.json()) as Record<string, unknown> };
        received.push(sent);
        return respond(sent);
      },
    ]),
  );
  return { received, api };
}

function Address() {
  const { pathname, search } = useLocation();
  return <output data-testid="address">{pathname + search}</output>;
}
const address = () => screen.getByTestId('address').textContent;

const show = (
  part: React.ReactNode,
  path: string,
  answers: Record<string, (sent: Sent) => Response | Promise<Response>>,
  options: RenderOptions = {},
) => {
  const server = authServer(answers);
  const { api } = renderPart(
    <>
      {part}
      <Address />
    </>,
    { path, ...options, api: { ...server.api, ...options.api } },
  );
  received = api;
  return server.received;
};
const email = leila.email;
let received: FakeApi;

describe('logging in', () => {
  const open = (answers: Record<string, (sent: Sent) => Response | Promise<Response>> = {}) =>
    show(<LoginScreen />, '/login', answers);

  it('requires both fields before sending, and focuses the first invalid one', async () => {
    const sent = open();
    await press('Log in');
    await waitFor(() => expect(problemAt('Email')).toBe('Enter your email address.'));
    expect(problemAt('Password')).toBe('The password must be 6 characters long or more.');
    expect(document.activeElement).toBe(field('Email'));
    type('Email', email);
    expect(problemAt('Email')).toBeNull();
    await pressEnter('Password');
    expect(document.activeElement).toBe(field('Password'));
    expect(sent).toEqual([]);
  });

  it.each(['leila', 'leila@', '@example.org', 'a b@example.org'])(
    "shows the specification's alert for the malformed address %s, and a hint at its field",
    async (typed) => {
      const sent = open();
      type('Email', typed);
      type('Password', 'secret-1');
      await pressEnter('Email');
      const alert = await screen.findByRole('alertdialog', { name: 'Error' });
      expect(alert.textContent).toContain('Sign in');
      expect(alert.textContent).toContain('Invalid email or password.\nEnter an address such as');
      await press('OK');
      expect(problemAt('Email')).toBe('Enter an address such as name@example.com.');
      expect(sent).toEqual([]);
    },
  );

  it('sends the address trimmed and the password unchanged, once', async () => {
    const response = later<Response>();
    const sent = open({ '/sign-in/email': () => response.answer });
    type('Email', `  ${email} `);
    type('Password', ' secret ');
    await pressEnter('Password');
    await pressTwice('Log in');
    await response.give(json(grant()));
    await waitFor(() => expect(session.user()?.email).toBe(email));
    expect(sent).toEqual([{ path: '/sign-in/email', body: { email, password: ' secret ' } }]);
  });

  it('keeps address and password when they are rejected, and can be retried', async () => {
    let refusals = 1;
    const sent = open({
      '/sign-in/email': () => (refusals-- > 0 ? refusal('auth/wrong-password') : json(grant())),
    });
    type('Email', email);
    type('Password', 'secret-1');
    await press('Log in');
    fireEvent.click(await screen.findByRole('button', { name: /Try again|OK/ }));
    expect(field('Email').value).toBe(email);
    expect(field('Password').value).toBe('secret-1');
    await waitFor(() => expect(problemAt('Password')).toBe('Invalid email or password.'));
    await press('Log in');
    await waitFor(() => expect(session.user()).not.toBeNull());
    expect(sent).toHaveLength(2);
  });

  it('offers a new password after a wrong one, and confirms the mail', async () => {
    const sent = open({
      '/sign-in/email': () => refusal('auth/invalid-credential'),
      '/request-password-reset': () => json({}),
    });
    type('Email', email);
    type('Password', 'secret-1');
    await press('Log in');
    await press('Reset password');
    await press('Send email');
    expect(await screen.findByText(/A password reset email has been sent/)).toBeTruthy();
    expect(sent.at(-1)).toEqual({ path: '/request-password-reset', body: { email } });
  });

  it.each(['/login', '/register'])('shows why %s was refused where a part cannot load', async (path) => {
    part.isMissing = true;
    show(path === '/login' ? <LoginScreen /> : <RegisterScreen />, path, {
      '/sign-in/email': () => refusal('auth/invalid-credential'),
      '/sign-up/email': () => refusal('auth/email-already-in-use'),
    });
    type('Email', email);
    type('Password', 'secret-1');
    await press(path === '/login' ? 'Log in' : 'Create account');
    await press(path === '/login' ? 'Try again' : 'Go back');
    expect([problemAt('Email'), problemAt('Password')]).toEqual([null, null]);
  });

  it.each([{}, { 'retry-after': 'Mon, 30 Nov 2026 10:00:00 GMT' }])(
    'names no wait that the server does not: %j',
    async (headers) => {
      open({
        '/sign-in/email': () =>
          new Response(JSON.stringify({ code: 'auth/too-many-requests' }), {
            status: 429,
            headers: headers as Record<string, string>,
          }),
      });
      type('Email', email);
      type('Password', 'secret-1');
      await press('Log in');
      await press('Close');
      expect(problemAt('Password')).toBe('Too many tries. Wait a while, or reset the password.');
    },
  );

  it('names the wait after too many tries, and still offers a new password', async () => {
    open({
      '/sign-in/email': () =>
        new Response(JSON.stringify({ code: 'auth/too-many-requests' }), {
          status: 429,
          headers: { 'retry-after': '100' },
        }),
    });
    type('Email', email);
    type('Password', 'secret-1');
    await press('Log in');
    await press('Reset password');
    expect(await screen.findByRole('button', { name: 'Send email' })).toBeTruthy();
    await press('Cancel');
    expect(problemAt('Password')).toBe('Too many tries. Wait 2 minutes, or reset the password.');
  });

  it('requires an address for a new password, but no password', async () => {
    const sent = open({ '/request-password-reset': () => json({}) });
    await press('Forgot password?');
    expect(problemAt('Email')).toBe('Enter your email address.');
    expect(problemAt('Password')).toBeNull();
    expect(document.activeElement).toBe(field('Email'));
    type('Email', email);
    await press('Forgot password?');
    await press('Cancel');
    expect(sent).toEqual([]);
  });

  it('of an unverified account clears the password without calling it wrong', async () => {
    open({ '/sign-in/email': () => json(grant(false)) });
    type('Email', email);
    type('Password', 'secret-1');
    await press('Log in');
    expect(await screen.findByRole('button', { name: 'Resend' })).toBeTruthy();
    await waitFor(() => expect(field('Password').value).toBe(''));
    expect(field('Email').value).toBe(email);
    expect(problemAt('Password')).toBeNull();
    expect(screen.getByRole('link', { name: 'Change address' }).getAttribute('href')).toBe(
      '/getting-started',
    );
    // The notice is about the address that it names.
    type('Email', 'sam@example.org');
    expect(screen.queryByRole('button', { name: 'Resend' })).toBeNull();
  });

  it('shows that the network is down', async () => {
    open({
      '/sign-in/email': () => {
        throw new TypeError('Failed to fetch');
      },
    });
    type('Email', email);
    type('Password', 'secret-1');
    await press('Log in');
    expect(await screen.findByText(/network|connection/i)).toBeTruthy();
    expect(field('Password').value).toBe('secret-1');
  });
});

describe('signing in through another service', () => {
  const services = { google: false, facebook: false, apple: true, openId: { name: 'Harbour ID' } };
  const options = { provider: 'built-in', ...services, firebase: null, mailboxPath: null } as const;
  const open = () =>
    show(
      <LoginScreen />,
      '/login?next=%2Ftoc',
      { '/sign-in/social': () => refusal('auth/user-cancelled') },
      { api: { 'signIn.options': options } },
    );

  it('asks to leave the browser inside another app, where Google refuses', async () => {
    const agent = vi
      .spyOn(navigator, 'userAgent', 'get')
      .mockReturnValue('Mozilla/5.0 (iPhone) Instagram 350.0');
    show(<LoginScreen />, '/login', {}, { api: { 'signIn.options': { ...options, google: true } } });
    expect(await screen.findByText(/open this page in your browser/)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Copy link' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Continue with Google' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Continue with Apple' })).toBeTruthy();
    agent.mockRestore();
  });

  it.each([
    ['Continue with Apple', 'apple'],
    ['Continue with Harbour ID', 'openid'],
  ])('leaves by %s, and shows what went wrong', async (button, provider) => {
    const sent = open();
    await press(button);
    const alert = await screen.findByRole('alertdialog', { name: 'Error' });
    expect(alert.textContent).toContain('Sign-in was cancelled because permission was not given.');
    expect(sent).toEqual([{ path: '/sign-in/social', body: { provider, returnTo: '/toc' } }]);
  });

  it.each([
    ['android', true, ['Continue with Google']],
    ['ios', true, ['Continue with Google', 'Continue with Apple']],
    ['ios', false, []],
  ])("shows on %s those that the phone's plugin supports: %s", async (kind, able, expected) => {
    const Plugins = able ? { FirebaseAuthentication: {} } : {};
    vi.stubEnv('VITE_SERVER', location.origin);
    vi.stubGlobal('Capacitor', { isNativePlatform: () => true, getPlatform: () => kind, Plugins });
    const firebase = { projectId: 'p', apiKey: 'k', authDomain: 'p.firebaseapp.com', emulator: null };
    const phone = { ...options, provider: 'firebase', google: true, openId: null, firebase } as const;
    show(<LoginScreen />, '/login', {}, { api: { 'signIn.options': phone } });
    await waitFor(() => expect(received.calls('signIn.options')).toHaveLength(1));
    const providerNames = () =>
      screen.queryAllByRole('button', { name: /Continue with/ }).map((button) => button.textContent);
    await waitFor(() => expect(providerNames()).toEqual(expected));
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.stubGlobal('Capacitor', undefined);
  });

  it('shows only configured ones', async () => {
    open();
    await screen.findByRole('button', { name: 'Continue with Apple' });
    expect(screen.queryByRole('button', { name: /Google|Facebook/ })).toBeNull();
  });
});

describe('creating an account', () => {
  const open = (answers: Record<string, (sent: Sent) => Response | Promise<Response>> = {}) =>
    show(
      <RegisterScreen />,
      '/register?next=%2Fjob-desc%2F1',
      {
        '/send-verification-email': () => json({}),
        ...answers,
      },
      { api: { 'accounts.update': sampleAccount(leila), 'termsOfUse.accept': sampleAccount(leila) } },
    );
  const fill = () => {
    type('Email', email);
    type('Password', 'secret-1');
  };

  it('creates one account, sends one mail, and continues to the profile with the way back', async () => {
    const response = later<Response>();
    const sent = open({ '/sign-up/email': () => response.answer });
    fill();
    await pressEnter('Email');
    await pressTwice('Create account');
    await response.give(json(grant(false)));
    await waitFor(() => expect(address()).toBe('/complete-signup?next=%2Fjob-desc%2F1'));
    expect(sent.map(({ path }) => path)).toEqual(['/sign-up/email', '/send-verification-email']);
    // Stored with the account, since the link can open on any device.
    await waitFor(() => expect(received.inputs('accounts.update')).toEqual([{ returnTo: '/job-desc/1' }]));
    await waitFor(() => expect(received.calls('termsOfUse.accept')).toHaveLength(1));
  });

  it.each([
    ['leila@gmial.com', 'leila@gmail.com'],
    ['leila@hotmial.com', 'leila@hotmail.com'],
    ['leila@gmail.co', 'leila@gmail.com'],
    ['leila@outlok.com', 'leila@outlook.com'],
    ['leila@kopi.con', 'leila@kopi.com'],
  ])('asks about %s, and uses what was meant', async (typed, meant) => {
    const sent = open({ '/sign-up/email': () => json(grant(false)) });
    fill();
    type('Email', typed);
    await press('Create account');
    await screen.findByRole('alertdialog', { name: `Did you mean ${meant}?` });
    expect(sent).toEqual([]);
    await press(`Use ${meant}`);
    await waitFor(() => expect(sent[0]).toMatchObject({ path: '/sign-up/email', body: { email: meant } }));
  });

  it.each([
    ['leila@hotmail.con', 'leila@hotmail.com'],
    ['leila@gmial.con', 'leila@gmail.com'],
    ['leila@hotmail.co', 'leila@hotmail.com'],
    ['leila@kopi.co', null],
    ['leila@yahoo.co.jp', null],
  ])('reads %s as %s', (typed, meant) => expect(likelyEmail(typed)).toBe(meant));

  it.each(['leila@mail.com', 'leila@hotmail.be', 'leila@gmail.com', 'leila@kopi.example', 'leila@gmx.at'])(
    'takes %s without a question',
    (typed) => expect(likelyEmail(typed)).toBeNull(),
  );

  it('gives a reason only to people who were sent here from a page', () => {
    const reason = 'Log in or create an account to open this page.';
    for (const [next, isShown] of [
      ['/tabs/menu/business', false],
      ['/create-job', true],
    ] as const) {
      show(<RegisterScreen />, `/register?next=${encodeURIComponent(next)}`, {});
      expect(screen.queryByText(reason) !== null, next).toBe(isShown);
      cleanup();
    }
  });

  it.each([
    ['proves the address by the invitation', () => json({}), []],
    [
      'sends a mail if the invitation proves nothing',
      () => refusal('auth/invalid-action-code'),
      ['/send-verification-email'],
    ],
  ] as const)("creates an invited user's account and %s", async (_case, prove, mails) => {
    const token = 'x'.repeat(43);
    const sent = show(
      <RegisterScreen />,
      `/register?next=%2Fjoin-team%2F${token}`,
      {
        '/sign-up/email': () => json(grant(false)),
        '/verify-email-by-invitation': prove,
        '/access-token': () => json(grant()),
        '/send-verification-email': () => json({}),
      },
      {
        api: {
          'accounts.update': sampleAccount(leila),
          'termsOfUse.accept': sampleAccount(leila),
          'team.opened': {
            businessId: '0193aaaa-0000-7000-8000-0000000000b1',
            businessName: 'Kopi & Crumb',
            area: 'Jordaan',
            logoPath: null,
            verified: true,
            role: 'finance',
            branches: null,
            status: 'open',
            invitedBy: 'Nadia Rahmani',
            email: 'finance@example.org',
            reader: 'guest',
            asked: false,
            expiresAt: '2026-11-27T08:00:00Z',
          },
        },
      },
    );
    await screen.findByLabelText('Email');
    expect(field('Email').value).toBe('finance@example.org');
    expect((field('Email') as HTMLInputElement).readOnly).toBe(true);
    type('Password', 'secret-1');
    await press('Create account');
    await waitFor(() => expect(address()).toBe(`/join-team/${token}`));
    expect(sent[0]?.body).toMatchObject({ email: 'finance@example.org' });
    expect(sent[1]).toEqual({ path: '/verify-email-by-invitation', body: { invitation: token } });
    expect(sent.map(({ path }) => path).filter((path) => path.startsWith('/send'))).toEqual(mails);
    expect(session.user()?.emailVerified).toBe(mails.length === 0);
  });

  it("continues with a warning if the mail couldn't be sent", async () => {
    open({
      '/sign-up/email': () => json(grant(false)),
      '/send-verification-email': () => refusal('auth/too-many-requests'),
    });
    fill();
    await press('Create account');
    fireEvent.click(await screen.findByRole('button', { name: 'OK' }));
    await waitFor(() => expect(address()).toMatch(/^\/complete-signup/));
  });

  it('leads to the login of a taken address', async () => {
    open({ '/sign-up/email': () => refusal('auth/email-already-in-use') });
    fill();
    await press('Create account');
    await screen.findByRole('alertdialog', { name: 'Error' });
    await press('Log in');
    await waitFor(() => expect(address()).toBe('/login?next=%2Fjob-desc%2F1'));
    expect(session.user()).toBeNull();
  });

  it('keeps the text when it fails', async () => {
    const sent = open({ '/sign-up/email': () => refusal('auth/internal-error') });
    fill();
    await press('Create account');
    await press('Try again');
    expect(field('Email').value).toBe(email);
    expect(field('Password').value).toBe('secret-1');
    expect(sent.map(({ path }) => path)).toEqual(['/sign-up/email']);
  });

  it('explains a refused password at its field alone', async () => {
    open({ '/sign-up/email': () => refusal('auth/password-does-not-meet-requirements') });
    fill();
    await press('Create account');
    await waitFor(() => expect(problemAt('Password')).toMatch(/too common/));
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(document.activeElement).toBe(field('Password'));
  });

  it('marks a taken address, and sends its owner a new password', async () => {
    const sent = open({
      '/sign-up/email': () => refusal('auth/email-already-in-use'),
      '/request-password-reset': () => json({}),
    });
    fill();
    await press('Create account');
    await press('Reset password');
    await press('Send email');
    await screen.findByText('A password reset email has been sent. Please check your inbox.');
    await press('OK');
    expect(sent.at(-1)?.body).toMatchObject({ email });
    expect(problemAt('Email')).toMatch(/already in use by another account/);
  });

  it('rejects a short password before calling the server', async () => {
    const sent = open();
    type('Email', email);
    type('Password', '12345');
    await press('Create account');
    await waitFor(() =>
      expect(problemAt('Password')).toBe('The password must be 6 characters long or more.'),
    );
    type('Password', 'aaaaaa');
    await press('Create account');
    await waitFor(() => expect(problemAt('Password')).toMatch(/repeats or counts/));
    type('Password', 'horse6');
    expect(problemAt('Password')).toBeNull();
    expect(sent).toEqual([]);
  });
});

describe('a new password', () => {
  it.each([
    ['', /^At least 6 characters/],
    ['aaaaaaaaaaaaaaaa', /^Weak/],
    ['harbour', /^Weak/],
    ['nearhand-2026', /^Weak/],
    ['harbour 7', /^Fair/],
    ['a quiet harbour', /^Strong/],
  ])('%j is judged while typing', (typed, hint) => {
    expect(passwordHint(typed)).toMatch(hint);
  });

  const openLink = (signIn: () => Response) =>
    show(<LoginScreen />, '/login?verify=link-1', {
      '/verify-email': ({ body }) =>
        json(body.replacePassword ? { resetToken: 'reset-1' } : session.user() ? {} : { signInFirst: email }),
      '/sign-in/email': signIn,
      '/access-token': () => json(grant()),
    });

  it('is unnecessary in another browser for someone who enters that of the sign-up', async () => {
    const sent = openLink(() => json(grant(false)));
    expect(await screen.findByText(new RegExp(email))).toBeTruthy();
    type('Password', 'secret-1');
    await press('Verify email');
    await waitFor(() => expect(session.user()?.emailVerified).toBe(true));
    expect(sent.map(({ path }) => path)).toEqual([
      '/verify-email',
      '/sign-in/email',
      '/verify-email',
      '/access-token',
    ]);
  });

  it('is unnecessary in another browser with a second step too, which keeps the link', async () => {
    const sent = show(<LoginScreen />, '/login?verify=link-1', {
      '/verify-email': () => json(session.user() ? {} : { signInFirst: email }),
      '/sign-in/email': () => refusal('auth/multi-factor-auth-required'),
      '/sign-in/second-step': () => json(grant(false)),
      '/sign-in/second-step/methods': () => json({ passkey: false }),
      '/access-token': () => json(grant()),
    });
    await screen.findByText(`Enter the password of ${email}.`);
    type('Password', 'secret-1');
    await press('Verify email');
    await waitFor(() => expect(address()).toBe('/login?verify=link-1&second-step=1'));
    await screen.findByLabelText('Code');
    type('Code', '123456');
    await press('Log in');
    await waitFor(() => expect(session.user()?.emailVerified).toBe(true));
    expect(sent.map(({ path }) => path)).toEqual([
      '/verify-email',
      '/sign-in/email',
      '/sign-in/second-step',
      '/verify-email',
      '/access-token',
    ]);
  });

  it('is replaced once by two presses in another browser', async () => {
    const response = later<Response>();
    const sent = show(<LoginScreen />, '/login?verify=link-1', {
      '/verify-email': ({ body }) => (body.replacePassword ? response.answer : json({ signInFirst: email })),
    });
    await screen.findByLabelText('Password');
    await pressTwice('Choose a new password instead');
    await response.give(json({ resetToken: 'reset-1' }));
    await screen.findByText(/Your email is verified/);
    expect(sent).toHaveLength(2);
  });

  it('is the other way in another browser, after a wrong one too', async () => {
    const sent = openLink(() => refusal('auth/invalid-credential'));
    await screen.findByLabelText('Password');
    type('Password', 'secret-9');
    await press('Verify email');
    await waitFor(() => expect(problemAt('Password')).toBe("This isn't your password."));
    await press('Choose a new password instead');
    await screen.findByText(/Your email is verified/);
    expect(sent.at(-1)).toEqual({ path: '/verify-email', body: { token: 'link-1', replacePassword: true } });
    expect(address()).toBe('/login?reset=reset-1&verified=1');
  });

  it('from a mailed link logs in', async () => {
    show(<LoginScreen />, '/login?reset=code-1', {
      '/reset-password': () => json({ email }),
      '/sign-in/email': () => json(grant()),
    });
    await screen.findByLabelText('New password');
    type('New password', 'secret-2');
    await press('Set new password');
    await waitFor(() => expect(session.user()?.email).toBe(email));
  });

  it('from a mailed link leads to the login where it cannot log in itself', async () => {
    const sent = show(<LoginScreen />, '/login?reset=code-1', {
      '/reset-password': () => json({ email: null }),
    });
    await press('Set new password');
    await waitFor(() => expect(problemAt('New password')).toBeTruthy());
    expect(document.activeElement).toBe(field('New password'));
    type('New password', 'secret-2');
    await pressEnter('New password');
    expect(await screen.findByText('Your new password is set. Log in to continue.')).toBeTruthy();
    expect(sent).toEqual([{ path: '/reset-password', body: { token: 'code-1', newPassword: 'secret-2' } }]);
    expect(screen.getByRole('link', { name: 'Log in' }).getAttribute('href')).toBe('/login');
  });

  it('from a used link offers another link', async () => {
    show(<LoginScreen />, '/login?reset=code-1', {
      '/reset-password': () => refusal('auth/invalid-action-code'),
    });
    type('New password', 'secret-2');
    await press('Set new password');
    await press('Request a new link');
    await waitFor(() => expect(address()).toBe('/login'));
    expect(await screen.findByLabelText('Email')).toBeTruthy();
  });

  it('from a link is typed once when the server failed', async () => {
    show(<LoginScreen />, '/login?reset=code-1', { '/reset-password': () => refusal('auth/internal-error') });
    type('New password', 'secret-2');
    await press('Set new password');
    await press('Try again');
    expect(field('New password').value).toBe('secret-2');
  });
});

describe('changing the password', () => {
  const open = (answers: Record<string, (sent: Sent) => Response | Promise<Response>> = {}) =>
    show(
      <ChangePasswordScreen />,
      '/change-password',
      { '/verify-password': () => json({}), '/change-password': () => json(grant()), ...answers },
      { session: 'worker' },
    );
  const fill = () => {
    type('Current password', 'secret-1');
    type('New password', 'secret-2');
  };

  it('proves the old one, sets the new one once, and clears earlier problems', async () => {
    const proved = later<Response>();
    const sent = open({ '/verify-password': () => proved.answer });
    fill();
    await pressEnter('New password');
    await pressEnter('Current password');
    await proved.give(json({}));
    expect(await screen.findByText(/Password changed successfully/)).toBeTruthy();
    expect(sent).toEqual([
      { path: '/verify-password', body: { email, password: 'secret-1' } },
      { path: '/change-password', body: { currentPassword: 'secret-1', newPassword: 'secret-2' } },
    ]);
    expect(field('Current password').value).toBe('');
    expect(problemAt('Current password')).toBeNull();
    expect(problemAt('New password')).toBeNull();
    expect(field('New password').disabled).toBe(true);
  });

  it('requires both', async () => {
    const sent = open();
    await press('Change password');
    await waitFor(() => expect(problemAt('Current password')).toBe('Enter your current password.'));
    expect(problemAt('New password')).toBeTruthy();
    expect(document.activeElement).toBe(field('Current password'));
    expect(sent).toEqual([]);
  });

  it("shows above the button why it failed when it isn't about a field", async () => {
    open({ '/verify-password': () => refusal('auth/too-many-requests') });
    fill();
    await press('Change password');
    await press('OK');
    await waitFor(() => expect(document.querySelector('.banner.bad')?.textContent).toBeTruthy());
    expect([problemAt('Current password'), problemAt('New password')]).toEqual([null, null]);
  });

  it('reports when the new one is the current one', async () => {
    open({ '/change-password': () => refusal('auth/password-does-not-meet-requirements') });
    type('Current password', 'secret-1');
    type('New password', 'secret-1');
    await press('Change password');
    expect(await screen.findByText(/^Error\. Password changed failed\. This is your current/)).toBeTruthy();
    await press('OK');
    await waitFor(() =>
      expect(problemAt('New password')).toBe('This is your current password. Choose another one.'),
    );
  });

  it.each([
    ['/verify-password', 'auth/wrong-password', 'Current password', 'This is not your current password.'],
    ['/change-password', 'auth/weak-password', 'New password', null],
    [
      '/change-password',
      'auth/password-does-not-meet-requirements',
      'New password',
      'This password is too common, or too close to your email. Use three or four words.',
    ],
  ])('shows at its field why %s was rejected with %s', async (path, code, label, problem) => {
    open({ [path]: () => refusal(code) });
    fill();
    await press('Change password');
    fireEvent.click(await screen.findByRole('button', { name: 'OK' }));
    await waitFor(() => expect(problemAt(label)).toBeTruthy());
    if (problem) expect(problemAt(label)).toBe(problem);
    const other = label === 'New password' ? 'Current password' : 'New password';
    expect(problemAt(other)).toBeNull();
    expect(field('Current password').value).toBe('secret-1');
    expect(field('New password').value).toBe('secret-2');
    type(label, 'secret-33');
    expect(problemAt(label)).toBeNull();
  });
});
