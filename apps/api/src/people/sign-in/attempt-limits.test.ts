import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { signUpAccount } from '../accounts/accounts.fixtures.ts';
import { limitAttempt } from './attempt-limits.ts';
import { TestBrowser } from './browser.fixtures.ts';

const app = useTestApp({
  SIGN_INS_PER_MINUTE: '4',
  MAILS_PER_DAY: '5',
  FACEBOOK_CLIENT_ID: 'fb',
  FACEBOOK_CLIENT_SECRET: 'secret',
});

describe('signIn.options', () => {
  it('returns the configured ways to sign in, to anyone', async () => {
    expect(await app.apiAs(null).signIn.options()).toEqual({
      provider: 'built-in',
      google: false,
      facebook: true,
      apple: false,
      openId: null,
      firebase: null,
      mailboxPath: '/dev/mailbox',
    });
  });
});

describe('sign-in limits', () => {
  const from = (remoteAddress: string) => new TestBrowser(app.server, app.config.PUBLIC_URL, remoteAddress);
  const attempt = async (email: string, address: string) => {
    const response = await from(address).post('/sign-in/email', { email, password: 'wrong horse' });
    return response.json().code as string;
  };

  it('apply per account, existing or not, and expire after a minute', async () => {
    for (const email of [(await app.person()).email, 'stranger@example.test']) {
      for (let round = 0; round < 4; round += 1)
        expect(await attempt(email, `192.0.2.${round}`)).toBe('auth/invalid-credential');
      expect(await attempt(email.toUpperCase(), '192.0.2.99')).toBe('auth/too-many-requests');
    }
    app.clock.forward({ seconds: 61 });
    expect(await attempt('stranger@example.test', '192.0.2.99')).toBe('auth/invalid-credential');
  });

  it('hash for a known device before a crowd of strangers, and reject those beyond the queue', async () => {
    app.clock.forward({ seconds: 61 });
    const email = 'regular@x.test';
    const password = 'correct horse';
    await signUpAccount(app.db, app.clock, { email, name: 'Leila Haddad', password });
    const own = from('192.0.2.201');
    expect((await own.post('/sign-in/email', { email, password })).statusCode).toBe(200);
    let hashed = 0;
    const crowd = Array.from({ length: 48 }, async (_, n) => {
      const stranger = { email: `stranger-${n}@x.test`, password: 'wrong horse' };
      const response = await from(`198.51.${n}.1`).post('/sign-in/email', stranger);
      if (response.statusCode === 401) hashed += 1;
      return response;
    });
    // Callers who don't fit into the queue of password checks are refused before the first check ends.
    const refused = await Promise.race(crowd);
    expect([refused.statusCode, refused.json().code]).toEqual([503, 'auth/quota-exceeded']);
    expect(refused.headers['retry-after']).toBe('5');
    expect((await app.apiAs(null).signIn.options()).provider).toBe('built-in');
    expect(hashed).toBeLessThan(8);
    expect((await own.post('/sign-in/email', { email, password })).statusCode).toBe(200);
    expect(hashed).toBeLessThan(16);
    const statuses = (await Promise.all(crowd)).map(({ statusCode }) => statusCode);
    expect([...new Set(statuses)].sort()).toEqual([401, 503]);
    expect(hashed).toBeGreaterThanOrEqual(32);
  });

  it("spare an account's known devices and sessions, and notify its owner once a day", async () => {
    app.clock.forward({ seconds: 61 });
    const email = 'owner@x.test';
    const password = 'correct horse';
    await signUpAccount(app.db, app.clock, { email, name: 'Leila Haddad', password });
    const own = from('192.0.2.200');
    expect((await own.post('/sign-in/email', { email, password })).statusCode).toBe(200);
    const lock = async () => {
      let code = '';
      for (let round = 0; round < 6; round += 1) code = await attempt(email, `192.0.2.${round}`);
      expect(code).toBe('auth/too-many-requests');
    };
    await lock();
    expect((await own.post('/verify-password', { email, password })).statusCode).toBe(200);
    expect((await own.post('/sign-in/email', { email, password })).statusCode).toBe(200);
    expect((await own.post('/request-password-reset', { email })).statusCode).toBe(200);
    // A signed-in person has a separate limit, even on an unknown device.
    const unknown = from('192.0.2.202');
    for (const [name, value] of own.cookies)
      if (name !== 'nearhand.devices') unknown.cookies.set(name, value);
    expect((await unknown.post('/verify-password', { email, password })).statusCode).toBe(200);
    const guessed = [];
    for (let round = 0; round < 4; round += 1)
      guessed.push((await unknown.post('/verify-password', { email, password: 'wrong horse' })).statusCode);
    expect(guessed.at(0)).not.toBe(429);
    expect(guessed.at(-1)).toBe(429);
    // Another account's cookie, or a forged one, does not make a device known.
    const forged = from('192.0.2.201');
    for (const [name, value] of own.cookies)
      if (name === 'nearhand.devices') forged.cookies.set(name, `${value.slice(0, 23)}${'A'.repeat(22)}`);
    expect((await forged.post('/sign-in/email', { email, password })).statusCode).toBe(429);
    // The device's own attempts are limited too.
    app.clock.forward({ seconds: 61 });
    const codes = [];
    for (let round = 0; round < 5; round += 1)
      codes.push((await own.post('/sign-in/email', { email, password: 'wrong horse' })).statusCode);
    expect(codes).toEqual([401, 401, 401, 401, 429]);
    app.clock.forward({ seconds: 61 });
    await lock();
    await app.runDue();
    const told = app.mails.filter(({ to, subject }) => to === email && subject.startsWith('Too many wrong'));
    expect(told).toHaveLength(1);
  });

  it.each([
    ['a /56 of IPv6', 2, (n: number) => `2001:db8:1:${(0x100 + n).toString(16)}::1`, '2001:db8:1:200::1'],
    ['a /48 of IPv6', 4, (n: number) => `2001:db8:2:${(n * 0x100).toString(16)}::1`, '2001:db8:3::1'],
    ['a /24 of IPv4', 16, (n: number) => `198.51.100.${n}`, '198.51.101.1'],
  ])('treat %s as one network', async (_name, share, address, elsewhere) => {
    app.clock.forward({ seconds: 61 });
    const max = 4 * 3 * share;
    const code = (n: number, from = address(n)) =>
      limitAttempt(
        app.db,
        app.clock,
        { perMinute: 4, mailsPerDay: 5 },
        { kind: 'sign-in', account: `wide${n}.${share}@x.test`, address: from },
      ).then(
        () => null,
        (failure: { code: string }) => failure.code,
      );
    for (let n = 0; n < max; n += 1) expect(await code(n), `${n}`).toBeNull();
    expect(await code(max)).toBe('auth/too-many-requests');
    expect(await code(max + 1, elsewhere)).toBeNull();
  });

  it("apply per address, which can't be spoofed", async () => {
    app.clock.forward({ seconds: 61 });
    const codes = [];
    for (let round = 0; round < 13; round += 1)
      codes.push(await attempt(`person-${round}@x.test`, '198.51.100.7'));
    expect(codes.slice(0, 12)).not.toContain('auth/too-many-requests');
    expect(codes[12]).toBe('auth/too-many-requests');
    const dodging = await from('198.51.100.7').post(
      '/sign-in/email',
      { email: 'another@x.test', password: 'wrong horse' },
      { 'x-forwarded-for': '203.0.113.1', 'x-nearhand-address': '203.0.113.1' },
    );
    expect([dodging.statusCode, dodging.json().code]).toEqual([429, 'auth/too-many-requests']);
    expect(dodging.headers['retry-after']).toBe('60');
  });

  it('treat an IPv6 network as one address', async () => {
    app.clock.forward({ seconds: 61 });
    const codes = [];
    for (let round = 0; round < 13; round += 1)
      codes.push(await attempt(`neighbour-${round}@x.test`, `2001:db8:7:7::${round}`));
    expect(codes[12]).toBe('auth/too-many-requests');
    expect(await attempt('somebody@x.test', '2001:db8:7:8::1')).toBe('auth/invalid-credential');
  });

  it("apply to a network's sign-ups per day, since each has its own limits", async () => {
    const signUp = (round: number, address: string) =>
      limitAttempt(
        app.db,
        app.clock,
        { perMinute: 1, mailsPerDay: 20 },
        { kind: 'sign-up', account: `new-${round}@x.test`, address },
      );
    for (let round = 0; round < 30; round += 1) {
      app.clock.forward({ seconds: 61 });
      await signUp(round, `2001:db8:9:9::${round}`);
    }
    app.clock.forward({ seconds: 61 });
    await expect(signUp(30, '2001:db8:9:9::a')).rejects.toMatchObject({ code: 'auth/too-many-requests' });
    await signUp(31, '2001:db8:9:a::1');
    app.clock.forward({ hours: 25 });
    await signUp(32, '2001:db8:9:9::1');
  });

  it('apply to mail separately, and store no identities', async () => {
    app.clock.forward({ seconds: 61 });
    const ask = async () =>
      (await from('203.0.113.9').post('/request-password-reset', { email: 'leila@x.test' })).statusCode;
    expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 429]);
    expect(await attempt('leila@x.test', '203.0.113.9')).toBe('auth/invalid-credential');
    expect(JSON.stringify(await app.db.selectFrom('sign_in_limits').selectAll().execute())).not.toContain(
      '@',
    );
  });

  it('apply to mail per day too, for any requester, and return when more is possible', async () => {
    app.clock.forward({ hours: 25 });
    let requestCount = 0;
    const ask = async (email = 'nadia@x.test') => {
      app.clock.forward({ minutes: 2 });
      requestCount += 1;
      return from(`198.51.100.${requestCount}`).post('/request-password-reset', { email });
    };
    for (let round = 0; round < app.config.MAILS_PER_DAY; round += 1)
      expect((await ask('Nadia@x.test')).statusCode).toBe(200);
    const over = await ask();
    expect([over.statusCode, over.json().code]).toEqual([429, 'auth/too-many-requests']);
    const minutes = app.config.MAILS_PER_DAY * 2;
    expect(over.headers['retry-after']).toBe(String(86_400 - minutes * 60));
    expect((await ask('another@x.test')).statusCode).toBe(200);
    app.clock.forward({ hours: 24 });
    expect((await ask()).statusCode).toBe(200);
  });
});

describe('calls that need no limit of their own', () => {
  const limited = useTestApp({ READS_PER_MINUTE: '3' });
  it('are limited by network too', async () => {
    const renew = (remoteAddress: string) =>
      new TestBrowser(limited.server, limited.config.PUBLIC_URL, remoteAddress).post('/access-token');
    for (let round = 1; round <= 3; round += 1)
      expect((await renew(`2001:db8:7:7::${round}`)).statusCode).not.toBe(429);
    const refused = await renew('2001:db8:7:7::4');
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'auth/too-many-requests']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await renew('2001:db8:7:8::1')).statusCode).not.toBe(429);
  });
});
