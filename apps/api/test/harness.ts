import { contract } from '@nearhand/contract/contract';
import type { ErrorBody } from '@nearhand/contract/error-data';
import { createORPCClient, ORPCError } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import { OpenAPILink } from '@orpc/openapi-client/fetch';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import pg from 'pg';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { tasks } from '../src/app.ts';
import { makeAccount } from '../src/people/accounts/accounts.fixtures.ts';
import { signAccessToken } from '../src/people/sign-in/access-tokens.ts';
import { createLog } from '../src/platform/log.ts';
import type { Mail } from '../src/platform/mail/mail.ts';
import { createSign } from '../src/platform/sign.ts';
import { runDueTasks } from '../src/platform/tasks/due-tasks.ts';
import { claimFor, undeclaredError, workingHeaders } from './contract-operations.ts';
import { createMemoryFileStore } from './memory-file-store.ts';
import { everyChangeIsEmitted } from './signal-watch.ts';
import { openDevice, type TestSocket } from './sockets.ts';
import { type AtEnd, secret, startSecondServer, startTestServer, type TestServer } from './test-server.ts';

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

export type Person = { accountId: string; sessionId: string; email: string; token: string; api: Client };

/**
 * Runs the whole server in process on its own database; set up once per test file.
 * @param overridden settings of `platform/config/config.ts` that differ from the test defaults
 */
export function useTestApp(
  overridden: Record<string, string> | (() => Promise<Record<string, string>>) = {},
) {
  const clock = new TestClock();
  const mails: Mail[] = [];
  const fileStore = createMemoryFileStore();
  const log = createLog({ LOG_LEVEL: process.env.TEST_LOG === 'true' ? 'debug' : 'silent' });
  const sign = createSign(secret);
  const closing: (() => unknown)[] = [];
  const atEnd: AtEnd = (close) => closing.push(close);
  let running: TestServer;

  beforeAll(async () => {
    const settings = typeof overridden === 'function' ? await overridden() : overridden;
    running = await startTestServer(settings, { clock, mails, fileStore, log }, atEnd);
  });
  afterAll(async () => {
    for (const close of closing.toReversed()) await close();
  });

  // Watching starts before a test file's own hooks write, and ends while the database is open (ADR 89).
  everyChangeIsEmitted({
    get db() {
      return running.db;
    },
  });

  const undeclared = new Set<string>();
  const raw = async (request: InjectOptions) => {
    const response = await running.server.inject(request);
    if (response.statusCode >= 400 && response.headers['content-type']?.toString().includes('json')) {
      const problem = undeclaredError(request.method ?? 'GET', String(request.url), response.body);
      if (problem) undeclared.add(problem);
    }
    return response;
  };
  afterAll(() => expect([...undeclared], 'errors that the contract does not declare').toEqual([]));
  const apiAs = (token: Token, headers: Record<string, string> = {}) => clientOf(raw, token, headers);
  /** Connects a device of this person; the first one makes the server listen. */
  const socketOn = async (
    { server, bus }: Pick<TestServer, 'server' | 'bus'>,
    person: Pick<Person, 'token'>,
  ) => {
    const socket = await openDevice(server, bus, person);
    atEnd(socket.close);
    return socket;
  };

  return {
    clock,
    mails,
    fileStore,
    secret,
    apiAs,
    raw,
    get db() {
      return running.db;
    },
    /** The URL of the database itself, without a pooler. */
    get directUrl() {
      return running.url;
    },
    get pool() {
      return running.pool;
    },
    get server() {
      return running.server;
    },
    get config() {
      return running.config;
    },
    get provider() {
      return running.provider;
    },
    get bus() {
      return running.bus;
    },
    async person(options: { name?: string; email?: string; verified?: boolean } = {}): Promise<Person> {
      const account = await makeAccount(running.db, clock, secret, options);
      // Renews the token when the clock has moved, as the app does.
      return { ...account, api: apiAs(() => signAccessToken(secret, clock, account)) };
    },
    /** The person as an operator: each call has a reason, and each decision a claimed case. */
    working: (person: Person, headers: Record<string, string> = {}): Person => ({
      ...person,
      api: clientOf(
        async (request) => {
          await claimFor(running.pool, person.accountId, request.method ?? 'GET', String(request.url));
          return raw(request);
        },
        () => signAccessToken(secret, clock, person),
        { ...workingHeaders, ...headers },
      ),
    }),
    scopeOf: ({ accountId }: { accountId: string }) => ({
      actor: { accountId, sessionId: accountId, emailVerified: true },
      clock,
      fileStore,
      log,
      sign,
      config: running.config,
      provider: running.provider,
      requestId: 'test',
    }),
    socket: (person: Pick<Person, 'token'>): Promise<TestSocket> => socketOn(running, person),
    /** Starts a second server process, which stops with the test file or by `stop`. */
    async another(settings: Record<string, string> = {}) {
      const second = await startSecondServer(running, atEnd, settings);
      return { ...second, socket: (person: Pick<Person, 'token'>) => socketOn(second, person) };
    },
    runDue: () => {
      const { pool, db, config, mailer, provider, push } = running;
      return runDueTasks(pool, tasks, { db, clock, config, log, mailer, fileStore, provider, push, sign });
    },
  };
}

/** A bearer token, or a function that makes one; null is a guest. */
type Token = string | null | (() => Promise<string>);

function clientOf(
  call: (request: InjectOptions) => Promise<LightMyRequestResponse>,
  token: Token,
  headers: Record<string, string>,
): Client {
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
      const response = await call({
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
}

/** Counts the round trips of a call that send parameters, without those of `signal-watch.ts`. */
export async function roundTripsOf(call: () => Promise<unknown>): Promise<number> {
  const sync = vi.spyOn(pg.Connection.prototype as unknown as { sync(): void }, 'sync');
  try {
    await call();
    return sync.mock.calls.length - 1;
  } finally {
    sync.mockRestore();
  }
}

/** The code, status and data of a call that must fail. */
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
