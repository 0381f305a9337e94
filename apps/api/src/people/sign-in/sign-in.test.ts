import { authCodes } from '@nearhand/contract/people/auth-codes';
import { hashPassword } from 'better-auth/crypto';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { newCalendarFeed } from '../../hiring/calendar/calendar-feeds.ts';
import { signUpAccount } from '../accounts/accounts.fixtures.ts';
import { TestBrowser } from './browser.fixtures.ts';
import { disableAccount } from './credentials.ts';

const app = useTestApp({ SIGN_INS_PER_MINUTE: '10000' });

const password = 'correct horse';
let count = 0;
const newEmail = () => `person${++count}@example.test`;
const browser = () => new TestBrowser(app.server, app.config.PUBLIC_URL);

/** A person with a password who is not signed in. */
async function known(options: { emailVerified?: boolean } = {}) {
  const email = newEmail();
  const id = await signUpAccount(app.db, app.clock, { email, name: 'Leila Haddad', password, ...options });
  return { id, email };
}

async function signedIn() {
  const person = await known();
  const page = browser();
  const response = await page.post('/sign-in/email', { email: person.email, password });
  expect(response.statusCode).toBe(200);
  return { ...person, page, token: response.json().token as string };
}

const codeOf = (response: { json(): unknown; statusCode: number }) => {
  const { code } = response.json() as { code: string };
  if (response.statusCode >= 400) expect(authCodes).toContain(code);
  return [response.statusCode, code];
};

/** The newest mail to an address, and the token in its link. */
async function mailTo(email: string, kind: 'verify' | 'reset') {
  await app.runDue();
  const mail = app.mails.filter((mail) => mail.to === email).at(-1);
  const link = mail?.text.match(/https?:\S+/)?.[0] ?? '';
  return { mail, token: link === '' ? '' : (new URL(link).searchParams.get(kind) ?? '') };
}

describe('signing up', () => {
  it('handles more concurrent sign-ups than the server has connections', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => browser().post('/sign-up/email', { email: newEmail(), password })),
    );
    expect(answers.map((answer) => answer.statusCode)).toEqual(Array(12).fill(200));
  });

  it('creates an unverified account, signs it in, and returns a token without the session’s own', async () => {
    const email = newEmail();
    const page = browser();
    const response = await page.post('/sign-up/email', { email: email.toUpperCase(), password: 'horse6' });
    expect(response.statusCode, response.body).toBe(200);
    expect(response.json()).toEqual({
      token: expect.any(String),
      expiresAt: '2026-11-21T09:10:00.000Z',
      user: { id: expect.any(String), email, emailVerified: false, name: '' },
    });
    const [cookie] = response.cookies;
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/api/auth' });
    expect(response.body).not.toContain(cookie?.value.split('.')[0]);
    expect((await app.apiAs(response.json().token).accounts.me()).emailVerified).toBe(false);
  });

  it('reports the invalid field, with codes of the table', async () => {
    const { email } = await known();
    const tried = async (body: unknown) => codeOf(await browser().post('/sign-up/email', body));
    expect(await tried({ email, password })).toEqual([409, 'auth/email-already-in-use']);
    expect(await tried({ email: newEmail(), password: '12345' })).toEqual([400, 'auth/weak-password']);
    expect(await tried({ email: newEmail(), password: 'x'.repeat(129) })).toEqual([
      400,
      'auth/password-does-not-meet-requirements',
    ]);
    for (const pattern of ['aaaaaa', 'abcdef', '121212', 'asdfgh', 'nearhandaaaaaa'])
      expect(await tried({ email: newEmail(), password: pattern }), pattern).toEqual([
        400,
        'auth/password-does-not-meet-requirements',
      ]);
    expect(await tried({ email: newEmail() })).toEqual([400, 'auth/missing-password']);
    expect(await tried({ password })).toEqual([400, 'auth/missing-email']);
    expect(await tried({ email: 'nobody', password })).toEqual([400, 'auth/invalid-email']);
    for (const odd of [[], 'text', null, { email: {}, password: [] }, { email: 'a\u0000@b.co', password }])
      expect((await tried(odd))[0]).toBe(400);
    expect(
      codeOf(await browser().post('/sign-up/email', '{"email":', { 'content-type': 'application/json' })),
    ).toEqual([400, 'auth/argument-error']);
  });

  it('creates one account for two concurrent sign-ups', async () => {
    const email = newEmail();
    const both = await Promise.all([1, 2].map(() => browser().post('/sign-up/email', { email, password })));
    expect(both.map((response) => response.statusCode).sort()).toEqual([200, 409]);
    expect(both.map((response) => response.json().code)).toContain('auth/email-already-in-use');
  });

  it('accepts emoji, right-to-left text and lone surrogates in a password', async () => {
    for (const odd of ['🦊🐢🐙🦉🐝🐳', 'كلمةالسر', '\ud800abcdef', 'abc\u0000def']) {
      const email = newEmail();
      expect((await browser().post('/sign-up/email', { email, password: odd })).statusCode).toBe(200);
      expect((await browser().post('/sign-in/email', { email, password: odd })).statusCode).toBe(200);
    }
  });
});

