import { createECDH, generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { readConfig } from '../config/config.ts';
import { createSign } from '../sign.ts';
import { openSilentServer } from '../test-services/silent-server.fixtures.ts';
import { createFcmPush } from './push.ts';
import { createApnsPush } from './push-apns.ts';
import type { PushPort, PushTarget } from './push-port.ts';
import { createWebPush } from './push-web.ts';

const limitMs = 300;
const slackMs = 3_000;
const push = { title: 'Café Noord', body: 'Hello', path: '/chat', tag: 'chat-1', notificationId: 'n1' };
const pace = { ttlSeconds: 3_600, urgency: 'high' } as const;
const pem = (pair: { privateKey: { export(format: object): string | Buffer } }) =>
  pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

let silent: Awaited<ReturnType<typeof openSilentServer>>;
const tokens = createServer((_, response) => void response.end('{"access_token":"t","expires_in":3600}'));
beforeAll(async () => {
  silent = await openSilentServer();
  await new Promise<void>((resolve) => tokens.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  silent.close();
  tokens.close();
});

const config = readConfig({});
const at = (port: number) => `http://127.0.0.1:${port}`;

function fcm(tokenPort: number): PushPort {
  const FCM_SERVICE_ACCOUNT = {
    project_id: 'p',
    client_email: 'a@example.test',
    token_uri: at(tokenPort),
    private_key: pem(generateKeyPairSync('rsa', { modulusLength: 2_048 })),
  };
  return createFcmPush({ FCM_SERVICE_ACCOUNT, FCM_URL: at(silent.port) }, systemClock, limitMs);
}

function apns(): PushPort {
  const keys = { APNS_TEAM_ID: 'TEAM123456', APNS_KEY_ID: 'KEY1234567' };
  const APNS_PRIVATE_KEY = pem(generateKeyPairSync('ec', { namedCurve: 'P-256' }));
  const settings = { ...config, ...keys, APNS_PRIVATE_KEY, APNS_URL: at(silent.port) };
  return createApnsPush(settings, systemClock, limitMs) as PushPort;
}

function web(): PushPort {
  const sign = createSign({ secret: 's'.repeat(32), others: [], lasting: 'l'.repeat(32) });
  return createWebPush({ ...config, PUSH_HOSTS: [`127.0.0.1:${silent.port}`] }, sign, limitMs);
}

const browser = (): PushTarget => {
  const curve = createECDH('prime256v1');
  return {
    kind: 'web',
    endpoint: `https://127.0.0.1:${silent.port}/push`,
    p256dh: curve.generateKeys('base64url'),
    auth: randomBytes(16).toString('base64url'),
  };
};

it.each<[string, () => PushPort, () => PushTarget]>([
  ['Firebase', () => fcm((tokens.address() as AddressInfo).port), () => ({ kind: 'android', token: 't' })],
  ['Apple', apns, () => ({ kind: 'ios', token: 't' })],
  ['a browser’s service', web, browser],
])('gives %s up that accepts and never answers, to be tried later', async (_, port, target) => {
  const before = silent.taken();
  const started = performance.now();
  expect(await port().send(target(), push, pace)).toMatchObject({ outcome: 'later' });
  const ms = performance.now() - started;
  expect(ms).toBeGreaterThan(limitMs - 20);
  expect(ms).toBeLessThan(limitMs + slackMs);
  expect(silent.taken()).toBeGreaterThan(before);
});

it('times out on Google’s tokens too', async () => {
  const started = performance.now();
  const port = fcm(silent.port);
  expect(await port.send({ kind: 'android', token: 't' }, push, pace)).toMatchObject({ outcome: 'later' });
  expect(performance.now() - started).toBeLessThan(limitMs + slackMs);
});
