import { parseArgs } from 'node:util';
import { findPostmaster } from '@nearhand/api/src/platform/database/database-cluster.ts';
import { serverProcess } from '../experiments/money/server-process.ts';
import { openServices } from '../experiments/money/services.ts';
import { onThrowAwayDatabase } from '../experiments/throw-away-database.ts';
import { at, bareSenders, ourSenders, type Sender, sendFor } from './chat-senders.ts';
import { cpuOf, cpuOfPostgres } from './processes.ts';

/**
 * `node apps/lab/bench/chat.ts [--seconds 8] [--rounds 5] [--redis URL]`: messages stored and delivered a second, and the time from sending to receiving across two server processes,
 * next to a bare insert and NOTIFY in the same run, in alternating rounds on one PostgreSQL with durable settings (docs/benchmarks.md). `busy` is eight conversations that send
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
const calmPauseMs = 100;

type Figure = { perSecond: number; p50: number; p99: number; postgres: number; node: number };

await onThrowAwayDatabase(
  async (url, own) => {
    const services = openServices(url, { connections: 20 });
    const settings = {
      CHAT_PER_MINUTE: '1000000',
      CHAT_BURST: '1000000',
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
          const delays = await sendFor(senders, seconds, pauseMs);
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
