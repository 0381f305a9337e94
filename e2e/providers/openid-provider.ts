import { generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import Provider from 'oidc-provider';
import { address, appleAddress, openIdAddress, openIdPort } from '../server-address.ts';

export const openIdClient = { id: 'nearhand-journeys', secret: 'a secret of the journeys' };
export const appleClient = { id: 'example.nearhand.web', team: 'TEAM123456', key: 'KEY1234567' };

/** OpenID providers in place of Google, Apple and one more. The email of `unproven-leila` is unverified. */
export async function startOpenIdProvider(): Promise<{ server: Server; applePrivateKey: string }> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const apple = appleProvider(publicKey).callback();
  const otherCallback = providerOfOthers().callback();
  const server = createServer((request, response) =>
    (request.headers.host === new URL(appleAddress).host ? apple : otherCallback)(request, response),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(openIdPort, '127.0.0.1', resolve);
  });
  return { server, applePrivateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

const claims = (sub: string) => ({
  sub,
  email: `${sub.replace(/^unproven-/, '')}@openid.test`,
  email_verified: !sub.startsWith('unproven-'),
  name: 'Noor Smit',
});

const shared = {
  conformIdTokenClaims: false,
  findAccount: (_context: unknown, sub: string) => ({ accountId: sub, claims: async () => claims(sub) }),
  cookies: { keys: ['journeys'] },
};

function providerOfOthers(): Provider {
  return new Provider(openIdAddress, {
    ...shared,
    clients: [
      {
        client_id: openIdClient.id,
        client_secret: openIdClient.secret,
        redirect_uris: [`${address}/api/auth/callback/google`, `${address}/api/auth/callback/openid`],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  });
}

/** A provider like Apple: a signed client secret, a response by POST, and no name in the token. */
function appleProvider(publicKey: KeyObject): Provider {
  const provider = new Provider(appleAddress, {
    ...shared,
    clients: [
      {
        client_id: appleClient.id,
        client_secret: 'replaced by a signature',
        token_endpoint_auth_method: 'client_secret_post',
        redirect_uris: [`${address}/api/auth/callback/apple`],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], name: [] },
    pkce: { required: () => false },
    routes: { authorization: '/auth/authorize', token: '/auth/token', jwks: '/auth/keys' },
  });
  provider.Client.prototype.compareClientSecret = (secret) => {
    const [header = '', payload = '', signature = ''] = secret.split('.');
    const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
    const { iss, sub, aud } = read(payload);
    const { team, id, key } = appleClient;
    const named = [read(header).kid, iss, sub, aud].join() === [key, team, id, appleAddress].join();
    return named && isSigned(publicKey, `${header}.${payload}`, signature);
  };
  return provider;
}

const isSigned = (key: KeyObject, text: string, signature: string) =>
  verify(
    'sha256',
    Buffer.from(text),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
