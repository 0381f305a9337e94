import { createECDH, generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { decrypt } from 'http_ece';
import { importJWK, type JWK, jwtVerify } from 'jose';
import { testCertificate } from '../../src/platform/test-services/test-certificate.fixtures.ts';

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
};

export function browserAt(origin: string) {
  const ecdh = createECDH('prime256v1');
  ecdh.generateKeys();
  const auth = randomBytes(16).toString('base64url');
  return {
    endpoint: `${origin}/push/${randomBytes(9).toString('base64url')}`,
    keys: { p256dh: ecdh.getPublicKey('base64url'), auth },
    read: (body: Buffer): unknown =>
      JSON.parse(decrypt(body, { version: 'aes128gcm', privateKey: ecdh, authSecret: auth }).toString()),
  };
}

type Pushed = {
  path: string;
  headers: IncomingMessage['headers'];
  body: Buffer;
  vapid: { key: string; claims: Record<string, unknown> };
};

/** A local push service over HTTPS that verifies each signature. `answer` is its next response. */
export async function openPushService() {
  const { key, cert } = testCertificate();
  const folder = await mkdtemp(path.join(tmpdir(), 'nearhand-push-'));
  const ca = path.join(folder, 'ca.pem');
  await writeFile(ca, cert);
  const pushed: Pushed[] = [];
  const state = { answer: 201, headers: {} as Record<string, string>, origin: '' };
  const server = createServer({ key, cert }, async (request, response) => {
    const body = await bodyOf(request);
    const [, token = '', publicKey = ''] =
      /^vapid t=([^,]+), k=(\S+)$/.exec(request.headers.authorization ?? '') ?? [];
    const point = Buffer.from(publicKey, 'base64url');
    const jwk: JWK = {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    };
    try {
      const { payload } = await jwtVerify(token, await importJWK(jwk, 'ES256'), { audience: state.origin });
      pushed.push({
        path: request.url ?? '',
        headers: request.headers,
        body,
        vapid: { key: publicKey, claims: payload },
      });
      response.writeHead(state.answer, state.headers).end();
    } catch {
      response.writeHead(403).end('bad signature');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `localhost:${(server.address() as AddressInfo).port}`;
  state.origin = `https://${host}`;
  return {
    host,
    ca,
    cert,
    key,
    pushed,
    state,
    origin: state.origin,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

type Sent = { authorization: string | undefined; message: Record<string, unknown> };

/**
 * A local Firebase that issues tokens for its service account's JWT.
 * @param now the test's clock, which dates the JWT
 */
export async function openFirebase(now: () => Date) {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const messages: Sent[] = [];
  const state = { tokens: 0, valid: '', answer: 200, body: {} as unknown };
  const answer = (response: ServerResponse, status: number, body: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const server = createHttpServer(async (request, response) => {
    const body = (await bodyOf(request)).toString();
    if (request.url === '/token') {
      const form = new URLSearchParams(body);
      try {
        await jwtVerify(form.get('assertion') ?? '', publicKey, {
          issuer: 'push@nearhand.example',
          audience: `${url()}/token`,
          currentDate: now(),
        });
      } catch (error) {
        return answer(response, 400, { error: String(error) });
      }
      state.tokens += 1;
      state.valid = `token-${state.tokens}`;
      return answer(response, 200, { access_token: state.valid, expires_in: 3600 });
    }
    if (request.url !== '/v1/projects/nearhand-test/messages:send') return answer(response, 404, {});
    if (request.headers.authorization !== `Bearer ${state.valid}`) return answer(response, 401, {});
    messages.push({
      authorization: request.headers.authorization,
      message: (JSON.parse(body) as { message: Record<string, unknown> }).message,
    });
    return answer(response, state.answer, state.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const account = {
    type: 'service_account',
    project_id: 'nearhand-test',
    client_email: 'push@nearhand.example',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    token_uri: `${url()}/token`,
  };
  return {
    sent: messages,
    state,
    account: JSON.stringify(account),
    url: url(),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
