import { limits } from '@nearhand/contract/limits';
import { describe, expect, it } from 'vitest';
import { failure, useTestApp } from '../../../test/harness.ts';

const app = useTestApp({ CHECK_IN_RADIUS_M: '300', COUNTER_ROUNDS: '5', LATE_CANCEL_HOURS: '0' });

describe('settings.get', () => {
  it("returns this server's settings and the defaults of the rest, to anyone", async () => {
    const settings = await app.apiAs(null).settings.get();
    expect(settings).toMatchObject({ checkInRadiusM: 300, counterRounds: 5, lateCancelHours: 0 });
    const { checkInRadiusM: _ring, counterRounds: _rounds, lateCancelHours: _late, ...rest } = settings;
    expect(limits).toMatchObject(rest);
    expect(Object.keys(rest).length).toBeGreaterThan(10);
  });

  it('refuses a foreign token', async () => {
    expect(await failure(app.apiAs('x'.repeat(40)).settings.get())).toMatchObject({
      status: 401,
      code: 'session/expired',
    });
  });
});
