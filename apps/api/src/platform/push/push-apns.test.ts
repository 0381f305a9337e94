import { generateKeyPairSync } from 'node:crypto';
import { createServer, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { jwtVerify } from 'jose';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { notifyAll } from '../../talk/notifications/notifications.ts';
import { readConfig } from '../config/config.ts';
import { createApnsPush } from './push-apns.ts';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

type Received = { headers: Record<string, unknown>; body: unknown; claims: Record<string, unknown> };

const apple = {
  received: [] as Received[],
  answers: [] as { status: number; reason?: string; retryAfter?: string }[],
  sessions: new Set<ServerHttp2Session>(),
};
const server = createServer();
server.on('session', (session) => apple.sessions.add(session));
server.on('stream', async (stream, headers) => {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  const token = String(headers.authorization).replace(/^bearer /, '');
  const { payload, protectedHeader } = await jwtVerify(token, publicKey, {
    issuer: 'TEAM123456',
    currentDate: app.clock.now(),
  });
  const body: unknown = JSON.parse(Buffer.concat(parts).toString());
  apple.received.push({ headers, body, claims: { ...payload, kid: protectedHeader.kid } });
  const { status = 200, reason, retryAfter } = apple.answers.shift() ?? {};
  stream.respond({ ':status': status, ...(retryAfter ? { 'retry-after': retryAfter } : {}) });
  stream.end(reason ? JSON.stringify({ reason }) : '');
});

const app = useTestApp(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    APNS_TEAM_ID: 'TEAM123456',
    APNS_KEY_ID: 'KEY1234567',
    APNS_PRIVATE_KEY: pem.replaceAll('\n', '\\n'),
    APNS_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  };
});
afterAll(async () => {
  for (const session of apple.sessions) session.destroy();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  app.clock.set('2026-11-21T09:00:00Z');
  apple.received.length = 0;
  apple.answers.length = 0;
});

const push = { title: 'Café Noord', body: 'Hello', path: '/chat', tag: 'chat-1', notificationId: 'n1' };
const pace = { ttlSeconds: 3_600, urgency: 'high' } as const;
const target = { kind: 'ios', token: 'a1b2/c3' } as const;

describe('push on iOS', () => {
  it("reaches the worker's phone, with the tap target", async () => {
    const leila = await app.person();
    const token = 'f'.repeat(64);
    await leila.api.devices.add({ kind: 'ios', label: 'iPhone', token });
    const notice = {
      accountId: leila.accountId,
      topic: 'offer-received',
      data: { jobTitle: 'Barista', businessName: 'Café Noord', side: 'worker' },
      path: '/tabs/menu/my-work/1',
      dedupeKey: `offer-received/${crypto.randomUUID()}`,
    } as const;
    await app.db.transaction().execute((tx) => notifyAll(tx, app, [notice]));
    await app.runDue();
    expect(apple.received).toHaveLength(1);
    expect(apple.received[0]).toMatchObject({
      headers: { ':path': `/3/device/${token}`, 'apns-topic': 'com.nearhand.app', 'apns-priority': '5' },
      body: {
        aps: { alert: { title: 'Café Noord offered you the job' }, sound: 'default' },
        path: '/tabs/menu/my-work/1',
      },
      claims: { iss: 'TEAM123456', kid: 'KEY1234567' },
    });
  });

  it('signs once for many, again after 40 minutes, and again when Apple requires it', async () => {
    const port = createApnsPush(app.config, app.clock);
    const send = () => port?.send(target, push, pace);
    const signatures = () => new Set(apple.received.map(({ headers }) => headers.authorization)).size;
    expect(await send()).toEqual({ outcome: 'sent' });
    expect(await send()).toEqual({ outcome: 'sent' });
    expect(signatures()).toBe(1);
    app.clock.forward({ minutes: 41 });
    expect(await send()).toEqual({ outcome: 'sent' });
    expect(signatures()).toBe(2);
    apple.answers.push({ status: 403, reason: 'ExpiredProviderToken' });
    app.clock.forward({ minutes: 1 });
    expect(await send()).toEqual({ outcome: 'sent' });
    expect(signatures()).toBe(3);
    expect(apple.received.at(-1)?.headers).toMatchObject({
      ':path': '/3/device/a1b2%2Fc3',
      'apns-collapse-id': 'chat-1',
      'apns-expiration': String(app.clock.now().getTime() / 1_000 + 3_600),
    });
  });

  it.each([
    [{ status: 410, reason: 'Unregistered' }, { outcome: 'gone' }],
    [{ status: 400, reason: 'BadDeviceToken' }, { outcome: 'gone' }],
    [
      { status: 400, reason: 'PayloadTooLarge' },
      { outcome: 'refused', why: 'PayloadTooLarge' },
    ],
    [
      { status: 404, reason: 'BadPath' },
      { outcome: 'refused', why: 'BadPath' },
    ],
    [
      { status: 429, retryAfter: '30' },
      { outcome: 'later', why: 'status 429', afterSeconds: 30 },
    ],
    [{ status: 503 }, { outcome: 'later', why: 'status 503', afterSeconds: null }],
  ])('maps %o to %o', async (answer, outcome) => {
    apple.answers.push(answer);
    expect(await createApnsPush(app.config, app.clock)?.send(target, push, pace)).toEqual(outcome);
  });

  it('is retried later when Apple closes the connection or is unreachable, and then works again', async () => {
    const port = createApnsPush(app.config, app.clock);
    expect(await port?.send(target, push, pace)).toEqual({ outcome: 'sent' });
    for (const session of apple.sessions) session.destroy();
    const after = [await port?.send(target, push, pace), await port?.send(target, push, pace)];
    expect(after.at(-1)).toEqual({ outcome: 'sent' });
    const nowhere = createApnsPush({ ...app.config, APNS_URL: 'http://127.0.0.1:9' }, app.clock);
    expect(await nowhere?.send(target, push, pace)).toMatchObject({ outcome: 'later', why: 'ECONNREFUSED' });
  });

  it('requires all of its settings, or none by default', () => {
    expect(createApnsPush(readConfig({}), app.clock)).toBeNull();
    expect(() => readConfig({ APNS_KEY_ID: 'KEY1234567' })).toThrow('APNS_TEAM_ID, APNS_PRIVATE_KEY');
    expect(() => readConfig({ APNS_PRIVATE_KEY: 'no key' })).toThrow('the text of the .p8 file');
  });
});
