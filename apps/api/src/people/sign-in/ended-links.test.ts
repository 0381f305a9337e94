import { setTimeout as wait } from 'node:timers/promises';
import { addMs } from '@nearhand/contract/durations';
import { describe, expect, it } from 'vitest';
import { failure, useTestApp } from '../../../test/harness.ts';
import { newCalendarFeed } from '../../hiring/calendar/calendar-feeds.ts';
import { signUpAccount } from '../accounts/accounts.fixtures.ts';
import { keepPasskey } from '../passkeys/passkeys.fixtures.ts';
import { TestBrowser } from './browser.fixtures.ts';
import { accountConfirmedNow } from './second-step.fixtures.ts';

const app = useTestApp({ SIGN_INS_PER_MINUTE: '10000', MAILS_PER_DAY: '100' });
const password = 'correct horse';
const newPassword = 'battery staple';
let count = 0;
const newEmail = () => `owner${++count}@example.test`;
const browser = () => new TestBrowser(app.server, app.config.PUBLIC_URL);

/** A signed-in person with a calendar subscription and a statement link. */
async function owner() {
  // The provider uses the machine's clock to check a link's expiry.
  app.clock.set(new Date());
  const email = newEmail();
  const id = await signUpAccount(app.db, app.clock, { email, name: 'Leila Haddad', password });
  const page = browser();
  const { token } = (await page.post('/sign-in/email', { email, password })).json();
  await accountConfirmedNow(app, id);
  const feed = await app.db
    .transaction()
    .execute((tx) => newCalendarFeed(tx, app.scopeOf({ accountId: id })));
  const url = new URL(feed.url).pathname;
  expect((await app.raw({ url })).statusCode).toBe(200);
  const api = app.apiAs(token);
  const { path } = await api.downloads.statement({ format: 'csv' });
  const statement = async () => (await app.raw({ url: `/api${path}` })).statusCode;
  expect(await statement()).toBe(200);
  return {
    id,
    email,
    page,
    api,
    statement,
    feedStatus: async () => (await app.raw({ url })).statusCode,
  };
}

/** The tokens of all links mailed to an address, oldest first. */
async function linksTo(email: string, action: 'reset' | 'confirm' | 'verify') {
  await app.runDue();
  return app.mails
    .filter(({ to, text }) => to === email && text.includes(`?${action}=`))
    .map(({ text }) => new URL(text.match(/https?:\S+/)?.[0] ?? '').searchParams.get(action) ?? '');
}

const resetLink = async (email: string) => {
  await browser().post('/request-password-reset', { email });
  return (await linksTo(email, 'reset')).at(-1) ?? '';
};
const reset = (token: string) => browser().post('/reset-password', { token, newPassword });
const dead = { code: 'auth/invalid-action-code' };
const subjectsTo = async (email: string) => {
  await app.runDue();
  return app.mails.filter(({ to }) => to === email).map(({ subject }) => subject);
};

describe('other links of an account', () => {
  it('stop working when one reset link is used, and the owner is notified', async () => {
    const { email, api, feedStatus, statement } = await owner();
    const first = await resetLink(email);
    const second = await resetLink(email);
    const moved = newEmail();
    await api.emailChange.start({ newEmail: moved });
    const [change = ''] = await linksTo(moved, 'confirm');
    expect((await reset(second)).statusCode).toBe(200);
    expect((await reset(first)).json()).toMatchObject(dead);
    expect((await failure(app.apiAs(null).emailChange.confirm({ token: change }))).code).toBe(
      'email-change/not-found',
    );
    expect(await subjectsTo(email)).toContain('Your password was changed');
    expect([await feedStatus(), await statement()]).toEqual([404, 403]);
  });

  it('stop working when the password changes, like the calendar address and statement links', async () => {
    const { email, page, api, feedStatus, statement } = await owner();
    const link = await resetLink(email);
    const moved = newEmail();
    await api.emailChange.start({ newEmail: moved });
    const [change = ''] = await linksTo(moved, 'confirm');
    const changed = await page.post('/change-password', { currentPassword: password, newPassword });
    expect(changed.statusCode, changed.body).toBe(200);
    expect((await reset(link)).json()).toMatchObject(dead);
    expect((await failure(app.apiAs(null).emailChange.confirm({ token: change }))).code).toBe(
      'email-change/not-found',
    );
    expect([await feedStatus(), await statement()]).toEqual([404, 403]);
  });

  it('stop working when the email changes', async () => {
    const { email, api } = await owner();
    const link = await resetLink(email);
    const moved = newEmail();
    await api.emailChange.start({ newEmail: moved });
    for (const address of [email, moved]) {
      const [token = ''] = await linksTo(address, 'confirm');
      await api.emailChange.confirm({ token });
    }
    expect((await api.accounts.me()).email).toBe(moved);
    expect((await reset(link)).json()).toMatchObject(dead);
  });
});

