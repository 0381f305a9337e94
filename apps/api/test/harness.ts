import { contract } from '@nearhand/contract/contract';
import type { ErrorBody } from '@nearhand/contract/errors';
import { createORPCClient, ORPCError } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import { OpenAPILink } from '@orpc/openapi-client/fetch';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterAll, beforeAll } from 'vitest';
import { createApp, tasks } from '../src/app.ts';
import { makeAccount } from '../src/features/accounts/accounts.fixtures.ts';
import { signAccessToken } from '../src/features/accounts/accounts.session.ts';
import { createSandbox } from '../src/features/sandbox/sandbox.service.ts';
import { type Config, readConfig } from '../src/platform/config.ts';
import { type Database, openPool } from '../src/platform/db.ts';
import { createLog } from '../src/platform/log.ts';
import { createMailer, type Mail, type Mailer } from '../src/platform/mail.ts';
import type { PaymentProvider } from '../src/platform/payment-provider.ts';
import { createPush } from '../src/platform/push.ts';
import type { PushPort } from '../src/platform/push-port.ts';
import type { Bus } from '../src/platform/realtime-bus.ts';
import { openBus } from '../src/platform/realtime-open.ts';
import { createSign } from '../src/platform/sign.ts';
import { runDueTasks } from '../src/platform/tasks.ts';
import { createMemoryFileStore } from './memory-file-store.ts';
import { openDevice, type TestSocket } from './sockets.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
import { everyChangeIsTold } from './told.ts';

export const secret = 'a secret of the tests, thirty-two and more';

