import { describe, expect, it } from 'vitest';
import { failure, useTestApp } from '../../../test/harness.ts';

const app = useTestApp();
const none = { appearance: null, units: null, clock: null, startSide: null, language: null };

describe('accountSettings.get', () => {
  it('returns no choices at first, to signed-in callers only', async () => {
    const { api } = await app.person({ verified: false });
    expect(await api.accountSettings.get()).toEqual(none);
    expect(await failure(app.apiAs(null).accountSettings.get())).toMatchObject({ status: 401 });
  });
});

describe('accountSettings.update', () => {
  it('changes one setting without the others, for the caller only', async () => {
    const leila = await app.person();
    const mo = await app.person();
    await leila.api.accountSettings.update({ appearance: 'dark', clock: '24' });
    expect(await leila.api.accountSettings.update({ units: 'miles', startSide: 'hire' })).toEqual({
      appearance: 'dark',
      clock: '24',
      units: 'miles',
      startSide: 'hire',
      language: null,
    });
    expect(await leila.api.accountSettings.update({ language: 'ar' })).toMatchObject({ language: 'ar' });
    expect(await leila.api.accountSettings.update({ clock: 'device' })).toMatchObject({
      clock: 'device',
      units: 'miles',
    });
    expect(await leila.api.accountSettings.update({})).toMatchObject({ appearance: 'dark' });
    expect(await mo.api.accountSettings.get()).toEqual(none);
  });

  it('keeps both of two concurrent changes', async () => {
    const { api } = await app.person();
    await Promise.all([
      api.accountSettings.update({ appearance: 'light' }),
      api.accountSettings.update({ units: 'km' }),
    ]);
    expect(await api.accountSettings.get()).toMatchObject({ appearance: 'light', units: 'km' });
  });

  it('works before the email is verified, and rejects guests and unknown values', async () => {
    const { token } = await app.person({ verified: false });
    const change = (payload: unknown, bearer: string | null = token) =>
      app.raw({
        method: 'PATCH',
        url: '/api/me/settings',
        headers: bearer === null ? {} : { authorization: `Bearer ${bearer}` },
        payload: payload as object,
      });
    expect((await change({ appearance: 'dark' })).statusCode).toBe(200);
    expect((await change({ appearance: 'dark' }, null)).statusCode).toBe(401);
    const odd = [
      { appearance: 'pink' },
      { units: 'm' },
      { clock: 24 },
      { startSide: null },
      { clock: '\0' },
      { language: 'xx' },
    ];
    for (const wrong of odd) {
      const response = await change(wrong);
      expect([response.statusCode, response.json().code]).toEqual([400, 'request/invalid']);
    }
  });
});
