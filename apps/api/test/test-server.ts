import type { FastifyInstance } from 'fastify';
import { type AppParts, createApp } from '../src/app.ts';
import { createSandbox } from '../src/money/sandbox/sandbox.ts';
import { createStripe } from '../src/money/stripe/stripe.ts';
import { languageOfAddress } from '../src/people/account-settings/account-settings.ts';
import { type Config, constants, readConfig } from '../src/platform/config/config.ts';
import { openPool } from '../src/platform/db.ts';
import { createMailer, inReadersLanguage, type Mail, type Mailer } from '../src/platform/mail/mail.ts';
import { createPush } from '../src/platform/push/push.ts';
import { openBus } from '../src/platform/realtime/realtime-open.ts';
import { createSign } from '../src/platform/sign.ts';
import { createTestDatabase } from './test-database.ts';

export const secret = 'a secret of the tests, thirty-two and more';

export type TestWorld = Pick<AppParts, 'clock' | 'fileStore' | 'log'> & { mails: Mail[] };

export type AtEnd = (close: () => unknown) => void;

export type TestServer = Awaited<ReturnType<typeof startTestServer>>;

export async function startTestServer(settings: Record<string, string>, world: TestWorld, atEnd: AtEnd) {
  const { clock, log } = world;
  const config = configOf(settings);
  const { url, drop } = await createTestDatabase({ isWatched: true });
  atEnd(drop);
  const bus = await openBus(config, url, log);
  const { db, pool, close } = openPool(
    throughPooler(url, config),
    8,
    () => {},
    bus.signals,
    isPooled(config),
  );
  atEnd(close);
  atEnd(() => bus.stop());
  // On a busy machine calls wait long for one of eight connections; the timeout is tested elsewhere.
  pool.options.connectionTimeoutMillis = 60_000;
  const send = async (headers: Record<string, string>, payload: string) =>
    (await server.inject({ method: 'POST', url: '/api/webhooks/payments', headers, payload })).statusCode;
  const provider =
    config.PAYMENT_PROVIDER === 'stripe'
      ? createStripe({ db, clock, log, config })
      : createSandbox({ db, clock, secret, config, log, send });
  const smtp = config.SMTP_URL ? createMailer(config, db, clock) : null;
  const mailer = inReadersLanguage(keepingMailer(world.mails, smtp), (address) =>
    languageOfAddress(db, address),
  );
  const parts: AppParts = {
    clock,
    log,
    config,
    secret,
    db,
    mailer,
    provider,
    bus,
    fileStore: world.fileStore,
    webFolder: null,
  };
  const server: FastifyInstance = await createApp(parts);
  atEnd(() => server.close());
  await server.ready();
  const push = createPush(config, createSign(secret), clock);
  return { url, pool, parts, server, bus, db, config, provider, mailer, push };
}

/** Starts a server on the same database and settings, with its own pool, bus and sockets. */
export async function startSecondServer(
  { url, parts }: TestServer,
  atEnd: AtEnd,
  overridden: Record<string, string> = {},
) {
  const changed = Object.entries(configOf(overridden)).filter(([name]) => name in overridden);
  const config: Config = { ...parts.config, ...Object.fromEntries(changed) };
  const bus = await openBus(config, url, parts.log);
  const { db, pool, close } = openPool(
    throughPooler(url, config),
    4,
    () => {},
    bus.signals,
    isPooled(config),
  );
  const server: FastifyInstance = await createApp({ ...parts, config, db, bus });
  let stopped: Promise<void> | null = null;
  const stop = () => {
    stopped ??= (async () => {
      await server.close();
      await bus.stop();
      await close();
    })();
    return stopped;
  };
  atEnd(stop);
  return { db, pool, server, bus, stop };
}

/** Routes requests through the pooler at DATABASE_URL; the rest bypasses it, as with DATABASE_DIRECT_URL. */
function throughPooler(url: string, { DATABASE_URL }: Config): string {
  const address = new URL(url);
  if (DATABASE_URL) address.host = new URL(DATABASE_URL).host;
  return address.href;
}
const isPooled = ({ DATABASE_URL }: Config) => ({ pooled: DATABASE_URL !== undefined });

function configOf(given: Record<string, string>): Config {
  const entries = Object.entries(given);
  const settings = Object.fromEntries(entries.filter(([name]) => !(name in constants)));
  const replaced = entries
    .filter(([name]) => name in constants)
    .map(([name, text]) => {
      const value: unknown = constants[name as keyof typeof constants];
      if (typeof value === 'number') return [name, Number(text)];
      const isList = Array.isArray(value) || name === 'DOMAIN_DNS_SERVERS';
      return [name, isList ? text.split(',') : text];
    });
  const environment = {
    NODE_ENV: 'test',
    PUBLIC_PAGES_PER_MINUTE: '100000',
    READS_PER_MINUTE: '100000',
    WRITES_PER_MINUTE: '100000',
    CALLS_AT_ONCE: '10000',
    ...(settings.PAYMENT_PROVIDER === 'stripe' ? {} : { PAYMENT_SANDBOX_IN_PRODUCTION: 'true' }),
    DOCUMENT_KEYS: `tests:${'k'.repeat(43)}`,
    ...settings,
    // Nothing is public here, so a test may use any address outside production.
    PUBLIC_URL: settings.NODE_ENV === 'production' ? settings.PUBLIC_URL : undefined,
  };
  const config = readConfig(environment, Object.fromEntries(replaced));
  return settings.PUBLIC_URL ? { ...config, PUBLIC_URL: settings.PUBLIC_URL } : config;
}

const keepingMailer = (mails: Mail[], smtp: Mailer | null): Mailer => ({
  async send(mail) {
    await smtp?.send(mail);
    mails.push(mail);
  },
});
