import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { changeDuring, TestBrowser } from './browser.fixtures.ts';
import { confirmMailbox } from './credentials.ts';
import { expectNothingLeft, mailboxProofs } from './pre-hijacked.fixtures.ts';

const port = await freePort();
const publicUrl = `http://localhost:${port}`;
const app = useTestApp({ PORT: String(port), LOCAL_SIGN_IN: 'true', SIGN_INS_PER_MINUTE: '1000' });
const without = useTestApp({ LOCAL_SIGN_IN: 'false' });

// The server calls its own provider over the network, as it would call Google.
beforeAll(async () => {
  // The library checks the times of a token against the real clock.
  app.clock.set(new Date());
  await app.server.listen({ port, host: '127.0.0.1' });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: free } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return free;
}

/** Presses the provider's button, fills in its page, and returns the session. */
type Landed = ReturnType<TestBrowser['send']>;
async function signIn(
  provider: 'google' | 'facebook',
  person: { name: string; email: string },
  land = (go: () => Landed): Landed => go(),
) {
  const page = new TestBrowser(app.server, publicUrl);
  const start = await page.post('/sign-in/social', { provider, returnTo: '/job-desc/1' });
  expect(start.statusCode, start.body).toBe(200);
  const asking = await fetch(start.json().url);
  const form = await asking.text();
  expect(asking.status, form).toBe(200);
  const query = new URLSearchParams(person);
  for (const [, name = '', value = ''] of form.matchAll(/name="([^"]+)" value="([^"]*)"/g))
    query.set(name, value.replaceAll('&amp;', '&'));
  const answer = await fetch(`${publicUrl}/dev/identity/${provider}/answer?${query}`, { redirect: 'manual' });
  expect(answer.status, await answer.text()).toBe(302);
  const back = new URL(answer.headers.get('location') ?? '');
  const landed = await land(() =>
    page.send('GET', back.pathname + back.search, undefined, { origin: undefined }),
  );
  if (landed.headers.location?.includes('error=')) return { page, user: null, callback: back };
  expect(landed.headers.location).toBe(`${publicUrl}/loading?next=%2Fjob-desc%2F1`);
  return { page, user: (await page.post('/access-token')).json().user, callback: back };
}

describe('the built-in provider of a development server', () => {
  it('stands in for Google, with verified addresses', async () => {
    const { user } = await signIn('google', { name: 'Noor Smit', email: 'Noor@local.test' });
    expect(user).toMatchObject({ name: 'Noor Smit', email: 'noor@local.test', emailVerified: true });
    expect((await signIn('google', { name: 'Noor', email: 'noor@local.test' })).user.id).toBe(user.id);
  });

  it('stands in for Facebook, with unverified addresses', async () => {
    const { user } = await signIn('facebook', { name: 'Sam Okoro', email: 'sam@local.test' });
    expect(user).toMatchObject({ name: 'Sam Okoro', email: 'sam@local.test', emailVerified: false });
  });

  it('opens no session for a stranger whose account is proven by its owner meanwhile', async () => {
    app.clock.set(new Date());
    const rogue = { name: 'Eve', email: 'eve@local.test' };
    const { user } = await signIn('facebook', rogue);
    const again = await signIn('facebook', rogue, (go) =>
      changeDuring(app.db, sql`lock table sessions in share row exclusive mode`, go, (tx) =>
        confirmMailbox(tx, app, user, false),
      ),
    );
    expect(again.user).toBeNull();
    expect((await again.page.post('/access-token')).statusCode).toBe(401);
    const open = app.db.selectFrom('sessions').select('id').where('accountId', '=', user.id);
    expect(await open.execute()).toEqual([]);
  });

  it.each(mailboxProofs)(
    'removes a stranger from an account whose owner proves the mailbox: %s',
    async (proof) => {
      const rogue = { name: 'Mallory', email: 'rogue@local.test' };
      app.clock.set(new Date());
      await expectNothingLeft(app, () => signIn('facebook', rogue), proof);
    },
  );

  it('accepts a code once, and redirects to no other site', async () => {
    const { callback } = await signIn('google', { name: 'Noor', email: 'noor@local.test' });
    const token = await fetch(`${publicUrl}/dev/identity/google/token`, {
      method: 'POST',
      body: new URLSearchParams({ code: callback.searchParams.get('code') ?? '' }),
    });
    expect([token.status, await token.json()]).toEqual([400, { error: 'invalid_grant' }]);
    const params = {
      client_id: 'local',
      response_type: 'code',
      state: 's',
      redirect_uri: 'https://evil.example',
    };
    for (const page of ['authorize', 'answer'])
      expect(
        (await fetch(`${publicUrl}/dev/identity/google/${page}?${new URLSearchParams(params)}`)).status,
      ).toBe(400);
    expect((await fetch(`${publicUrl}/dev/identity/google/me`)).status).toBe(401);
  });

  it('returns 404 when it is off', async () => {
    const answer = await without.raw({ method: 'GET', url: '/dev/identity/google/jwks' });
    expect(answer.statusCode).toBe(404);
    expect(await without.apiAs(null).signIn.options()).toMatchObject({ google: false, facebook: false });
  });
});
