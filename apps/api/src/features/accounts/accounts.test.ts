import { termsInForce } from '@nearhand/contract/accounts';
import { describe, expect, it } from 'vitest';
import { failure, useTestApp } from '../../../test/harness.ts';
import { makeMember } from '../businesses/businesses.fixtures.ts';
import { TestBrowser } from './accounts.browser.fixtures.ts';
import { limitAttempt } from './accounts.limiter.ts';

const app = useTestApp({
  SIGN_INS_PER_MINUTE: '4',
  MAILS_PER_DAY: '5',
  FACEBOOK_CLIENT_ID: 'fb',
  FACEBOOK_CLIENT_SECRET: 'secret',
});

describe('accounts.signInOptions', () => {
  it('tells anyone which ways to sign in are configured', async () => {
    expect(await app.apiAs(null).accounts.signInOptions()).toEqual({
      provider: 'built-in',
      google: false,
      facebook: true,
      mailboxPath: '/dev/mailbox',
    });
  });
});

describe('accounts.me', () => {
  it('answers the own account, verified or not', async () => {
    const { api, accountId, email } = await app.person({ verified: false });
    expect(await api.accounts.me()).toEqual({
      id: accountId,
      email,
      emailVerified: false,
      name: 'Leila Haddad',
      intent: null,
      createdAt: expect.any(String),
      termsAccepted: null,
      termsInForce,
      memberships: [],
      unreadNotifications: 0,
      photoPath: null,
    });
  });

  it('refuses a caller without a session', async () => {
    expect(await failure(app.apiAs(null).accounts.me())).toMatchObject({
      status: 401,
      code: 'session/required',
    });
  });

  it('lists the businesses the account is a member of', async () => {
    const { api, accountId } = await app.person();
    const businessId = crypto.randomUUID();
    const row = {
      address: 'Kade 1',
      area: 'Centre',
      country_code: 'NL',
      lat: 52,
      lng: 4,
      time_zone: 'Europe/Amsterdam',
    };
    const at = app.clock.now();
    await app.db
      .insertInto('businesses')
      .values({
        ...{
          id: businessId,
          status: 'draft',
          name: 'De Kade',
          legal_name: 'De Kade BV',
          category: 'hospitality',
        },
        ...{ ...row, currency: 'EUR', created_at: at, updated_at: at },
      })
      .execute();
    await makeMember(app.db, app.clock, businessId, accountId, 'owner');
    expect((await api.accounts.me()).memberships).toEqual([
      { businessId, name: 'De Kade', role: 'owner', status: 'draft', logoPath: null },
    ]);
  });
});

describe('accounts.update', () => {
  it('changes name and intent, one without the other', async () => {
    const { api } = await app.person();
    expect(await api.accounts.update({ intent: 'both' })).toMatchObject({
      intent: 'both',
      name: 'Leila Haddad',
    });
    expect(await api.accounts.update({ name: '  ليلى 🌿 ' })).toMatchObject({
      intent: 'both',
      name: 'ليلى 🌿',
    });
    expect(await api.accounts.update({})).toMatchObject({ name: 'ليلى 🌿' });
  });

  it('refuses strangers, the unverified, and names that are none', async () => {
    expect((await failure(app.apiAs(null).accounts.update({}))).status).toBe(401);
    const { api: unverified } = await app.person({ verified: false });
    expect(await failure(unverified.accounts.update({ name: 'X' }))).toMatchObject({
      status: 403,
      code: 'session/email-not-verified',
    });
    const { token } = await app.person();
    for (const name of ['', '   ', 'a\u0000b', 'two\nlines', '\ud800', 'x'.repeat(81), 7, null, {}]) {
      const response = await app.raw({
        method: 'PATCH',
        url: '/api/accounts/me',
        headers: { authorization: `Bearer ${token}` },
        payload: { name } as never,
      });
      expect([response.statusCode, response.json().code]).toEqual([400, 'request/invalid']);
    }
  });
});

describe('accounts.acceptTerms', () => {
  it('records the version in force, once, and replays', async () => {
    const { token, accountId } = await app.person();
    const api = app.apiAs(token, { 'idempotency-key': 'accept-the-terms' });
    const first = await api.accounts.acceptTerms({ version: termsInForce });
    expect(first.termsAccepted).toBe(termsInForce);
    expect(await api.accounts.acceptTerms({ version: termsInForce })).toEqual(first);
    await app.apiAs(token).accounts.acceptTerms({ version: termsInForce });
    const rows = await app.db
      .selectFrom('terms_acceptances')
      .selectAll()
      .where('account_id', '=', accountId)
      .execute();
    expect(rows).toHaveLength(1);
  });

  it('refuses another version, strangers and the unverified', async () => {
    const { api } = await app.person();
    expect(await failure(api.accounts.acceptTerms({ version: '1999-01-01' }))).toMatchObject({
      status: 400,
      code: 'request/invalid',
    });
    expect((await failure(app.apiAs(null).accounts.acceptTerms({ version: termsInForce }))).status).toBe(401);
    const { api: unverified } = await app.person({ verified: false });
    expect((await failure(unverified.accounts.acceptTerms({ version: termsInForce }))).status).toBe(403);
  });
});

