import { describe, expect, it, vi } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { signUpAccount } from '../accounts/accounts.fixtures.ts';
import { TestBrowser } from './browser.fixtures.ts';

const app = useTestApp({ SIGN_INS_PER_MINUTE: '10000', MAILS_PER_DAY: '100' });
const password = 'correct horse';
const newPassword = 'battery staple';

function refuseAfter(connections: number) {
  const connect = app.pool.connect.bind(app.pool) as () => Promise<unknown>;
  let count = 0;
  return vi.spyOn(app.pool, 'connect').mockImplementation((async () => {
    count += 1;
    if (count <= connections) return connect();
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  }) as never);
}

describe('sign-in while the database is away', () => {
  it('returns 503 with a retry time at every step, never 500', async () => {
    const email = 'away@example.test';
    await signUpAccount(app.db, app.clock, { email, name: 'Leila Haddad', password });
    const page = new TestBrowser(app.server, app.config.PUBLIC_URL);
    expect((await page.post('/sign-in/email', { email, password })).statusCode).toBe(200);
    const calls: [string, unknown][] = [
      ['/access-token', {}],
      ['/sign-in/email', { email, password: 'wrong horse' }],
      ['/sign-in/email', { email, password }],
      ['/sign-up/email', { email: 'new@example.test', password: newPassword }],
      ['/verify-password', { email, password }],
      ['/change-password', { currentPassword: password, newPassword }],
      ['/correct-email', { email: 'other@example.test' }],
      ['/send-verification-email', {}],
      ['/request-password-reset', { email }],
      ['/reset-password', { token: 'x', newPassword }],
      ['/second-step/start', { password }],
      ['/sign-in/second-step/methods', {}],
      ['/sign-in/passkey/options', {}],
      ['/sign-out', {}],
    ];
    const failures: string[] = [];
    let unavailable = 0;
    for (const [path, body] of calls)
      for (const connections of [0, 1, 2, 3, 5]) {
        const outage = refuseAfter(connections);
        const { statusCode, headers } = await page.post(path, body);
        outage.mockRestore();
        if (statusCode < 500) continue;
        if (statusCode === 503 && headers['retry-after'] === '5') unavailable += 1;
        else failures.push(`${path} after ${connections}: ${statusCode} ${headers['retry-after']}`);
      }
    // The library prints the errors it wraps.
    vi.mocked(console.error).mockClear();
    expect(failures).toEqual([]);
    expect(unavailable).toBeGreaterThan(calls.length);
  });
});
