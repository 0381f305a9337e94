import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { nightly } from '../../../scripts/seeded-sample.ts';
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
  const isPlannedAsUsual = nightly || config.DATABASE_URL !== undefined;
  const { db, pool, close } = openPool(
    isPlannedAsUsual ? throughPooler(url, config) : withSimplePlans(url),
    8,
    () => {},
    bus.signals,
    isPooled(config),
  );
  if (!isPlannedAsUsual) prepareEveryStatement(pool);
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

/**
 * Planning takes half of the database's processor time in tests, whose tables are almost empty. In `npm test` each
 * connection plans a statement once, without a search for the best join order; the nightly run plans as production.
 */
function withSimplePlans(url: string): string {
  const address = new URL(url);
  const settings = { plan_cache_mode: 'force_generic_plan', join_collapse_limit: 1, from_collapse_limit: 1 };
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  address.searchParams.set('options', options.join(' '));
  return address.href;
}

const statementNames = new Map<string, string>();

/** Unlike `keepAll` of `openPool` it batches nothing, so that calls take as many round trips as in production. */
function prepareEveryStatement(pool: pg.Pool): void {
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...all: unknown[]) => unknown;
    const prepared = (text: unknown, values: unknown, ...rest: unknown[]) => {
      const hasValues = Array.isArray(values) && values.length > 0;
      if (typeof text !== 'string' || !hasValues || text.includes('/* kept plan */'))
        return query(text, values, ...rest);
      const name = statementNames.get(text) ?? `test_${statementNames.size}`;
      statementNames.set(text, name);
      return query({ name, text, values }, ...rest);
    };
    client.query = prepared as typeof client.query;
  });
}

function configOf(overrides: Record<string, string>): Config {
  const entries = Object.entries(overrides);
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
