import { parseArgs } from 'node:util';
import { clearing, line, makeEntry } from '@nearhand/api/src/money/ledger/ledger.fixtures.ts';
import { foldBalances, type LedgerAccount } from '@nearhand/api/src/money/ledger/ledger.service.ts';
import { systemClock } from '@nearhand/api/src/platform/clock.ts';
import { findPostmaster } from '@nearhand/api/src/platform/database/database-cluster.ts';
import { openPool } from '@nearhand/api/src/platform/db.ts';
import { type SignalsOut, throughPostgres } from '@nearhand/api/src/platform/emit.ts';
import { createLog } from '@nearhand/api/src/platform/log.ts';
import { createPostgresBus } from '@nearhand/api/src/platform/realtime/realtime-postgres.ts';
import { createRedisBus } from '@nearhand/api/src/platform/realtime/redis-signals.ts';
import { createSign } from '@nearhand/api/src/platform/sign.ts';
import { redisProcess } from '../../experiments/chat/redis-process.ts';
import { onThrowAwayDatabase } from '../../experiments/throw-away-database.ts';
import { cpuOfPostgres } from '../processes.ts';

/**
 * `node apps/lab/bench/scale/signals.ts [--entries 1000] [--rounds 7]`: what signals cost the ledger. Eight clients post entries of two lines without signals, with a NOTIFY in
 * each transaction, with the bus on PostgreSQL, and over Redis, in alternating rounds on one PostgreSQL with durable settings (docs/benchmarks.md).
 */
const { values } = parseArgs({
  options: { entries: { type: 'string', default: '1000' }, rounds: { type: 'string', default: '7' } },
});
const perRound = Number(values.entries);
const rounds = Number(values.rounds);
const clients = 8;
const top = 1_000_000_000;

const redis = redisProcess(20_590);
await redis.start();
try {
  await onThrowAwayDatabase(
    async (url, { cluster }) => {
      const postmaster = (await findPostmaster(cluster))?.pid ?? 0;
      const log = createLog({ LOG_LEVEL: 'silent' });
      const buses = [createPostgresBus(url, log), createRedisBus(redis.url, log)] as const;
      let received = 0;
      for (const bus of buses)
        bus.listen({
          notified: (notified) => {
            received += notified.length;
          },
          regained() {},
        });
      const ways: Record<string, SignalsOut> = {
        none: {},
        'NOTIFY in each transaction': throughPostgres,
        'PostgreSQL, many commits at once': buses[0].signals,
        Redis: buses[1].signals,
      };
      const scope = {
        clock: systemClock,
        sign: createSign('the secret of the benchmark, thirty-two and more'),
      };
      const pools = Object.entries(ways).map(([name, signals]) => ({
        name,
        ...openPool(url, clients, () => {}, signals),
        figures: [] as { perSecond: number; cpu: number; received: number }[],
      }));
      const people = Array.from({ length: 500 }, () => crypto.randomUUID());
      const pick = () => people[Math.floor(Math.random() * people.length)] as string;
      const [first] = pools;
      if (!first) throw new Error('no pool');
      for (const ownerId of people) {
        const business: LedgerAccount = { kind: 'business_balance', ownerId };
        await makeEntry(first.db, scope, [line(clearing, -top), line(business, top)]);
      }
      await foldBalances(first.db);
      for (let round = 0; round <= rounds; round += 1)
        for (const { db, figures } of round % 2 === 0 ? pools : pools.toReversed()) {
          const before = { cpu: cpuOfPostgres(postmaster), at: performance.now(), received };
          let left = perRound;
          await Promise.all(
            Array.from({ length: clients }, async () => {
              for (; left > 0; ) {
                left -= 1;
                const from: LedgerAccount = { kind: 'business_balance', ownerId: pick() };
                const to: LedgerAccount = { kind: 'worker_available', ownerId: pick() };
                await makeEntry(db, scope, [line(from, -1), line(to, 1)], { kind: 'clear' });
              }
            }),
          );
          const seconds = (performance.now() - before.at) / 1_000;
          await new Promise((resolve) => setTimeout(resolve, 200));
          // The first round warms caches and plans.
          if (round > 0)
            figures.push({
              perSecond: perRound / seconds,
              cpu: (cpuOfPostgres(postmaster) - before.cpu) / perRound,
              received: (received - before.received) / perRound,
            });
        }
      const median = (numbers: number[]) =>
        numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
      console.log(
        '| signals | entries a second | of none, same round | PostgreSQL, ms an entry | received per entry |\n|---|---|---|---|---|',
      );
      for (const { name, figures } of pools) {
        const share = median(
          figures.map(({ perSecond }, n) => perSecond / (first.figures[n]?.perSecond ?? 1)),
        );
        const of = (what: 'perSecond' | 'cpu' | 'received') => median(figures.map((figure) => figure[what]));
        console.log(
          `| ${name} | ${of('perSecond').toFixed(0)} | ${share.toFixed(2)} | ${of('cpu').toFixed(3)} | ${of('received').toFixed(2)} |`,
        );
      }
      for (const bus of buses) await bus.stop();
      for (const { close } of pools) await close();
    },
    { fsync: 'on', synchronous_commit: 'on' },
  );
} finally {
  await redis.kill();
}