describe('signing in', () => {
  it('accepts the right password, ignoring the case of the email', async () => {
    const { id, email } = await known();
    const response = await browser().post('/sign-in/email', { email: email.toUpperCase(), password });
    expect(response.json()).toMatchObject({ user: { id, email, emailVerified: true, name: 'Leila Haddad' } });
    expect((await app.apiAs(response.json().token).accounts.me()).id).toBe(id);
  });

  it('returns the same for a wrong password and an unknown address', async () => {
    const { email } = await known();
    const wrong = await browser().post('/sign-in/email', { email, password: 'wrong horse' });
    const unknown = await browser().post('/sign-in/email', { email: newEmail(), password: 'wrong horse' });
    expect(codeOf(wrong)).toEqual([401, 'auth/invalid-credential']);
    const words = (body: { requestId: string }) => ({ ...body, requestId: '' });
    expect(words(unknown.json())).toEqual(words(wrong.json()));
    expect([...Object.keys(unknown.headers)].sort()).toEqual([...Object.keys(wrong.headers)].sort());
  });

  it('hashes once for both, so timing reveals nothing', async () => {
    const { email } = await known();
    // The minimum of several measurements, because other work in this process only adds time.
    const hashed = async (address: string) => {
      const rounds: number[] = [];
      for (let round = 0; round < 6; round += 1) {
        const before = process.cpuUsage();
        await browser().post('/sign-in/email', { email: address, password: 'wrong horse' });
        const { user, system } = process.cpuUsage(before);
        rounds.push(user + system);
      }
      return Math.min(...rounds);
    };
    await hashed(email);
    const ofKnown = await hashed(email);
    const ofUnknown = await hashed(newEmail());
    // Hashing dominates: if the unknown address skipped it, this ratio would be above five.
    expect(Math.max(ofKnown, ofUnknown) / Math.min(ofKnown, ofUnknown)).toBeLessThan(2.5);
  });

  it('reveals a disabled account only after its right password', async () => {
    const { id, email } = await known();
    await app.db.transaction().execute((tx) => disableAccount(tx, app, id));
    expect(codeOf(await browser().post('/sign-in/email', { email, password: 'wrong horse' }))).toEqual([
      401,
      'auth/invalid-credential',
    ]);
    expect(codeOf(await browser().post('/sign-in/email', { email, password }))).toEqual([
      403,
      'auth/user-disabled',
    ]);
  });

  it('keeps the session, renews the token with the cookie, and rejects without one', async () => {
    const { page, id } = await signedIn();
    app.clock.forward({ minutes: 11 });
    const renewed = await page.post('/access-token');
    expect(renewed.json()).toMatchObject({ user: { id } });
    expect((await app.apiAs(renewed.json().token).accounts.me()).id).toBe(id);
    expect(codeOf(await browser().post('/access-token'))).toEqual([401, 'auth/user-token-expired']);
    page.cookies.set('nearhand.session_token', 'forged.cookie');
    expect(codeOf(await page.post('/access-token'))).toEqual([401, 'auth/user-token-expired']);
  });
});

