import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { chatClient } from '../experiments/chat/chat-client.ts';
import { makePair } from '../experiments/chat/conversation-pair.ts';
import { type ServerProcess, serverProcess } from '../experiments/money/server-process.ts';
import { openServices, type Services } from '../experiments/money/services.ts';
import { onThrowAwayDatabase } from '../experiments/throw-away-database.ts';
import { findPostmaster } from '../src/platform/database-cluster.ts';
import { newId } from '../src/platform/ids.ts';
import { cpuOf, cpuOfPostgres } from './processes.ts';

/**
 * `node apps/api/bench/chat.ts [--seconds 8] [--rounds 5] [--redis URL]`: messages stored and delivered a second, and the time from sending to receiving across two server processes,
 * beside a bare insert and NOTIFY in the same run, in alternating rounds on one PostgreSQL with durable settings (docs/benchmarks.md). `busy` is eight conversations that send
 * as fast as they are answered; `calm` is the same eight with a pause, for the delays.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '8' },
    rounds: { type: 'string', default: '5' },
    redis: { type: 'string' },
  },
});
const seconds = Number(values.seconds);
const rounds = Number(values.rounds);
const conversations = 8;
const calmPauseMs = 100;

type Sender = { say(): Promise<() => Promise<number>>; stop(): unknown };
type Figure = { perSecond: number; p50: number; p99: number; postgres: number; node: number };

await onThrowAwayDatabase(
  async (url, own) => {
    const services = openServices(url, { connections: 20 });
    const settings = {
      ...{ CHAT_PER_MINUTE: '1000000', CHAT_BURST: '1000000' },
      ...(values.redis ? { REDIS_URL: values.redis } : {}),
    };
    const sending = await serverProcess({ databaseUrl: url, settings });
    const receiving = await serverProcess({ databaseUrl: url, settings });
    const postmaster = (await findPostmaster(own.cluster))?.pid ?? 0;
    const senders: Sender[] = [];
    try {
      await Promise.all([sending.start(), receiving.start()]);
      const ours = await ourSenders(services, sending, receiving);
      const bare = await bareSenders(url);
      const nodeCpu = () =>
        [sending, receiving].reduce((sum, server) => sum + (cpuOf(server.pid() ?? 0)?.ms ?? 0), 0);
      const cases: Record<string, { senders: readonly Sender[]; pauseMs: number }> = {
        'bare insert and notify, busy': { senders: bare, pauseMs: 0 },
        'chat, busy': { senders: ours, pauseMs: 0 },
        'bare insert and notify, calm': { senders: bare, pauseMs: calmPauseMs },
        'chat, calm': { senders: ours, pauseMs: calmPauseMs },
      };
      senders.push(...ours, ...bare);
      const figures = new Map<string, Figure[]>();
      for (let round = 0; round <= rounds; round += 1) {
        const order = Object.entries(cases);
        for (const [name, { senders, pauseMs }] of round % 2 === 0 ? order : order.reverse()) {
          const before = { postgres: cpuOfPostgres(postmaster), node: nodeCpu() };
          const delays = await run(senders, pauseMs);
          const figure = {
            perSecond: delays.length / seconds,
            p50: at(delays, 0.5),
            p99: at(delays, 0.99),
            postgres: (cpuOfPostgres(postmaster) - before.postgres) / delays.length,
            node: (nodeCpu() - before.node) / delays.length,
          };
          // The first round warms caches and plans.
          if (round > 0) figures.set(name, [...(figures.get(name) ?? []), figure]);
        }
      }
      console.log(
        '| case | messages a second | p50 ms | p99 ms | PostgreSQL, ms a message | servers, ms a message |\n|---|---|---|---|---|---|',
      );
      const median = (name: string, of: keyof Figure) =>
        (figures.get(name) ?? []).map((figure) => figure[of]).sort((a, b) => a - b)[Math.floor(rounds / 2)] ??
        0;
      for (const name of Object.keys(cases))
        console.log(
          `| ${name} | ${median(name, 'perSecond').toFixed(0)} | ${median(name, 'p50').toFixed(1)} | ${median(name, 'p99').toFixed(1)} | ${median(name, 'postgres').toFixed(2)} | ${median(name, 'node').toFixed(2)} |`,
        );
    } finally {
      await Promise.all(senders.map((sender) => sender.stop()));
      await Promise.all([sending.kill(), receiving.kill()]);
      await services.close();
    }
  },
  { fsync: 'on', synchronous_commit: 'on' },
);

/** Everybody sends for a while. @returns milliseconds from sending to having received, of each message */
async function run(senders: readonly Sender[], pauseMs: number): Promise<number[]> {
  const until = performance.now() + seconds * 1_000;
  const delays: Promise<number>[] = [];
  await Promise.all(
    senders.map(async ({ say }) => {
      while (performance.now() < until) {
        const started = performance.now();
        const received = await say();
        delays.push(received().then((seenAt) => seenAt - started));
        if (pauseMs > 0) await wait(pauseMs * (0.5 + Math.random()));
      }
    }),
  );
  return Promise.all(delays);
}

/** Pairs of devices: the worker sends to one server, the recruiter listens at the other. */
async function ourSenders(
  services: Services,
  sending: ServerProcess,
  receiving: ServerProcess,
): Promise<Sender[]> {
  const senders: Sender[] = [];
  for (let n = 0; n < conversations; n += 1) {
    const { conversationId, worker, recruiter } = await makePair(services);
    const from = chatClient({ urls: [sending.url], token: worker.token, conversationId });
    const to = chatClient({ urls: [receiving.url], token: recruiter.token, conversationId });
    await to.connect();
    senders.push({
      async say() {
        const seq = await from.say('Are you there?');
        return () => to.whenSeen(seq);
      },
      stop() {
        from.stop();
        to.stop();
      },
    });
  }
  await wait(1_000);
  return senders;
}

/** The least that stores a message and tells another connection of it, which then reads it. */
async function bareSenders(url: string): Promise<Sender[]> {
  const pool = new pg.Pool({ connectionString: url, max: conversations });
  pool.on('error', () => {});
  await pool.query('create table bare_messages (id uuid primary key, body text not null)');
  const listener = new pg.Client(url);
  listener.on('error', () => {});
  await listener.connect();
  await listener.query('listen bare');
  const waiting = new Map<string, (at: number) => void>();
  const readers = new pg.Pool({ connectionString: url, max: conversations });
  readers.on('error', () => {});
  listener.on('notification', ({ payload = '' }) => {
    void readers
      .query('select body from bare_messages where id = $1', [payload])
      .then(() => waiting.get(payload)?.(performance.now()));
  });
  let stopping: Promise<unknown> | undefined;
  const stop = () => (stopping ??= Promise.all([listener.end(), readers.end(), pool.end()]));
  return Array.from({ length: conversations }, () => ({
    async say() {
      const id = newId(new Date());
      const seen = new Promise<number>((resolve) => waiting.set(id, resolve));
      const client = await pool.connect();
      try {
        await client.query('begin');
        await client.query('insert into bare_messages values ($1, $2)', [id, 'Are you there?']);
        await client.query('select pg_notify($1, $2)', ['bare', id]);
        await client.query('commit');
      } finally {
        client.release();
      }
      return () => seen;
    },
    stop: () => stop(),
  }));
}

function at(delays: readonly number[], share: number): number {
  return delays.toSorted((a, b) => a - b)[Math.floor(delays.length * share)] ?? Number.NaN;
}
