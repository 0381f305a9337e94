import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startCluster } from '@nearhand/api/src/platform/database/database-cluster.ts';
import { chatClient } from './chat/chat-client.ts';
import { type ChatFaults, chatFaults, chatSignalFaults } from './chat/chat-faults.ts';
import { makePair } from './chat/conversation-pair.ts';
import { redisProcess } from './chat/redis-process.ts';
import { serverProcess } from './money/server-process.ts';
import { openServices } from './money/services.ts';
import { onThrowAwayDatabase, stopAtOnce } from './throw-away-database.ts';

export type OutageOptions = {
  what: 'postgres' | 'redis';
  /** The time Redis is down; PostgreSQL is restarted at once. */
  awayMs: number;
  aroundMs: number;
  broken?: 'no-gap-fill';
};

export type OutageResult = { faults: ChatFaults; said: number; convergedMs: number };

const pauseMs = 25;
const convergeWithinMs = 30_000;

/**
 * `npm run experiments -- chat-outage --what postgres|redis [--break no-gap-fill]`
 * Two devices chat while PostgreSQL restarts, or Redis returns empty after 30 s; 5 s later both must show everything.
 */
export async function chatOutage(say: (line: string) => void): Promise<boolean> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ args: process.argv.slice(3), options: { what: text, break: text } });
  const target = values.what === 'redis' ? 'redis' : 'postgres';
  const { faults, convergedMs } = await chatOutageOn(
    {
      what: target,
      awayMs: 30_000,
      aroundMs: 15_000,
      broken: values.break === 'no-gap-fill' ? 'no-gap-fill' : undefined,
    },
    say,
  );
  const right = values.break ? faults.size > 0 : faults.size === 0 && convergedMs <= 5_000;
  say(
    `chat-outage: ${right ? 'as it must be' : 'NOT as it must be'}${values.break ? ' (negative control)' : ''}`,
  );
  return right;
}

export async function chatOutageOn(
  options: OutageOptions,
  say: (line: string) => void,
): Promise<OutageResult> {
  let result: OutageResult = { faults: new Map(), said: 0, convergedMs: 0 };
  await onThrowAwayDatabase(
    async (url, own) => {
      const redis = options.what === 'redis' ? redisProcess(own.port > 30_000 ? 19_999 : own.port + 1) : null;
      await redis?.start();
      const settings = {
        CHAT_PER_MINUTE: '1000000',
        CHAT_BURST: '1000000',
        ...(redis ? { REDIS_URL: redis.url } : {}),
      };
      const services = openServices(url);
      const { conversationId, worker, recruiter } = await makePair(services);
      const servers = [
        await serverProcess({ databaseUrl: url, settings }),
        await serverProcess({ databaseUrl: url, settings }),
      ];
      const urls = servers.map((server) => server.url);
      const { broken } = options;
      const clients = [worker, recruiter].map(({ token }) =>
        chatClient({ urls, token, conversationId, broken }),
      );
      let over = false;
      let sentCount = 0;
      try {
        await Promise.all(servers.map((server) => server.start()));
        await Promise.all(clients.map((client) => client.connect()));
        const talking = clients.map(async (client, number) => {
          for (let n = 1; !over; n += 1) {
            await client.say(`${n} of device ${number + 1}`);
            sentCount += 1;
            await wait(pauseMs);
          }
        });
        await wait(options.aroundMs);
        if (redis) {
          await redis.kill();
          await wait(options.awayMs);
          await redis.start();
        } else {
          await stopAtOnce(own);
          await startCluster(own.cluster, own.port);
        }
        const back = performance.now();
        const due = await lastSeq(services.pool, conversationId);
        const shows = () => clients.every((client) => showsUpTo(client.list, due));
        while (!shows() && performance.now() - back < convergeWithinMs) await wait(10);
        const convergedMs = performance.now() - back;
        await wait(options.aroundMs);
        over = true;
        await Promise.all(talking);
        await wait(2_000);
        const faults = await chatFaults(services.pool, conversationId, clients, sentCount);
        say(
          `chat-outage: ${options.what} away${redis ? ` for ${options.awayMs / 1_000} s and empty afterwards` : ' and back'}, ${sentCount} messages; both show all of before ${convergedMs.toFixed(0)} ms after its return`,
        );
        for (const line of chatSignalFaults(faults)) say(line);
        result = { faults, said: sentCount, convergedMs };
      } finally {
        over = true;
        for (const client of clients) client.stop();
        await Promise.all(servers.map((server) => server.kill()));
        await services.close();
        await redis?.kill();
      }
    },
    { fsync: 'on', synchronous_commit: 'on' },
  );
  return result;
}

async function lastSeq(
  pool: {
    query(text: string, values: unknown[]): Promise<{ rows: { last: number | null }[] }>;
  },
  conversationId: string,
): Promise<number> {
  for (;;) {
    const result = await pool
      .query('select max(seq) as last from messages where conversation_id = $1', [conversationId])
      .catch(() => null);
    if (result) return result.rows[0]?.last ?? 0;
    await wait(20);
  }
}

function showsUpTo(list: ReadonlyMap<number, unknown>, seq: number): boolean {
  for (let n = 1; n <= seq; n += 1) if (!list.has(n)) return false;
  return true;
}