describe('a request from another site', () => {
  it.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['an opaque origin', { origin: 'null' }],
    ['no origin', { origin: undefined }],
    ['a sibling site', { origin: undefined, 'sec-fetch-site': 'same-site' }],
    ['the browser’s own word', { 'sec-fetch-site': 'cross-site' }],
  ])('is rejected: %s', async (_name, headers) => {
    const { page } = await signedIn();
    for (const path of ['/access-token', '/sign-out', '/change-password', '/sign-in/email'])
      expect(codeOf(await page.post(path, {}, headers))).toEqual([403, 'auth/unauthorized-domain']);
    expect((await page.post('/access-token')).statusCode).toBe(200);
  });

  it('exposes only what the app calls', async () => {
    const { page, token } = await signedIn();
    for (const path of [
      '/update-user',
      '/delete-user',
      '/list-sessions',
      '/change-email',
      '/get-access-token',
    ]) {
      // A guest doesn't learn which paths exist. With a session it is a 404.
      expect((await page.post(path)).statusCode).toBe(401);
      const headers = { authorization: `Bearer ${token}` };
      expect((await page.post(path, {}, headers)).statusCode).toBe(404);
    }
    expect((await page.send('GET', '/api/auth/get-session')).statusCode).toBe(404);
  });
});

describe('ending sessions', () => {
  /** Two devices of one person: both tokens and both cookies. */
  async function twoDevices() {
    const first = await signedIn();
    const page = browser();
    const response = await page.post('/sign-in/email', { email: first.email, password });
    const tokens = [first.token, response.json().token as string];
    for (const token of tokens) await app.apiAs(token).accounts.me();
    return { ...first, other: page, tokens };
  }
  const refused = async (tokens: string[]) => {
    app.clock.forward({ seconds: 5 });
    for (const token of tokens) {
      const response = await app.raw({
        url: '/api/accounts/me',
        headers: { authorization: `Bearer ${token}` },
      });
      expect([response.statusCode, response.json().code]).toEqual([401, 'session/expired']);
    }
  };

  it('rejects a sign-in with the old password that ends after the password changed', async () => {
    const { email, id } = await known();
    const holder = await app.pool.connect();
    // Holds the sign-in after the password was accepted, before its session exists.
    await holder.query('begin');
    await holder.query('lock table sessions in share mode');
    const late = browser();
    const answered = late.post('/sign-in/email', { email, password });
    try {
      await expect
        .poll(
          async () =>
            (
              await app.pool.query(
                `select 1 from pg_locks where relation = 'sessions'::regclass and not granted`,
              )
            ).rowCount,
          { timeout: 20_000 },
        )
        .toBe(1);
      await app.pool.query(`update credentials set password = $1 where account_id = $2`, [
        await hashPassword('another horse 7'),
        id,
      ]);
    } finally {
      await holder.query('commit');
      holder.release();
    }
    expect(codeOf(await answered)).toEqual([401, 'auth/invalid-credential']);
    expect(late.cookies.size).toBe(0);
    const { rowCount } = await app.pool.query('select 1 from sessions where account_id = $1', [id]);
    expect(rowCount).toBe(0);
  });

  it('ends every session within 5 seconds and deletes the cookie on sign-out', async () => {
    const { page, other, tokens } = await twoDevices();
    const response = await page.post('/sign-out');
    expect(response.statusCode).toBe(200);
    expect(page.cookies.has('nearhand.session_token')).toBe(false);
    await refused(tokens);
    expect(codeOf(await other.post('/access-token'))).toEqual([401, 'auth/user-token-expired']);
    const stranger = browser();
    expect((await stranger.post('/sign-out')).statusCode).toBe(200);
    for (const cookie of ['x', 'x.y', '%00', `${'a'.repeat(32)}.${'b'.repeat(44)}`]) {
      stranger.cookies.set('nearhand.session_token', cookie);
      expect((await stranger.post('/sign-out')).statusCode).toBe(200);
    }
  });

  it('returns an error for a sign-out while the database is down', async () => {
    const { other, page } = await twoDevices();
    await app.pool.query('alter table sessions rename to sessions_away');
    const response = await page
      .post('/sign-out')
      .finally(() => app.pool.query('alter table sessions_away rename to sessions'));
    expect(codeOf(response)).toEqual([500, 'auth/internal-error']);
    expect((await other.post('/access-token')).statusCode).toBe(200);
  });

  it('ends sessions when the account is disabled', async () => {
    const { id, page, tokens } = await twoDevices();
    await app.db.transaction().execute((tx) => disableAccount(tx, app, id));
    await refused(tokens);
    expect(codeOf(await page.post('/access-token'))).toEqual([401, 'auth/user-token-expired']);
  });

  it('ends all but the current session when the password changes', async () => {
    const { email, page, other, tokens } = await twoDevices();
    expect(codeOf(await page.post('/verify-password', { email, password: 'wrong horse' }))).toEqual([
      401,
      'auth/wrong-password',
    ]);
    expect(codeOf(await page.post('/verify-password', { email: newEmail(), password }))).toEqual([
      400,
      'auth/user-mismatch',
    ]);
    const { user } = (await page.post('/access-token')).json() as { user: { id: string } };
    const checks = () =>
      app.db
        .selectFrom('password_checks')
        .innerJoin('sessions', 'sessions.id', 'sessionId')
        .select('at')
        .where('accountId', '=', user.id)
        .execute();
    expect(await checks()).toEqual([]);
    expect((await page.post('/verify-password', { email, password })).statusCode).toBe(200);
    expect(await checks()).toEqual([{ at: app.clock.now() }]);
    const wrong = { currentPassword: 'wrong horse', newPassword: 'battery staple' };
    expect(codeOf(await page.post('/change-password', wrong))).toEqual([401, 'auth/wrong-password']);
    const weak = { currentPassword: password, newPassword: '12345' };
    expect(codeOf(await page.post('/change-password', weak))).toEqual([400, 'auth/weak-password']);
    const changed = await page.post('/change-password', {
      currentPassword: password,
      newPassword: 'battery staple',
    });
    expect(changed.statusCode, changed.body).toBe(200);
    await refused(tokens);
    expect(codeOf(await other.post('/access-token'))).toEqual([401, 'auth/user-token-expired']);
    expect((await app.apiAs(changed.json().token).accounts.me()).email).toBe(email);
    expect((await browser().post('/sign-in/email', { email, password })).statusCode).toBe(401);
    await app.runDue();
    expect(app.mails.at(-1)).toMatchObject({ to: email, subject: 'Your password was changed' });
  });
});

