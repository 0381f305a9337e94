import { termsInForce } from '@nearhand/contract/people/profile-choices';
import { describe, expect, it } from 'vitest';
import { failure, useTestApp } from '../../../test/harness.ts';
import { makeMember } from '../businesses/businesses.fixtures.ts';

const app = useTestApp();

describe('accounts.me', () => {
  it("returns the caller's account, verified or not", async () => {
    const { api, accountId, email } = await app.person({ verified: false });
    expect(await api.accounts.me()).toEqual({
      id: accountId,
      email,
      emailVerified: false,
      name: 'Leila Haddad',
      intent: null,
      returnTo: null,
      createdAt: expect.any(String),
      termsAccepted: null,
      termsInForce,
      memberships: [],
      restrictions: [],
      unreadNotifications: 0,
      photoPath: null,
    });
  });

  it('rejects a caller without a session', async () => {
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
      countryCode: 'NL',
      lat: 52,
      lng: 4,
      timeZone: 'Europe/Amsterdam',
    };
    const at = app.clock.now();
    await app.db
      .insertInto('businesses')
      .values({
        id: businessId,
        status: 'draft',
        name: 'De Kade',
        legalName: 'De Kade BV',
        category: 'hospitality',
        ...row,
        currency: 'EUR',
        createdAt: at,
        updatedAt: at,
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
    expect(await api.accounts.update({ name: '  ليلى ' })).toMatchObject({
      intent: 'both',
      name: 'ليلى',
    });
    expect(await api.accounts.update({})).toMatchObject({ name: 'ليلى' });
  });

  it('strips invisible characters from a name', async () => {
    const { api } = await app.person();
    expect(await api.accounts.update({ name: 'Nad\u200Bia Z\u00ADoutman' })).toMatchObject({
      name: 'Nadia Zoutman',
    });
    for (const name of ['\u3164', '\u2800', 'a\u2028b'])
      expect((await failure(api.accounts.update({ name }))).code).toBe('request/invalid');
  });

  it('stores the intent and return path before the email is verified, for every session', async () => {
    const { api } = await app.person({ verified: false });
    await api.accounts.update({ intent: 'hire', returnTo: '/job-desc/1?s=qr' });
    expect(await api.accounts.me()).toMatchObject({ intent: 'hire', returnTo: '/job-desc/1?s=qr' });
    expect(await api.accounts.update({ intent: 'work' })).toMatchObject({ returnTo: '/job-desc/1?s=qr' });
    expect(await api.accounts.update({ returnTo: null })).toMatchObject({ intent: 'work', returnTo: null });
  });

  it('rejects a return path outside the app', async () => {
    const { token } = await app.person();
    for (const returnTo of [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example',
      '',
      '/a\u0000',
      `/${'x'.repeat(1_000)}`,
      7,
    ]) {
      const response = await app.raw({
        method: 'PATCH',
        url: '/api/accounts/me',
        headers: { authorization: `Bearer ${token}` },
        payload: { returnTo } as never,
      });
      expect([response.statusCode, response.json().code]).toEqual([400, 'request/invalid']);
    }
  });

  it('rejects guests and invalid names', async () => {
    expect((await failure(app.apiAs(null).accounts.update({}))).status).toBe(401);
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
