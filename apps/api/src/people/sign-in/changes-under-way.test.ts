import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import type { Tx } from '../../platform/db.ts';
import { signUpAccount } from '../accounts/accounts.fixtures.ts';
import { correctUnverifiedEmail } from '../accounts/accounts.ts';
import { TestAuthenticator } from '../passkeys/passkeys.fixtures.ts';
import { endSessions } from '../sessions/sessions.ts';
import { changeDuring, TestBrowser } from './browser.fixtures.ts';
import { deleteSignInSince, onPasswordChanged } from './credentials.ts';
import { accountConfirmedNow, codeOf } from './second-step.fixtures.ts';
import { deleteLinksOf } from './sign-in.sql.ts';

const app = useTestApp({ SIGN_INS_PER_MINUTE: '10000', MAILS_PER_DAY: '100' });
const password = 'correct horse';
let count = 0;
const newEmail = () => `racer${++count}@example.test`;
const browser = () => new TestBrowser(app.server, app.config.PUBLIC_URL);

async function mailedToken(email: string, action: 'reset' | 'verify'): Promise<string> {
  await app.runDue();
  const mail = app.mails.findLast(({ to, text }) => to === email && text.includes(`?${action}=`));
  return new URL(mail?.text.match(/https?:\S+/)?.[0] ?? '').searchParams.get(action) ?? '';
}

describe('a second step during a change of password', () => {
  it('rejects a sign-in that started with the old one', async () => {
    const email = newEmail();
    const id = await signUpAccount(app.db, app.clock, { email, name: 'Leila Haddad', password });
    const owner = browser();
    await owner.post('/sign-in/email', { email, password });
    const { uri } = (await owner.post('/second-step/start', { password })).json() as { uri: string };
    // The library reads the real clock.
    const code = (awayMs: number) => codeOf(uri, Date.now() + awayMs);
    expect((await owner.post('/second-step/confirm', { code: code(-30_000) })).statusCode).toBe(200);
    const stranger = browser();
    expect((await stranger.post('/sign-in/email', { email, password })).json()).toMatchObject({
      code: 'auth/multi-factor-auth-required',
    });
    const answer = await changeDuring(
      app.db,
      sql`lock table sessions in share row exclusive mode`,
      () => stranger.post('/sign-in/second-step', { code: code(0), recovery: false, trustDevice: true }),
      async (tx) => {
        const change = { kind: 'password-changed' as const, userAgent: '' };
        await onPasswordChanged(tx, app.scopeOf({ accountId: id }), { id, email }, change);
      },
    );
    expect([answer.statusCode, answer.json().code]).toEqual([401, 'auth/invalid-multi-factor-session']);
    const left = (table: 'sessions' | 'verifications', column: 'account_id' | 'value') =>
      app.db.selectFrom(table).select('id').where(sql.ref(column), '=', id).execute();
    expect([await left('sessions', 'account_id'), await left('verifications', 'value')]).toEqual([[], []]);
  });
});

describe('a passkey that is removed during its sign-in', () => {
  it('opens no session', async () => {
    app.clock.set(new Date());
    const email = newEmail();
    const id = await signUpAccount(app.db, app.clock, { email, name: 'Leila Haddad', password });
    const { token } = (await browser().post('/sign-in/email', { email, password })).json();
    await accountConfirmedNow(app, id);
    const { passkeys } = app.apiAs(token);
    const authenticator = new TestAuthenticator(app.config.PUBLIC_URL);
    await passkeys.add({ name: 'Pixel 9', answer: authenticator.create(await passkeys.startAdding()) });
    const stranger = browser();
    const answer = authenticator.answer((await stranger.post('/sign-in/passkey/options')).json());
    const refused = await changeDuring(
      app.db,
      sql`lock table sessions in share row exclusive mode`,
      () => stranger.post('/sign-in/passkey', { answer }),
      async (tx) => {
        await deleteSignInSince(tx, id, new Date(0));
        await endSessions(tx, id);
      },
    );
    expect([refused.statusCode, refused.json().code]).toEqual([401, 'auth/user-token-expired']);
    expect(await app.db.selectFrom('sessions').select('id').where('accountId', '=', id).execute()).toEqual(
      [],
    );
  });
});

describe('a mailed link during a correction of the address', () => {
  /** An account that nobody has verified, and the corrected address, which belongs to someone else. */
  async function unverified() {
    app.clock.set(new Date());
    const email = newEmail();
    const secondEmail = newEmail();
    const page = browser();
    await page.post('/sign-up/email', { email, password });
    await page.post('/send-verification-email');
    const { id } = await app.db
      .selectFrom('accounts')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    const correct = async (tx: Tx) => {
      expect(await correctUnverifiedEmail(tx, app.scopeOf({ accountId: id }), id, secondEmail)).toBe(true);
      await deleteLinksOf(tx, id);
    };
    const credentials = () =>
      app.db
        .selectFrom('accounts')
        .select(['email', 'emailVerified'])
        .where('id', '=', id)
        .executeTakeFirst();
    return { email, other: secondEmail, correct, stored: credentials };
  }

  it('rejects a link to the old address', async () => {
    const { email, other, correct, stored } = await unverified();
    const token = await mailedToken(email, 'verify');
    const answer = await changeDuring(
      app.db,
      null,
      () => browser().post('/verify-email', { token, replacePassword: true }),
      correct,
    );
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'auth/invalid-action-code']);
    expect(await stored()).toEqual({ email: other, emailVerified: false });
  });

  it('rejects a new password', async () => {
    const { email, other, correct, stored } = await unverified();
    await browser().post('/request-password-reset', { email });
    const token = await mailedToken(email, 'reset');
    const answer = await changeDuring(
      app.db,
      null,
      () => browser().post('/reset-password', { token, newPassword: 'battery staple' }),
      correct,
    );
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'auth/invalid-action-code']);
    expect(await stored()).toEqual({ email: other, emailVerified: false });
  });
});