describe('verifying an email', () => {
  it('mails a link that verifies when signed in, and can be repeated', async () => {
    const email = newEmail();
    const page = browser();
    const { token } = (await page.post('/sign-up/email', { email, password })).json();
    await expect(app.apiAs(token).businesses.mine()).rejects.toThrow();
    expect((await page.post('/send-verification-email')).statusCode).toBe(200);
    const { mail, token: link } = await mailTo(email, 'verify');
    expect(mail?.subject).toBe('Verify your email address');
    expect(mail?.html).toContain('/login?verify=');
    for (const opener of [page, page, browser()]) {
      const opened = await opener.post('/verify-email', { token: link });
      expect([opened.statusCode, opened.json()]).toEqual([200, {}]);
    }
    const renewed = await page.post('/access-token');
    expect(renewed.json().user.emailVerified).toBe(true);
    expect(await app.apiAs(renewed.json().token).businesses.mine()).toEqual([]);
    app.mails.length = 0;
    expect((await page.post('/send-verification-email')).statusCode).toBe(200);
    await app.runDue();
    expect(app.mails).toEqual([]);
  });

  it('mails a link again to an address that bounced, and resumes mail', async () => {
    const { id, email, page } = await signedIn();
    await app.db
      .insertInto('notification_refusals')
      .values({ accountId: id, address: email, answer: 'no such mailbox', refusedAt: app.clock.now() })
      .execute();
    expect((await page.post('/send-verification-email')).statusCode).toBe(200);
    const { token: link } = await mailTo(email, 'verify');
    expect((await browser().post('/verify-email', { token: link })).statusCode).toBe(200);
    expect(
      await app.db.selectFrom('notification_refusals').select('answer').where('accountId', '=', id).execute(),
    ).toEqual([]);
  });

  it('corrects an address that was never verified: its link stops working, the new one works', async () => {
    const wrong = newEmail();
    const right = newEmail();
    const page = browser();
    await page.post('/sign-up/email', { email: wrong, password });
    await page.post('/send-verification-email');
    const { token: old } = await mailTo(wrong, 'verify');
    await page.post('/request-password-reset', { email: wrong });
    const { token: reset } = await mailTo(wrong, 'reset');
    expect(codeOf(await page.post('/correct-email', { email: right }))).toEqual([
      400,
      'auth/requires-recent-login',
    ]);
    expect((await page.post('/verify-password', { email: wrong, password })).statusCode).toBe(200);
    expect((await page.post('/correct-email', { email: right.toUpperCase() })).statusCode).toBe(200);
    expect((await page.post('/access-token')).json().user).toMatchObject({
      email: right,
      emailVerified: false,
    });
    expect(codeOf(await page.post('/verify-email', { token: old }))).toEqual([
      400,
      'auth/invalid-action-code',
    ]);
    expect((await page.post('/reset-password', { token: reset, newPassword: password })).statusCode).toBe(
      400,
    );
    const { token: link } = await mailTo(right, 'verify');
    expect((await page.post('/verify-email', { token: link })).statusCode).toBe(200);
    expect((await page.post('/access-token')).json().user.emailVerified).toBe(true);
    expect(codeOf(await page.post('/correct-email', { email: newEmail() }))).toEqual([
      400,
      'auth/operation-not-allowed',
    ]);
  });

  it('rejects a taken or malformed address, and a caller without a session', async () => {
    const account = await known();
    const page = browser();
    const email = newEmail();
    await page.post('/sign-up/email', { email, password });
    await page.post('/verify-password', { email, password });
    expect(codeOf(await page.post('/correct-email', { email: account.email }))).toEqual([
      409,
      'auth/email-already-in-use',
    ]);
    expect(codeOf(await page.post('/correct-email', { email: 'x' }))).toEqual([400, 'auth/invalid-email']);
    expect(codeOf(await page.post('/correct-email'))).toEqual([400, 'auth/missing-email']);
    expect(codeOf(await browser().post('/correct-email', { email: newEmail() }))).toEqual([
      401,
      'auth/user-token-expired',
    ]);
  });

  it('rejects an invalid link and a caller without a session', async () => {
    expect(codeOf(await browser().post('/verify-email', { token: 'a.b.c' }))).toEqual([
      400,
      'auth/invalid-action-code',
    ]);
    expect(codeOf(await browser().post('/verify-email', { token: 7 }))).toEqual([
      400,
      'auth/invalid-action-code',
    ]);
    expect(codeOf(await browser().post('/send-verification-email'))).toEqual([
      401,
      'auth/user-token-expired',
    ]);
  });
});