describe('limits on signing in', () => {
  const from = (remoteAddress: string) => new TestBrowser(app.server, app.config.PUBLIC_URL, remoteAddress);
  const attempt = async (email: string, address: string) => {
    const response = await from(address).post('/sign-in/email', { email, password: 'wrong horse' });
    return response.json().code as string;
  };

  it('count by account, known or not, and let go after a minute', async () => {
    for (const email of [(await app.person()).email, 'stranger@example.test']) {
      for (let round = 0; round < 4; round += 1)
        expect(await attempt(email, `192.0.2.${round}`)).toBe('auth/invalid-credential');
      expect(await attempt(email.toUpperCase(), '192.0.2.99')).toBe('auth/too-many-requests');
    }
    app.clock.forward({ seconds: 61 });
    expect(await attempt('stranger@example.test', '192.0.2.99')).toBe('auth/invalid-credential');
  });

  it('count by address, and cannot be dodged by claiming another', async () => {
    app.clock.forward({ seconds: 61 });
    const codes = [];
    for (let round = 0; round < 13; round += 1)
      codes.push(await attempt(`person-${round}@x.test`, '198.51.100.7'));
    expect(codes.slice(0, 12)).not.toContain('auth/too-many-requests');
    expect(codes[12]).toBe('auth/too-many-requests');
    const dodging = await from('198.51.100.7').post(
      '/sign-in/email',
      { email: 'another@x.test', password: 'wrong horse' },
      { 'x-forwarded-for': '203.0.113.1', 'x-nearhand-address': '203.0.113.1' },
    );
    expect([dodging.statusCode, dodging.json().code]).toEqual([429, 'auth/too-many-requests']);
    expect(dodging.headers['retry-after']).toBe('60');
  });

  it('count all addresses of one network of IPv6 as one', async () => {
    app.clock.forward({ seconds: 61 });
    const codes = [];
    for (let round = 0; round < 13; round += 1)
      codes.push(await attempt(`neighbour-${round}@x.test`, `2001:db8:7:7::${round}`));
    expect(codes[12]).toBe('auth/too-many-requests');
    expect(await attempt('somebody@x.test', '2001:db8:7:8::1')).toBe('auth/invalid-credential');
  });

  it('count the sign-ups of a network by the day, since each brings limits of its own', async () => {
    const signUp = (round: number, address: string) =>
      limitAttempt(
        app.db,
        app.clock,
        { perMinute: 1, mailsPerDay: 20 },
        { kind: 'sign-up', account: `new-${round}@x.test`, address },
      );
    for (let round = 0; round < 30; round += 1) {
      app.clock.forward({ seconds: 61 });
      await signUp(round, `2001:db8:9:9::${round}`);
    }
    app.clock.forward({ seconds: 61 });
    await expect(signUp(30, '2001:db8:9:9::a')).rejects.toMatchObject({ code: 'auth/too-many-requests' });
    await signUp(31, '2001:db8:9:a::1');
    app.clock.forward({ hours: 25 });
    await signUp(32, '2001:db8:9:9::1');
  });

  it('count mail apart, and name nobody in the table', async () => {
    app.clock.forward({ seconds: 61 });
    const ask = async () =>
      (await from('203.0.113.9').post('/request-password-reset', { email: 'leila@x.test' })).statusCode;
    expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 429]);
    expect(await attempt('leila@x.test', '203.0.113.9')).toBe('auth/invalid-credential');
    expect(JSON.stringify(await app.db.selectFrom('sign_in_limits').selectAll().execute())).not.toContain(
      '@',
    );
  });

  it('count mail by the day as well, whoever asks for it, and say when more may be sent', async () => {
    app.clock.forward({ hours: 25 });
    let asked = 0;
    const ask = async (email = 'nadia@x.test') => {
      app.clock.forward({ minutes: 2 });
      asked += 1;
      return from(`198.51.100.${asked}`).post('/request-password-reset', { email });
    };
    for (let round = 0; round < app.config.MAILS_PER_DAY; round += 1)
      expect((await ask('Nadia@x.test')).statusCode).toBe(200);
    const over = await ask();
    expect([over.statusCode, over.json().code]).toEqual([429, 'auth/too-many-requests']);
    const minutes = app.config.MAILS_PER_DAY * 2;
    expect(over.headers['retry-after']).toBe(String(86_400 - minutes * 60));
    expect((await ask('another@x.test')).statusCode).toBe(200);
    app.clock.forward({ hours: 24 });
    expect((await ask()).statusCode).toBe(200);
  });
});
