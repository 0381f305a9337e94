import { spawn } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startStripeDouble, stripeSettings } from '../apps/api/test/stripe-double/stripe-double.ts';
import { pmtilesArchive } from './chicago-tiles.ts';
import { appleClient, openIdClient, startOpenIdProvider } from './providers/openid-provider.ts';
import { address, appleAddress, dataDir, openIdAddress, serverPort, tilesFile } from './server-address.ts';

const main = path.resolve(import.meta.dirname, '../apps/api/src/main.ts');

const { server: provider, applePrivateKey } = await startOpenIdProvider();
await rm(dataDir, { recursive: true, force: true });
await writeFile(tilesFile, pmtilesArchive('protomaps'));

/** Stripe's stand-in, unless a journey has its own, whose clock it moves. */
const stripe =
  process.env.PROVIDER === 'stripe' && process.env.STRIPE_API_URL === undefined
    ? await startStripeDouble({
        now: () => new Date(),
        send: (headers, body) => fetch(`${address}/api/webhooks/payments`, { method: 'POST', headers, body }),
      })
    : null;

const server = spawn(process.execPath, [main], {
  stdio: ['ignore', 'ignore', 'inherit'],
  env: {
    ...process.env,
    ...(stripe && stripeSettings(stripe)),
    // Enables the journeys' clock (ADR 58).
    NODE_ENV: 'test',
    PORT: String(serverPort),
    PUBLIC_URL: address,
    DATA_DIR: dataDir,
    DEMO: 'false',
    GOOGLE_ISSUER: openIdAddress,
    GOOGLE_CLIENT_ID: openIdClient.id,
    GOOGLE_CLIENT_SECRET: openIdClient.secret,
    APPLE_URL: appleAddress,
    APPLE_CLIENT_ID: appleClient.id,
    APPLE_TEAM_ID: appleClient.team,
    APPLE_KEY_ID: appleClient.key,
    APPLE_PRIVATE_KEY: applePrivateKey,
    OPENID_NAME: 'Harbour ID',
    OPENID_ISSUER: openIdAddress,
    OPENID_CLIENT_ID: openIdClient.id,
    OPENID_CLIENT_SECRET: openIdClient.secret,
    MAP_TILES: tilesFile,
    LOG_LEVEL: 'error',
    // Journeys of both sizes run concurrently from one address.
    SIGN_INS_PER_MINUTE: '1000',
    // A new business plans a whole week.
    OPEN_JOBS_WHILE_UNVERIFIED: '10',
    PUBLIC_PAGES_PER_MINUTE: '100000',
    READS_PER_MINUTE: '100000',
    WRITES_PER_MINUTE: '100000',
  },
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill('SIGTERM'));

server.once('exit', async (code) => {
  provider.close();
  await stripe?.close();
  await rm(dataDir, { recursive: true, force: true });
  await rm(tilesFile, { force: true });
  process.exit(code ?? 0);
});
