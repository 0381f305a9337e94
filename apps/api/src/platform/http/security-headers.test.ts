import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';

const app = useTestApp({ MAP_STYLE_URL: 'https://tiles.example/style.json' });

describe('security headers', () => {
  it.each(['/health/live', '/api/places/map-settings', '/api/nothing', '/nothing'])(
    'are on %s',
    async (url) => {
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
    },
  );
});