/** A clock that stands still until a test moves it. */
export class TestClock {
  #now = new Date('2026-11-21T09:00:00Z');
  now = () => new Date(this.#now);
  set = (instant: string | Date) => {
    this.#now = new Date(instant);
  };
  forward = (duration: { days?: number; hours?: number; minutes?: number; seconds?: number }) => {
    const { days = 0, hours = 0, minutes = 0, seconds = 0 } = duration;
    this.#now = new Date(this.#now.getTime() + (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000);
  };
}

export type Client = ContractRouterClient<typeof contract>;

/** A signed-in person of a test: their account and a client that calls the API over HTTP as them. */
export type Person = { accountId: string; sessionId: string; email: string; token: string; api: Client };

/**
 * The whole server on a database of its own, called over HTTP in process; set up once for a test file.
 * @param overridden settings of `platform/config.ts` that differ from the tests' own
 */
export function useTestApp(
  overridden: Record<string, string> | (() => Promise<Record<string, string>>) = {},
) {
  const clock = new TestClock();
  const mails: Mail[] = [];
  // Kept for the test, and sent where it has a mail server.
  const mailer: Mailer = {
    async send(mail) {
      await smtp?.send(mail);
      mails.push(mail);
    },
  };
  let smtp: Mailer | null = null;
  let push: PushPort;
  const fileStore = createMemoryFileStore();
  let testDatabase: TestDatabase;
  let database: Database;
  let server: FastifyInstance;
  let config: Config;
  let provider: PaymentProvider;
  let bus: Bus;
  const closing: (() => unknown)[] = [];
  const log = createLog({ LOG_LEVEL: process.env.TEST_LOG === 'true' ? 'debug' : 'silent' });

  beforeAll(async () => {
    const overrides = typeof overridden === 'function' ? await overridden() : overridden;
    testDatabase = await createTestDatabase();
    config = readConfig({
      NODE_ENV: 'test',
      READS_PER_MINUTE: '100000',
      WRITES_PER_MINUTE: '100000',
      PAYMENT_SANDBOX_IN_PRODUCTION: 'true',
      ...overrides,
      // Nothing listens here, so a test may call itself what a server outside production may not.
      PUBLIC_URL: overrides.NODE_ENV === 'production' ? overrides.PUBLIC_URL : undefined,
    });
    if (overrides.PUBLIC_URL) config = { ...config, PUBLIC_URL: overrides.PUBLIC_URL };
    bus = openBus(config, testDatabase.url, log);
    database = openPool(testDatabase.url, 8, () => {}, bus.signals);
    if (config.SMTP_URL) smtp = createMailer(config, database.db, clock);
    push = createPush(config, createSign(secret), clock);
    // Many calls at once wait for one of the eight for as long as a busy machine takes; what a server answers whom it keeps waiting is asked elsewhere.
    database.pool.options.connectionTimeoutMillis = 60_000;
    provider = createSandbox({
      ...{ db: database.db, clock, secret, config, log },
      send: async (headers, payload) =>
        (await server.inject({ method: 'POST', url: '/api/webhooks/payments', headers, payload })).statusCode,
    });
    server = await createApp({
      config,
      secret,
      log,
      db: database.db,
      clock,
      mailer,
      fileStore,
      provider,
      bus,
      webFolder: null,
    });
    await server.ready();
  });
  afterAll(async () => {
    for (const close of closing) await close();
    await server?.close();
    await bus?.stop();
    await database?.close();
    await testDatabase?.drop();
  });

  // Here, so that watching begins before a test file's own hooks write, and ends while the database is open (ADR 0099).
  everyChangeIsTold({
    get db() {
      return database.db;
    },
  });

  /** A client of the API; every write carries a fresh Idempotency-Key unless `headers` has one. */
  const apiAs = (
    token: string | null | (() => Promise<string>),
    headers: Record<string, string> = {},
  ): Client => {
    const link = new OpenAPILink(contract, {
      url: 'http://localhost/api',
      headers: async () => ({
        'idempotency-key': crypto.randomUUID(),
        ...(token === null
          ? {}
          : { authorization: `Bearer ${typeof token === 'string' ? token : await token()}` }),
        ...headers,
      }),
      fetch: async (request) => {
        const url = new URL(request.url);
        const response = await server.inject({
          method: request.method as NonNullable<InjectOptions['method']>,
          url: url.pathname + url.search,
          headers: Object.fromEntries(request.headers),
          payload: Buffer.from(await request.arrayBuffer()),
        });
        const body = [204, 304].includes(response.statusCode) ? null : new Uint8Array(response.rawPayload);
        return new Response(body, {
          status: response.statusCode,
          headers: response.headers as Record<string, string>,
        });
      },
    });
    return createORPCClient(link);
  };

  return {
    clock,
    mails,
    fileStore,
    secret,
    apiAs,
    get db() {
      return database.db;
    },
    get pool() {
      return database.pool;
    },
    get server() {
      return server;
    },
    get config() {
      return config;
    },
    get provider() {
      return provider;
    },
    /** A person with a session, email verified unless said otherwise. */
    async person(wishes: { name?: string; email?: string; verified?: boolean } = {}): Promise<Person> {
      const made = await makeAccount(database.db, clock, secret, wishes);
      // Like the app, a person renews the token by itself once the clock has moved on.
      return { ...made, api: apiAs(() => signAccessToken(secret, clock, made)) };
    },
    /** What a service gets besides its database, acting as this account; for fixtures that call services. */
    scopeOf: (accountId: string) => ({
      actor: { accountId, sessionId: accountId, emailVerified: true },
      clock,
      config,
      fileStore,
      log,
      provider,
      sign: createSign(secret),
      requestId: 'test',
    }),
    /** A raw HTTP call, for what the typed client would not send. */
    raw: (request: InjectOptions) => server.inject(request),
    /** A device of this person, connected; the server begins to listen with the first. */
    async socket(who: Pick<Person, 'token'>): Promise<TestSocket> {
      const socket = await openDevice(server, bus, who);
      closing.push(socket.close);
      return socket;
    },
    /**
     * A second server process as far as one process can be two: the same database and settings, with a pool, a bus and sockets of its own. Ends with the test file, or by `stop`.
     */
    async another() {
      const otherBus = openBus(config, testDatabase.url, log);
      const other = openPool(testDatabase.url, 4, () => {}, otherBus.signals);
      const parts = { config, secret, log, db: other.db, clock, mailer, fileStore, provider };
      const second = await createApp({ ...parts, bus: otherBus, webFolder: null });
      let stopped: Promise<void> | null = null;
      const stop = () => {
        stopped ??= (async () => {
          await second.close();
          await otherBus.stop();
          await other.close();
        })();
        return stopped;
      };
      closing.push(stop);
      return {
        db: other.db,
        server: second,
        stop,
        bus: otherBus,
        async socket(who: Pick<Person, 'token'>): Promise<TestSocket> {
          const socket = await openDevice(second, otherBus, who);
          closing.unshift(socket.close);
          return socket;
        },
      };
    },
    get bus() {
      return bus;
    },
    /** Runs every task that is due at the clock's time. */
    runDue: () =>
      runDueTasks(database.pool, tasks, {
        ...{ db: database.db, clock, config, log, mailer, fileStore, provider, push },
        sign: createSign(secret),
      }),
  };
}

/** The code, status and data of a call that must fail; throws when it succeeds. */
export async function failure(call: Promise<unknown>): Promise<{ status: number } & ErrorBody> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ORPCError) return { status: error.status, ...(bodyOf(error) as ErrorBody) };
    throw error;
  }
  throw new Error('the call succeeded and should have failed');
}

const bodyOf = (error: ORPCError<string, unknown>): unknown =>
  (error.data as { body?: unknown } | undefined)?.body ?? error.data ?? { code: error.code };
