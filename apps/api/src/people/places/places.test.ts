import { describe, expect, it } from 'vitest';
import { failure, useTestApp } from '../../../test/harness.ts';

const app = useTestApp({ MAP_START: '40.7127,-74.0059,New York, City Hall Park' });

describe('places.mapSettings', () => {
  it('returns where a map starts, to anyone', async () => {
    expect(await app.apiAs(null).places.mapSettings()).toEqual({
      styleUrl: null,
      tiles: null,
      addressSearch: false,
      travelTimes: false,
      start: { lat: 40.7127, lng: -74.0059, label: 'New York, City Hall Park' },
    });
  });

  it('rejects a foreign token, with a code', async () => {
    const refused = await failure(app.apiAs('x'.repeat(40)).places.mapSettings());
    expect(refused).toMatchObject({ status: 401, code: 'session/expired' });
    expect(refused.requestId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('returns 404 with a code for an unknown operation', async () => {
    const response = await app.raw({ method: 'GET', url: '/api/nothing-here' });
    expect(response.statusCode).toBe(404);
    expect(response.json()).toMatchObject({ code: 'request/unknown-operation' });
  });
});
