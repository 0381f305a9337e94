import { createServer, type Server } from 'node:http';
import Provider from 'oidc-provider';
import { address, openIdAddress, openIdPort } from './server-address.ts';

export const openIdClient = { id: 'nearhand-journeys', secret: 'a secret of the journeys' };

/**
 * A real OpenID provider on this machine in place of Google. The login `leila` has the verified email leila@openid.test; `unproven-leila`
 * the same email, unverified.
 */
export async function startOpenIdProvider(): Promise<Server> {
  const claims = (sub: string) => ({
    sub,
    email: `${sub.replace(/^unproven-/, '')}@openid.test`,
    email_verified: !sub.startsWith('unproven-'),
    name: 'Noor Smit',
  });
  const provider = new Provider(openIdAddress, {
    clients: [
      {
        client_id: openIdClient.id,
        client_secret: openIdClient.secret,
        redirect_uris: [`${address}/api/auth/callback/google`],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    findAccount: (_context: unknown, sub: string) => ({ accountId: sub, claims: async () => claims(sub) }),
    cookies: { keys: ['journeys'] },
  });
  const server = createServer(provider.callback());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(openIdPort, '127.0.0.1', resolve);
  });
  return server;
}