describe('resetting a password', () => {
  it('returns the same for every address, and mails only known ones', async () => {
    const { email } = await known();
    const stranger = newEmail();
    const answers = [];
    for (const address of [email, stranger])
      answers.push(await browser().post('/request-password-reset', { email: address }));
    expect(answers.map((response) => [response.statusCode, response.body])).toEqual([
      [200, '{}'],
      [200, '{}'],
    ]);
    const queued = await sql<{
      count: number;
    }>`select count(*) as count from graphile_worker._private_jobs`.execute(app.db);
    expect(queued.rows[0]?.count).toBeGreaterThanOrEqual(2);
    expect((await mailTo(email, 'reset')).mail?.subject).toBe('Reset your password');
    expect((await mailTo(stranger, 'reset')).mail).toBeUndefined();
  });

  it('sets a new password by the link once, ends every session and the calendar address, and verifies the email', async () => {
    // The provider uses the machine's clock to check a link's expiry.
    app.clock.set(new Date());
    const { id, email } = await known({ emailVerified: false });
    const page = browser();
    await page.post('/sign-in/email', { email, password });
    const feed = await app.db
      .transaction()
      .execute((tx) => newCalendarFeed(tx, app.scopeOf({ accountId: id })));
    const { pathname: url } = new URL(feed.url);
    expect((await app.raw({ url })).statusCode).toBe(200);
    await browser().post('/request-password-reset', { email });
    const { token } = await mailTo(email, 'reset');
    const reset = { token, newPassword: 'battery staple' };
    expect(codeOf(await browser().post('/reset-password', { ...reset, newPassword: '1' }))).toEqual([
      400,
      'auth/weak-password',
    ]);
    expect((await browser().post('/reset-password', reset)).statusCode).toBe(200);
    expect(codeOf(await browser().post('/reset-password', reset))).toEqual([400, 'auth/invalid-action-code']);
    expect(codeOf(await page.post('/access-token'))).toEqual([401, 'auth/user-token-expired']);
    // An intruder may have copied the calendar address.
    expect((await app.raw({ url })).statusCode).toBe(404);
    expect((await browser().post('/sign-in/email', { email, password })).statusCode).toBe(401);
    const response = await browser().post('/sign-in/email', { email, password: 'battery staple' });
    expect(response.json().user.emailVerified).toBe(true);
  });

  it('stores no usable link in the database', async () => {
    const { email } = await known();
    await browser().post('/request-password-reset', { email });
    const { token } = await mailTo(email, 'reset');
    const rows = await app.db.selectFrom('verifications').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});
