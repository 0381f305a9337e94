import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportPKCS8, generateKeyPair } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Config, readConfig } from '../config/config.ts';
import { checkIdentity } from './check-identity.ts';

let answers: Record<string, { status: number; body: unknown }>;
let server: Server;
let config: Config;

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0]?.split(':').at(-1) ?? '';
    const { status, body } = answers[path.replace('/', '')] ?? { status: 404, body: {} };
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  config = readConfig({
    IDENTITY_PROVIDER: 'firebase',
    FIREBASE_PROJECT_ID: 'nearhand-test',
    FIREBASE_API_KEY: 'a-web-api-key',
    FIREBASE_API_URL: url,
    FIREBASE_KEYS_URL: `${url}/keys`,
    FIREBASE_SERVICE_ACCOUNT: JSON.stringify({
      project_id: 'nearhand-test',
      client_email: 'a@b.example',
      private_key: await exportPKCS8(privateKey),
      token_uri: `${url}/token`,
    }),
  });
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const refused = (message: string) => ({ status: 400, body: { error: { message } } });
beforeEach(() => {
  answers = {
    keys: { status: 200, body: { keys: [{ kid: 'one' }] } },
    token: { status: 200, body: { access_token: 'a token', expires_in: 3_600 } },
    lookup: { status: 200, body: {} },
    signInWithPassword: refused('INVALID_LOGIN_CREDENTIALS'),
  };
});
const check = (minutesAhead = 0) =>
  checkIdentity(config, { now: () => new Date(Date.now() + minutesAhead * 60_000) });

describe('the check of the identity provider', () => {
  it('passes where sign-in works', async () => expect(await check()).toEqual([]));

  it.each([
    ['keys', { status: 503, body: {} }, /^The keys of ID tokens can’t be read from .* \(status 503\)/],
    ['token', { status: 400, body: {} }, /^Google refuses FIREBASE_SERVICE_ACCOUNT/],
    ['lookup', { status: 403, body: {} }, /^The service account may not read the accounts of nearhand-test/],
    ['lookup', { status: 502, body: {} }, /^Firebase can’t be reached: status 502/],
    [
      'signInWithPassword',
      refused('API key not valid. Please pass a valid API key.'),
      /^FIREBASE_API_KEY is not/,
    ],
    ['signInWithPassword', refused('CONFIGURATION_NOT_FOUND'), /^Authentication is not set up/],
    ['signInWithPassword', refused('PASSWORD_LOGIN_DISABLED'), /^Email\/Password is turned off/],
    ['signInWithPassword', refused('SOMETHING_NEW'), /^Firebase refuses the call: SOMETHING_NEW/],
  ])('reports in a sentence what is wrong with %s', async (path, answer, sentence) => {
    answers[path] = answer;
    const problems = await check();
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(sentence);
    expect(problems[0]).not.toContain('PRIVATE KEY');
  });

  it('compares the clock with Google’s', async () => {
    expect(await check(10)).toEqual([expect.stringContaining('10 minutes ahead of Google’s')]);
    expect(await check(-10)).toEqual([expect.stringContaining('10 minutes behind Google’s')]);
  });
});
