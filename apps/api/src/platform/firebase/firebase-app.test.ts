import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../config/config.ts';
import { registerSecurityHeaders } from '../http/security-headers.ts';
import { authDomain, firebaseApp } from './firebase-app.ts';

const secure = 'https://nearhand.example';
const base = {
  IDENTITY_PROVIDER: 'firebase',
  FIREBASE_PROJECT_ID: 'nearhand-test',
  FIREBASE_API_KEY: 'a-web-api-key',
  FIREBASE_SERVICE_ACCOUNT: JSON.stringify({
    project_id: 'nearhand-test',
    client_email: 'a@b.example',
    private_key: 'PRIVATE KEY',
    token_uri: 'https://oauth2.example/token',
  }),
};
const own = { FIREBASE_AUTH_DOMAIN: 'sign-in.nearhand.example' };
const emulated = { FIREBASE_AUTH_EMULATOR: 'http://localhost:9099' };
const at = (url: string, settings: Record<string, string> = {}) => ({
  ...readConfig({ ...base, ...settings }),
  PUBLIC_URL: url,
});

describe("the host of Firebase's sign-in pages", () => {
  it.each([
    ['this server, where it is reached by https', secure, {}, 'nearhand.example'],
    ['this server on its own port', `${secure}:8443`, {}, 'nearhand.example:8443'],
    [
      "the project's own without https, which Firebase needs",
      'http://localhost:8080',
      {},
      'nearhand-test.firebaseapp.com',
    ],
    ['the one that the settings name, without https', 'http://localhost:8080', own, own.FIREBASE_AUTH_DOMAIN],
  ])('is %s', (_name, url, settings, host) => {
    expect(firebaseApp(at(url, settings))?.authDomain).toBe(host);
  });

  it('forwards to the project, or to the host that the settings name', () => {
    expect(authDomain(at(secure))).toBe('nearhand-test.firebaseapp.com');
    expect(authDomain(at(secure, own))).toBe(own.FIREBASE_AUTH_DOMAIN);
  });

  it('is ignored by a server with the built-in sign-in', () => {
    expect(firebaseApp(readConfig({}))).toBeNull();
  });
});

describe('the content security policy', () => {
  async function policyOf(config: Parameters<typeof registerSecurityHeaders>[1]) {
    const server = Fastify();
    await registerSecurityHeaders(server, { ...config, MAP_TILES: undefined });
    server.get('/', async () => '');
    const { headers } = await server.inject('/');
    await server.close();
    return Object.fromEntries(
      String(headers['content-security-policy'])
        .split(';')
        .map((part) => part.trim().split(' '))
        .map(([name = '', ...sources]) => [name, sources]),
    );
  }

  it("allows Firebase's pages under our address, and what their scripts call", async () => {
    expect(await policyOf(at(secure))).toMatchObject({
      'frame-src': ["'self'"],
      'script-src': ["'self'", 'https://apis.google.com'],
      'connect-src': [
        "'self'",
        'https://identitytoolkit.googleapis.com',
        'https://securetoken.googleapis.com',
      ],
      'frame-ancestors': ["'none'"],
    });
  });

  it("allows the project's pages where ours aren't reachable by https", async () => {
    const policy = await policyOf(at('http://localhost:8080'));
    expect(policy['frame-src']).toEqual(['https://nearhand-test.firebaseapp.com']);
  });

  it('allows an emulator instead of Firebase', async () => {
    const policy = await policyOf(at('http://localhost:8080', emulated));
    expect(policy['frame-src']).toEqual(['http://localhost:9099']);
    expect(policy['connect-src']).toEqual(["'self'", 'http://localhost:9099']);
  });

  it('contains nothing of Google with the built-in sign-in', async () => {
    const policy = await policyOf(readConfig({ PUBLIC_URL: 'http://localhost:8080' }));
    expect(policy['frame-src']).toBeUndefined();
    expect(policy['script-src']).toEqual(["'self'"]);
    expect(policy['connect-src']).toEqual(["'self'"]);
  });
});
