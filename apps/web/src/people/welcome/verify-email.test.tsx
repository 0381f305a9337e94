import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { press } from '../../../test/device.ts';
import type { Handlers } from '../../../test/fake-api.ts';
import { leila, sampleAccount } from '../../../test/people.fixtures.ts';
import { address, renderApp } from '../../../test/render-app.tsx';
import { pressEnter, problemAt, type } from '../../../test/typing.ts';

const unverified = { ...leila, emailVerified: false };
const token = `header.${btoa(JSON.stringify({ exp: 99_999_999_999 }))}.signature`;
const respond = (user: object) =>
  new Response(JSON.stringify({ token, expiresAt: '2100-01-01T00:00:00Z', user }), {
    headers: { 'content-type': 'application/json' },
  });

const open = (path: string, api: Handlers = {}) =>
  renderApp(path, {
    session: 'unverified',
    api: {
      'accounts.update': sampleAccount(unverified),
      'POST /api/auth/access-token': () => respond(unverified),
      ...api,
    },
  });

describe('a guarded page, for someone who has not verified their email', () => {
  it('asks to verify it, instead of creating an account or logging in', async () => {
    const { api } = open('/job-apply-form/1');
    expect(await screen.findByRole('heading', { name: 'Verify your email' })).toBeTruthy();
    expect(address()).toBe('/getting-started?next=%2Fjob-apply-form%2F1');
    expect(screen.getByText('Verify your email to apply for this job.')).toBeTruthy();
    // They are signed in already, so the notice does not send them to log in.
    expect(screen.getByText(/^Open the link we sent you\./)).toBeTruthy();
    expect(screen.queryByText(/proceed to log in/)).toBeNull();
    for (const name of ['Resend', "I've verified it", 'Change address'])
      expect(screen.getByRole('button', { name })).toBeTruthy();
    for (const name of ['Create account', 'Log in']) expect(screen.queryByRole('link', { name })).toBeNull();
    await waitFor(() => expect(api.inputs('accounts.update')).toEqual([{ returnTo: '/job-apply-form/1' }]));
  });

  it('asks once for a page without a reason of its own', async () => {
    open('/register-business');
    expect(await screen.findByRole('heading', { name: 'Verify your email' })).toBeTruthy();
    expect(screen.getByText('Verify your email address')).toBeTruthy();
    // Sign-up leads those who hire here, so it has the notice of the specification.
    expect(
      screen.getByText(
        'Verify your email, and then proceed to log in. Check your inbox for a verification email.',
      ),
    ).toBeTruthy();
    expect(screen.queryByText('Verify your email to open this page.')).toBeNull();
  });

  it('continues to the page after verifying elsewhere', async () => {
    let user: object = unverified;
    open('/toc', {
      'POST /api/auth/access-token': () => respond(user),
      'termsOfUse.accepted': [],
    });
    await press("I've verified it");
    expect(await screen.findByText(/Not verified yet/)).toBeTruthy();
    user = leila;
    await press("I've verified it");
    await waitFor(() => expect(address()).toBe('/toc'));
  });

  it('sends the mail again', async () => {
    const mailed = vi.fn(() => new Response('{}'));
    open('/toc', { 'POST /api/auth/send-verification-email': mailed });
    await press('Resend');
    expect(await screen.findByText('Email verification sent! Please check your inbox.')).toBeTruthy();
    expect(mailed).toHaveBeenCalledTimes(1);
  });

  it('asks about another address that looks misspelt', async () => {
    open('/toc', {});
    await press('Change address');
    await screen.findByRole('dialog', { name: 'Change address' });
    type('Email', 'leila@gmial.com');
    await pressEnter('Email');
    expect(await screen.findByRole('alertdialog', { name: 'Did you mean leila@gmail.com?' })).toBeTruthy();
  });

  it('corrects a mistyped address, and shows if it is taken', async () => {
    const sent: unknown[] = [];
    let email = leila.email;
    let proved = false;
    open('/toc', {
      'POST /api/auth/verify-password': () => {
        proved = true;
        return new Response('{}');
      },
      'signIn.secondStep': { on: false, hasPassword: true },
      'passkeys.list': [],
      'POST /api/auth/access-token': () => respond({ ...unverified, email }),
      'POST /api/auth/correct-email': async (request) => {
        const body = (await request.json()) as { email: string };
        if (!proved)
          return new Response(JSON.stringify({ code: 'auth/requires-recent-login' }), { status: 400 });
        sent.push(body.email);
        if (body.email === 'taken@example.org')
          return new Response(JSON.stringify({ code: 'auth/email-already-in-use' }), { status: 409 });
        email = body.email;
        return new Response('{}');
      },
    });
    await press('Change address');
    const sheet = within(await screen.findByRole('dialog', { name: 'Change address' }));
    type('Email', 'leila@');
    await pressEnter('Email');
    expect(problemAt('Email')).toBe('Enter an address such as name@example.com.');
    type('Email', 'taken@example.org');
    await pressEnter('Email');
    const question = within(await screen.findByRole('dialog', { name: "Confirm that it's you" }));
    expect(sent).toEqual([]);
    type('Password', 'secret-1');
    question.getByRole('button', { name: 'Continue' }).click();
    await waitFor(() =>
      expect(problemAt('Email')).toBe('The email address is already in use by another account.'),
    );
    type('Email', ' leila.h@example.org ');
    sheet.getByRole('button', { name: 'Send the link' }).click();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent).toEqual(['taken@example.org', 'leila.h@example.org']);
    expect(await screen.findByText('leila.h@example.org')).toBeTruthy();
  });
});
