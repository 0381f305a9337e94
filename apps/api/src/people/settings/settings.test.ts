import { settingDefaults } from '@nearhand/contract/setting-defaults';
import { describe, expect, it } from 'vitest';
import { failure, useTestApp } from '../../../test/harness.ts';

const app = useTestApp({
  CONTACT_EMAIL: 'hello@nearhand.example',
  CHECK_IN_RADIUS_M: '300',
  COUNTER_ROUNDS: '5',
  LATE_CANCEL_HOURS: '0',
  MAP_TILES: 'https://tiles.example/planet',
  SETTLEMENT_BODY: 'Example Settlement Body',
  SETTLEMENT_BODY_URL: 'https://settlement.example',
});

describe('settings.get', () => {
  it("returns this server's settings and the defaults of the rest, to anyone", async () => {
    const settings = await app.apiAs(null).settings.get();
    expect(settings).toMatchObject({
      operator: 'Nearhand NV, Kouter 12, 9000 Gent, BE, BE0791348269, 0791.348.269, RPR Gent',
      contactEmail: 'hello@nearhand.example',
      mapHost: 'tiles.example',
      settlementBody: 'Example Settlement Body',
      settlementBodyUrl: 'https://settlement.example',
      checkInRadiusM: 300,
      counterRounds: 5,
      lateCancelHours: 0,
    });
    const {
      operator: _operator,
      contactEmail: _email,
      mapHost: _host,
      settlementBody: _body,
      settlementBodyUrl: _bodyUrl,
      checkInRadiusM: _ring,
      counterRounds: _rounds,
      lateCancelHours: _late,
      ...rest
    } = settings;
    expect(settingDefaults).toMatchObject(rest);
    expect(Object.keys(rest).length).toBeGreaterThan(10);
  });

  it('rejects a foreign token', async () => {
    expect(await failure(app.apiAs('x'.repeat(40)).settings.get())).toMatchObject({
      status: 401,
      code: 'session/expired',
    });
  });
});