describe('a link that verifies an address', () => {
  async function unverified() {
    app.clock.set(new Date());
    const email = newEmail();
    const page = browser();
    await page.post('/sign-up/email', { email, password });
    await page.post('/send-verification-email');
    const [token = ''] = await linksTo(email, 'verify');
    return { email, page, token };
  }
  const isVerified = async (page: TestBrowser) =>
    (await page.post('/access-token')).json().user.emailVerified;

  it('stops working when the password changes; a new one works', async () => {
    const { email, page, token } = await unverified();
    app.clock.set(new Date());
    expect((await page.post('/change-password', { currentPassword: password, newPassword })).statusCode).toBe(
      200,
    );
    expect((await page.post('/verify-email', { token })).json()).toMatchObject(dead);
    expect(await isVerified(page)).toBe(false);
    // A link contains the second in which it was made.
    await wait(1_100);
    app.clock.set(new Date());
    await page.post('/send-verification-email');
    const again = (await linksTo(email, 'verify')).at(-1) ?? '';
    expect((await page.post('/verify-email', { token: again })).json()).toEqual({});
    expect(await isVerified(page)).toBe(true);
  });

  it('stops working when the address is corrected', async () => {
    const { email, page, token } = await unverified();
    await page.post('/verify-password', { email, password });
    expect((await page.post('/correct-email', { email: newEmail() })).statusCode).toBe(200);
    expect((await page.post('/verify-email', { token })).json()).toMatchObject(dead);
    expect(await isVerified(page)).toBe(false);
  });

  it('changes nothing after a reset, which has verified the address', async () => {
    const { email, token } = await unverified();
    expect((await reset(await resetLink(email))).statusCode).toBe(200);
    const page = browser();
    expect((await page.post('/sign-in/email', { email, password: newPassword })).statusCode).toBe(200);
    expect((await browser().post('/verify-email', { token })).json()).toEqual({});
    expect((await page.post('/access-token')).statusCode).toBe(200);
    expect((await browser().post('/sign-in/email', { email, password: newPassword })).statusCode).toBe(200);
  });
});

