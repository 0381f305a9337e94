import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { mapTilesSource } from '../config/config-places.ts';

import { registerSecurityHeaders } from './security-headers.ts';

const app = useTestApp({ MAP_STYLE_URL: 'https://tiles.example/style.json' });

describe('security headers', () => {
  it('keep browsers on HTTPS for a year, when the server is reached by it', async () => {
    const server = Fastify();
    await registerSecurityHeaders(server, { ...app.config, PUBLIC_URL: 'https://nearhand.test' }, '/data');
    server.get('/', async () => '');
    server.get('/data', async () => ({}));
    for (const url of ['/', '/data'])
      expect((await server.inject(url)).headers['strict-transport-security']).toMatch(/^max-age=31536000/);
    await server.close();
  });

  it.each(['/api/places/map-settings', '/api/nothing'])(
    'for JSON are only those that browsers apply to data: %s',
    async (url) => {
      const { headers } = await app.raw({ url });
      expect(headers).toMatchObject({
        'content-type': expect.stringContaining('application/json'),
        'content-security-policy': "default-src 'none';frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
      });
      const names = [
        'x-ratelimit-limit',
        'x-frame-options',
        'referrer-policy',
        'cross-origin-opener-policy',
        'x-xss-protection',
      ];
      expect(Object.keys(headers).filter((name) => names.includes(name))).toEqual([]);
    },
  );

  it.each(['/health/live', '/api/docs/', '/nothing'])('for documents are on %s', async (url) => {
    const { headers } = await app.raw({ url });
    expect(headers['content-security-policy']).toContain("default-src 'self';script-src 'self'");
    expect(headers['content-security-policy']).toContain('https://tiles.example');
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(headers).not.toHaveProperty('strict-transport-security');
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('keep caches from storing personal API responses and failures', async () => {
    const { token } = await app.person();
    const headers = { authorization: `Bearer ${token}` };
    for (const url of [
      '/api/accounts/me',
      '/api/balance',
      '/api/conversations',
      '/api/jobs/nearby',
      '/api/nothing',
    ])
      expect((await app.raw({ url, headers })).headers['cache-control'], url).toBe('no-store');
  });

  it.each([
    ['https://tiles.example/planet', "connect-src 'self' https://tiles.example;"],
    ['https://tiles.example/a/town.pmtiles', "connect-src 'self' https://tiles.example;"],
    [undefined, "connect-src 'self';"],
  ])('allow the map to load only its tiles: %s', async (tiles, expected) => {
    const server = Fastify();
    const { MAP_STYLE_URL: _, ...config } = app.config;
    const MAP_TILES = tiles ? (mapTilesSource(tiles) ?? undefined) : undefined;
    await registerSecurityHeaders(server, { ...config, MAP_STYLE_URL: undefined, MAP_TILES });
    server.get('/', async () => '');
    const { headers } = await server.inject('/');
    expect(headers['content-security-policy']).toContain(expected);
    await server.close();
  });
});
