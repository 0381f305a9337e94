import { termsInForce } from '@nearhand/contract/people/profile-choices';
import { describe, expect, it } from 'vitest';
import { failure, useTestApp } from '../../../test/harness.ts';

const app = useTestApp();

describe('termsOfUse.accepted', () => {
  it('lists the versions with their dates, newest first, and only the caller’s own', async () => {
    const { api, accountId } = await app.person();
    expect(await api.termsOfUse.accepted()).toEqual([]);
    await app.db
      .insertInto('terms_acceptances')
      .values({ accountId, version: '2025-01-01', acceptedAt: new Date('2025-02-03T04:05:06Z') })
      .execute();
    await api.termsOfUse.accept({ version: termsInForce });
    expect(await api.termsOfUse.accepted()).toEqual([
      { version: termsInForce, acceptedAt: app.clock.now().toISOString(), inForce: true },
      { version: '2025-01-01', acceptedAt: '2025-02-03T04:05:06.000Z', inForce: false },
    ]);
    expect(await (await app.person()).api.termsOfUse.accepted()).toEqual([]);
  });
});

describe('termsOfUse.accept', () => {
  it('records the version in force, once, and replays', async () => {
    const { token, accountId } = await app.person();
    const api = app.apiAs(token, { 'idempotency-key': 'accept-the-terms' });
    const first = await api.termsOfUse.accept({ version: termsInForce });
    expect(first.termsAccepted).toBe(termsInForce);
    expect(await api.termsOfUse.accept({ version: termsInForce })).toEqual(first);
    await app.apiAs(token).termsOfUse.accept({ version: termsInForce });
    const rows = await app.db
      .selectFrom('terms_acceptances')
      .selectAll()
      .where('accountId', '=', accountId)
      .execute();
    expect(rows).toHaveLength(1);
  });

  it('works before the email is verified', async () => {
    const { api } = await app.person({ verified: false });
    expect((await api.termsOfUse.accept({ version: termsInForce })).termsAccepted).toBe(termsInForce);
  });

  it('rejects another version and guests', async () => {
    const { api } = await app.person();
    expect(await failure(api.termsOfUse.accept({ version: '1999-01-01' }))).toMatchObject({
      status: 400,
      code: 'request/invalid',
    });
    expect((await failure(app.apiAs(null).termsOfUse.accept({ version: termsInForce }))).status).toBe(401);
  });
});