describe('an account that a stranger opened with the address of someone else', () => {
  async function opened() {
    const email = newEmail();
    const stranger = browser();
    await stranger.post('/sign-up/email', { email, password });
    const elsewhere = browser();
    await elsewhere.post('/sign-in/email', { email, password });
    await stranger.post('/send-verification-email');
    const [token = ''] = await linksTo(email, 'verify');
    return { email, stranger, elsewhere, token };
  }

  it('gives them nothing when the owner follows the link and sets a password', async () => {
    const { email, stranger, elsewhere, token } = await opened();
    const page = browser();
    const { resetToken } = (await page.post('/verify-email', { token, replacePassword: true })).json();
    for (const browser of [stranger, elsewhere])
      expect((await browser.post('/access-token')).statusCode).toBe(401);
    expect((await stranger.post('/sign-in/email', { email, password })).statusCode).toBe(401);
    expect((await stranger.post('/verify-email', { token })).json()).toEqual({});
    expect((await reset(resetToken)).statusCode).toBe(200);
    const answer = await page.post('/sign-in/email', { email, password: newPassword });
    expect(answer.json().user).toMatchObject({ email, emailVerified: true });
  });

  it('gives them nothing when the owner sets a password, whatever they added before', async () => {
    const { email, stranger, elsewhere } = await opened();
    const account = await app.db
      .selectFrom('accounts')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    const scope = app.scopeOf({ accountId: account.id });
    const feed = await app.db.transaction().execute((tx) => newCalendarFeed(tx, scope));
    await keepPasskey(app.db, app, account.id);
    const now = app.clock.now();
    await app.db
      .insertInto('credentials')
      .values({
        id: crypto.randomUUID(),
        accountId: account.id,
        providerId: 'facebook',
        subject: email,
        createdAt: now,
        updatedAt: now,
      })
      .execute();
    await app.db
      .insertInto('second_factors')
      .values({ id: crypto.randomUUID(), accountId: account.id, secret: 'x', backupCodes: 'x' })
      .execute();
    await app.db
      .insertInto('verifications')
      .values({
        id: crypto.randomUUID(),
        identifier: 'a trusted device',
        value: account.id,
        expiresAt: addMs(now, 86_400_000),
      })
      .execute();
    expect((await reset(await resetLink(email))).statusCode).toBe(200);
    for (const browser of [stranger, elsewhere])
      expect((await browser.post('/access-token')).statusCode).toBe(401);
    const left = await Promise.all(
      (['sessions', 'passkeys', 'second_factors'] as const).map((table) =>
        app.db.selectFrom(table).select('id').where('accountId', '=', account.id).execute(),
      ),
    );
    expect(left).toEqual([[], [], []]);
    const ways = app.db.selectFrom('credentials').select('providerId').where('accountId', '=', account.id);
    expect(await ways.execute()).toEqual([{ providerId: 'credential' }]);
    const links = app.db.selectFrom('verifications').select('id').where('value', '=', account.id);
    expect(await links.execute()).toEqual([]);
    expect((await app.raw({ url: new URL(feed.url).pathname })).statusCode).toBe(404);
    const { user } = (await browser().post('/sign-in/email', { email, password: newPassword })).json();
    expect(user).toMatchObject({ id: account.id, emailVerified: true });
  });

  it('is verified only by proof, not by a claim', async () => {
    const { email } = await opened();
    const statements = [
      app.db.updateTable('accounts').set({ emailVerified: true }).where('email', '=', email),
      app.db
        .updateTable('accounts')
        .set({ email: newEmail(), emailVerified: true })
        .where('email', '=', email),
    ];
    for (const statement of statements)
      await expect(statement.execute()).rejects.toMatchObject({ constraint: 'accounts_proven_mailbox' });
  });

  it('stays unverified while the owner neither signs in nor replaces the password', async () => {
    const { email, stranger, token } = await opened();
    expect((await browser().post('/verify-email', { token })).json()).toEqual({ signInFirst: email });
    expect((await stranger.post('/access-token')).json().user.emailVerified).toBe(false);
  });

  it('keeps password and sessions of someone who follows the link where they signed up', async () => {
    const { email, stranger: own, elsewhere, token } = await opened();
    expect((await own.post('/verify-email', { token })).json()).toEqual({});
    for (const page of [own, elsewhere])
      expect((await page.post('/access-token')).json().user.emailVerified).toBe(true);
    expect((await browser().post('/sign-in/email', { email, password })).statusCode).toBe(200);
  });

  it('keeps them in another browser after the password of the sign-up', async () => {
    const { email, stranger: own, token } = await opened();
    const phone = browser();
    await phone.post('/verify-email', { token });
    expect((await phone.post('/sign-in/email', { email, password })).statusCode).toBe(200);
    expect((await phone.post('/verify-email', { token })).json()).toEqual({});
    for (const page of [own, phone])
      expect((await page.post('/access-token')).json().user.emailVerified).toBe(true);
  });
});

describe('a session', () => {
  const cookieOf = (page: TestBrowser) =>
    decodeURIComponent([...page.cookies].find(([name]) => name.includes('session_token'))?.[1] ?? '');
  const rowsOf = (accountId: string) =>
    app.db.selectFrom('sessions').selectAll().where('accountId', '=', accountId).execute();

  it("is stored as a hash of its token, which can't sign in", async () => {
    const { id, page } = await owner();
    const [token = ''] = cookieOf(page).split('.');
    expect(token).toHaveLength(32);
    const [row] = await rowsOf(id);
    expect(JSON.stringify(row)).not.toContain(token);
    expect((await page.post('/access-token')).statusCode).toBe(200);
    const thief = browser();
    for (const [name, value] of page.cookies)
      thief.cookies.set(name, value.replace(token, row?.tokenHash ?? ''));
    expect((await thief.post('/access-token')).statusCode).toBe(401);
  });

  it('is renewed on use, up to 90 days', async () => {
    const { id, page } = await owner();
    const day = 86_400_000;
    const now = app.clock.now().getTime();
    const began = new Date(now - 80 * day);
    await app.db
      .updateTable('sessions')
      .set({ createdAt: began, expiresAt: new Date(now + 5 * day) })
      .where('accountId', '=', id)
      .execute();
    expect((await page.post('/access-token')).statusCode).toBe(200);
    const [row] = await rowsOf(id);
    expect(row?.expiresAt).toEqual(addMs(began, 90 * day));
  });
});

