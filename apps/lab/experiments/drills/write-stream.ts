import http from 'node:http';
import https from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { jobInput } from '@nearhand/api/src/hiring/jobs/jobs.fixtures.ts';
import { makeAccount } from '@nearhand/api/src/people/accounts/accounts.fixtures.ts';
import { makeBusiness } from '@nearhand/api/src/people/businesses/businesses.fixtures.ts';
import { signAccessToken } from '@nearhand/api/src/people/sign-in/access-tokens.ts';
import { systemClock } from '@nearhand/api/src/platform/clock.ts';
import { type Services, secret } from '../money/services.ts';

/** One answer; status 0 where none came. `retryAfter`: the header, in seconds. */
export type Answer = { status: number; code: string; ms: number; retryAfter: number | null };

/** Where calls go. `ca` for TLS. */
export type Target = { port: number; ca?: string | Buffer };

export type Caller = {
  call(method: string, path: string, body?: unknown, key?: string): Promise<Answer>;
  close(): void;
};

/** Calls as one account on kept connections, as an app behind a proxy makes them. */
export function callerAt({ port, ca }: Target, token: string, timeoutMs = 30_000): Caller {
  const { Agent, request } = ca ? https : http;
  const agent = new Agent({ keepAlive: true, ...(ca ? { ca } : {}) });
  const call = (method: string, path: string, body?: unknown, key: string = crypto.randomUUID()) =>
    new Promise<Answer>((resolve) => {
      const at = performance.now();
      const end = (status: number, code: string, retryAfter: number | null = null) =>
        resolve({ status, code, ms: performance.now() - at, retryAfter });
      const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
      const headers = {
        authorization: `Bearer ${token}`,
        'idempotency-key': key,
        ...(bytes ? { 'content-type': 'application/json', 'content-length': bytes.byteLength } : {}),
      };
      const sent = request(
        { agent, method, path, headers, host: ca ? 'localhost' : '127.0.0.1', port, timeout: timeoutMs },
        (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.on('error', () => end(0, 'cut off'));
          response.on('end', () => {
            const status = response.statusCode ?? 0;
            const code = status < 300 ? 'ok' : codeOf(Buffer.concat(parts).toString(), status);
            const seconds = response.headers['retry-after'];
            end(status, code, seconds === undefined ? null : Number(seconds));
          });
        },
      );
      sent.on('timeout', () => sent.destroy(Object.assign(new Error(), { code: 'no answer' })));
      sent.on('error', (error: NodeJS.ErrnoException) => end(0, error.code ?? error.message));
      sent.end(bytes);
    });
  return { call, close: () => agent.destroy() };
}

function codeOf(body: string, status: number): string {
  try {
    return String((JSON.parse(body) as { code?: unknown }).code ?? status);
  } catch {
    return String(status);
  }
}

/** An owner of a business, whose clients write. */
export async function makeWriter(services: Services) {
  const { db, clock } = services;
  const owner = await makeAccount(db, clock, secret, { name: 'Owner' });
  const { id: businessId } = await makeBusiness(db, services.scopeOf(owner.accountId));
  return { ...owner, businessId, token: await signAccessToken(secret, systemClock, owner) };
}

export type WriteStream = {
  /** Titles of the jobs whose creation was acknowledged. */
  acknowledged: Set<string>;
  /** How often each code was answered. */
  answers: Map<string, number>;
  /** Answers of 503 that did not say when to ask again. */
  withoutRetryAfter(): number;
  /** The longest time in which no write succeeded. */
  longestGapMs(): number;
  /** The slowest answer. */
  slowestMs(): number;
  /** Lets every client finish what it asks for, and ends. */
  stop(): Promise<void>;
};

/**
 * Clients that create jobs until they are stopped, each under its key until it is answered for good, as an app does after a lost connection.
 * @param once a client does not ask again: what fails counts
 */
export function writeJobs(
  caller: Caller,
  businessId: string,
  { clients = 4, pauseMs = 5, once = false }: { clients?: number; pauseMs?: number; once?: boolean } = {},
): WriteStream {
  const input = jobInput(systemClock, {});
  const stream = crypto.randomUUID().slice(0, 8);
  const acknowledged = new Set<string>();
  const answers = new Map<string, number>();
  let [made, over, lastAt, gapMs, slowest, unguided] = [0, false, performance.now(), 0, 0, 0];
  const client = async () => {
    while (!over) {
      made += 1;
      const title = `Drill ${stream} ${made}`;
      const key = crypto.randomUUID();
      for (;;) {
        const answer = await caller.call(
          'POST',
          `/api/businesses/${businessId}/jobs`,
          { ...input, title },
          key,
        );
        answers.set(answer.code, (answers.get(answer.code) ?? 0) + 1);
        slowest = Math.max(slowest, answer.ms);
        if (answer.status === 503 && !answer.retryAfter) unguided += 1;
        if (answer.code === 'ok') {
          acknowledged.add(title);
          gapMs = Math.max(gapMs, performance.now() - lastAt);
          lastAt = performance.now();
        }
        const again = answer.status === 0 || answer.status >= 500 || answer.code === 'idempotency/in-flight';
        if (once || over || !again) break;
        await wait(100);
      }
      await wait(pauseMs);
    }
  };
  const done = Promise.all(Array.from({ length: clients }, client));
  return {
    acknowledged,
    answers,
    slowestMs: () => slowest,
    withoutRetryAfter: () => unguided,
    longestGapMs: () => Math.max(gapMs, over ? 0 : performance.now() - lastAt),
    async stop() {
      over = true;
      await done;
    },
  };
}

/** Acknowledged writes that are not in the database, and jobs that are there twice. */
export async function compareJobs(services: Services, { acknowledged }: Pick<WriteStream, 'acknowledged'>) {
  const { rows } = await services.pool.query<{ title: string; times: number }>(
    `select title, count(*)::int as times from jobs where title like 'Drill %' group by title`,
  );
  const kept = new Map(rows.map(({ title, times }) => [title, times]));
  return {
    lost: [...acknowledged].filter((title) => !kept.has(title)).length,
    doubled: rows.filter(({ times }) => times > 1).length,
  };
}

/** The answers in words, such as `1,204 ok, 3 request/unavailable`. */
export const answersText = ({ answers }: WriteStream): string =>
  [...answers].map(([code, times]) => `${times} ${code}`).join(', ');
