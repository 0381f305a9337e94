import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../config/config.ts';
import { registerAuthPages } from './auth-pages.ts';

const config = readConfig({
  IDENTITY_PROVIDER: 'firebase',
  FIREBASE_PROJECT_ID: 'nearhand-test',
  FIREBASE_API_KEY: 'a-web-api-key',
  FIREBASE_AUTH_EMULATOR: 'http://127.0.0.1:9099',
});

function serve(answer: () => Promise<Response>, settings = config) {
  const requests: { url: string; init: RequestInit }[] = [];
  const app = Fastify();
  registerAuthPages(app, settings, async (url, init) => {
    requests.push({ url: url.href, init });
    return answer();
  });
  return { app, requests };
}
const page = async () =>
  new Response('<script>x</script>', { headers: { 'content-type': 'text/html', 'set-cookie': 'a=b' } });

describe("Firebase's sign-in pages", () => {
  it('are forwarded with their query, but without anything else from the caller', async () => {
    const { app, requests } = serve(page);
    const url = '/__/auth/handler?apiKey=a&providerId=google.com';
    const answer = await app.inject({
      url,
      headers: { cookie: 'session=secret', authorization: 'Bearer x' },
    });
    expect([answer.statusCode, answer.body]).toEqual([200, '<script>x</script>']);
    expect(answer.headers['content-security-policy']).toBe("frame-ancestors 'self'");
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(requests[0]?.url).toBe(`https://nearhand-test.firebaseapp.com${url}`);
    expect(Object.keys(requests[0]?.init.headers ?? {})).toEqual(['accept']);
  });

  it('forward a posted form, as Apple sends it', async () => {
    const { app, requests } = serve(page);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    await app.inject({ method: 'POST', url: '/__/auth/handler', headers, payload: 'code=1&state=2' });
    expect(requests[0]?.init).toMatchObject({ method: 'POST', body: 'code=1&state=2' });
  });

  it('are the only ones: any other path or host returns 404', async () => {
    const { app, requests } = serve(page);
    for (const url of ['/__/auth/../../secret', '/__/other/x', '/__/auth/%2e%2e/%2e%2e/x', '/secret'])
      expect((await app.inject({ url })).statusCode, url).toBe(404);
    expect(requests).toEqual([]);
    const builtIn = serve(page, readConfig({}));
    expect((await builtIn.app.inject({ url: '/__/auth/handler' })).statusCode).toBe(404);
  });

  it('are limited per minute and network', async () => {
    const { app, requests } = serve(page, { ...config, READS_PER_MINUTE: 2 });
    const ask = async (remoteAddress: string) =>
      (await app.inject({ url: '/__/auth/handler', remoteAddress })).statusCode;
    const ours = ['2001:db8::1', '2001:db8::2', '2001:db8::3'];
    const statuses = [];
    for (const address of ours) statuses.push(await ask(address));
    expect(statuses.filter((status) => status === 200)).toHaveLength(2);
    expect(await ask('203.0.113.1')).toBe(200);
    expect(requests).toHaveLength(3);
  });

  it('return a message when Firebase is unreachable', async () => {
    const { app } = serve(async () => {
      throw new TypeError('fetch failed');
    });
    const answer = await app.inject({ url: '/__/auth/iframe' });
    expect([answer.statusCode, answer.body]).toEqual([
      502,
      'Sign-in is not available right now. Try again later.',
    ]);
  });
});