describe('what opens without a session', () => {
  it('ends when its owner signs out of every device', async () => {
    const { email, page, feedStatus, statement } = await owner();
    const elsewhere = browser();
    const { token } = (await elsewhere.post('/sign-in/email', { email, password })).json();
    const { path } = await app.apiAs(token).downloads.statement({ format: 'csv' });
    expect((await page.post('/sign-out')).statusCode).toBe(200);
    expect([await feedStatus(), await statement()]).toEqual([404, 403]);
    expect((await app.raw({ url: `/api${path}` })).json().code).toBe('file/link-expired');
  });

  it('ends when its owner signs out all other devices', async () => {
    const { email, api, feedStatus, statement } = await owner();
    const { token } = (await browser().post('/sign-in/email', { email, password })).json();
    const { path } = await app.apiAs(token).downloads.statement({ format: 'csv' });
    await api.sessions.endOthers();
    expect(await feedStatus()).toBe(404);
    expect((await app.raw({ url: `/api${path}` })).statusCode).toBe(403);
    // This device stays signed in, so its link still works.
    expect(await statement()).toBe(200);
  });
});

describe('characters that the database cannot hold', () => {
  it('in tokens, codes and cookies are rejected without an internal error', async () => {
    const odd = ['\u0000', 'a\u0000b', '\u0007', '\ud800', '%00', 'a b'];
    for (const token of odd) {
      expect((await reset(token)).json()).toMatchObject(dead);
      expect((await browser().post('/verify-email', { token })).json()).toMatchObject(dead);
      for (const verb of ['confirm', 'undo'] as const) {
        const refused = await failure(app.apiAs(null).emailChange[verb]({ token }));
        expect(refused.status, `${verb} ${JSON.stringify(token)}`).toBe(400);
      }
    }
    for (const cookie of ['%', '%00.x', '%ff.%ff']) {
      const answer = await browser().post(
        '/sign-in/second-step',
        { code: '123\u0000', recovery: false, trustDevice: false },
        { cookie: `nearhand.two_factor=${cookie}` },
      );
      expect(answer.json().code).toBe('auth/invalid-multi-factor-session');
    }
  });

  it('in addresses return a regular error', async () => {
    for (const url of ['/api/jobs/%', '/api/jobs/%ff', '/api/%c0']) {
      const answer = await app.raw({ url });
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({ code: 'request/invalid', requestId: expect.any(String) });
    }
  });
});

describe('a new password', () => {
  const refused = { code: 'auth/password-does-not-meet-requirements' };

  it("can't be a common one or the address", async () => {
    for (const common of ['123456', 'qwerty', 'Password', 'iloveyou', 'trustno1']) {
      const answer = await browser().post('/sign-up/email', { email: newEmail(), password: common });
      expect([answer.statusCode, answer.json()]).toMatchObject([400, refused]);
    }
    const email = newEmail();
    for (const own of [email, email.toUpperCase(), email.split('@')[0]])
      expect((await browser().post('/sign-up/email', { email, password: own })).json()).toMatchObject(
        refused,
      );
    expect((await browser().post('/sign-up/email', { email, password: 'abc xy' })).statusCode).toBe(200);
  });

  it("can't be one of our words or the owner's name with a few extra characters", async () => {
    const email = `jamila.${newEmail()}`;
    for (const own of ['nearhand2026', 'N3arhand-1', 'Worker123456', 'jamila1990', 'J4mila!!']) {
      const answer = await browser().post('/sign-up/email', { email, password: own });
      expect([own, answer.statusCode, answer.json()]).toMatchObject([own, 400, refused]);
    }
    const answer = await browser().post('/sign-up/email', { email, password: 'nearhand-lamp-door' });
    expect(answer.statusCode).toBe(200);
  });

  it("can't be the old one, by a link or in the settings", async () => {
    const { email, page } = await owner();
    const change = (next: string) =>
      page.post('/change-password', { currentPassword: password, newPassword: next });
    for (const bad of [password, 'qwerty', email]) expect((await change(bad)).json()).toMatchObject(refused);
    const token = await resetLink(email);
    for (const bad of [password, 'qwerty', email])
      expect((await browser().post('/reset-password', { token, newPassword: bad })).json()).toMatchObject(
        refused,
      );
    expect((await reset(token)).statusCode).toBe(200);
  });
});
