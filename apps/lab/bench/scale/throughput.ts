import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { jobInput } from '@nearhand/api/src/hiring/jobs/jobs.fixtures.ts';
import { systemClock } from '@nearhand/api/src/platform/clock.ts';
import { findPostmaster, stopCluster } from '@nearhand/api/src/platform/database/database-cluster.ts';
import pg from 'pg';
import { redisProcess } from '../../experiments/chat/redis-process.ts';
import { makeStandby, primarySettings } from '../../experiments/drills/standby.ts';
import { makeWriter } from '../../experiments/drills/write-stream.ts';
import { serverProcess } from '../../experiments/money/server-process.ts';
import { openServices } from '../../experiments/money/services.ts';
import { onThrowAwayDatabase } from '../../experiments/throw-away-database.ts';
import { type BenchRequest, nearbyPath } from '../cases.ts';
import { loadJobs } from '../load.ts';
import { makeProbes } from '../probes.ts';
import { cpuOf, cpuOfPostgres } from '../processes.ts';

/**
 * `node apps/lab/bench/scale/throughput.ts [--requests 1200] [--jobs 20000] [--rounds 3]`: what 1, 2 and 4 server processes answer, with and without a replica, with signals over
 * PostgreSQL and over Redis (docs/benchmarks.md). Of ten calls seven search nearby, two read a job and one writes a draft. Eight clients per process.
 */
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '1200' },
    jobs: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '3' },
  },
});
const [requests, jobs, rounds] = [Number(values.requests), Number(values.jobs), Number(values.rounds)];
const clientsEach = '8';
const say = (line: string) => console.log(line);

type Setup = { processes: number; replica: boolean; redis: boolean };
type Figure = { perSecond: number; node: number; primary: number; replica: number; p99: number };

const setups: Setup[] = [1, 2, 4].flatMap((processes) =>
  [false, true].flatMap((replica) => [false, true].map((redis) => ({ processes, replica, redis }))),
);

const redis = redisProcess(20_591);
await redis.start();
try {
  await onThrowAwayDatabase(async (url, own) => {
    const client = new pg.Client(url);
    await client.connect();
    await loadJobs(client, jobs, () => {});
    const probes = await makeProbes(client, 200);
    const { rows } = await client.query<{ id: string }>(
      `select id from jobs where status = 'open' order by md5(id::text) limit 200`,
    );
    await client.query('vacuum analyze');
    await client.end();
    const services = openServices(url);
    const { token, businessId } = await makeWriter(services);
    const standby = await makeStandby(own);
    const readUrl = new URL(url);
    readUrl.port = String(standby.port);
    const pidOf = async (cluster: typeof own.cluster) => (await findPostmaster(cluster))?.pid ?? 0;
    const [primaryPid, replicaPid] = [await pidOf(own.cluster), await pidOf(standby.cluster)];
    const body = JSON.stringify(jobInput(systemClock, {}));
    const requestAt = (at: number): BenchRequest => {
      const [probe, job] = [probes[at % probes.length], rows[at % rows.length]];
      if (at % 10 === 0)
        return {
          method: 'POST',
          path: `/api/businesses/${businessId}/jobs`,
          token,
          body,
          key: crypto.randomUUID(),
        };
      return at % 10 < 3 || !probe
        ? { method: 'GET', path: `/api/jobs/${job?.id}`, token }
        : { method: 'GET', path: nearbyPath(probe, {}), token };
    };
    const figures = new Map<Setup, Figure[]>(setups.map((setup) => [setup, []]));
    for (const setup of setups) {
      const settings = {
        ...(setup.replica ? { DATABASE_READ_URL: readUrl.href } : {}),
        ...(setup.redis ? { REDIS_URL: redis.url } : {}),
      };
      const servers = await Promise.all(
        Array.from({ length: setup.processes }, () => serverProcess({ databaseUrl: url, settings })),
      );
      try {
        for (const server of servers) await server.start();
        const nodeCpu = () => servers.reduce((sum, server) => sum + (cpuOf(server.pid() ?? 0)?.ms ?? 0), 0);
        for (let round = 0; round <= rounds; round += 1) {
          const each = Math.ceil(requests / setup.processes);
          const before = {
            node: nodeCpu(),
            primary: cpuOfPostgres(primaryPid),
            replica: cpuOfPostgres(replicaPid),
          };
          const at = performance.now();
          const answers = await Promise.all(
            servers.map((server, n) =>
              drive(
                server.url,
                Array.from({ length: each }, (_, i) => requestAt(n * each + i)),
              ),
            ),
          );
          const seconds = (performance.now() - at) / 1_000;
          const sent = each * setup.processes;
          const failed = answers.reduce((sum, answer) => sum + answer.failed, 0);
          if (failed > 0) throw new Error(`${failed} of ${sent} calls failed`);
          // The first round warms caches and plans.
          if (round > 0)
            figures.get(setup)?.push({
              perSecond: sent / seconds,
              node: (nodeCpu() - before.node) / sent,
              primary: (cpuOfPostgres(primaryPid) - before.primary) / sent,
              replica: (cpuOfPostgres(replicaPid) - before.replica) / sent,
              p99: Math.max(...answers.map(({ p99 }) => p99)),
            });
        }
      } finally {
        await Promise.all(servers.map((server) => server.kill()));
      }
      process.stderr.write(`measured ${setups.indexOf(setup) + 1} of ${setups.length}\n`);
    }
    print(figures);
    await services.close();
    await stopCluster(standby.cluster);
  }, primarySettings);
} finally {
  await redis.kill();
}

async function drive(url: string, load: readonly BenchRequest[]): Promise<{ p99: number; failed: number }> {
  const { port } = new URL(url);
  const file = `/tmp/nearhand-throughput-${process.pid}-${port}.json`;
  writeFileSync(file, JSON.stringify(load));
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...[path.join(import.meta.dirname, '../client.ts'), file, port, clientsEach],
  ]);
  return JSON.parse(stdout) as { p99: number; failed: number };
}

/** `per core`: what one core would answer if it did nothing else; the largest part of a call's time is what saturates first. */
function print(figures: ReadonlyMap<Setup, readonly Figure[]>): void {
  say(
    '| processes | replica | signals | calls a second | node, ms a call | primary | replica | calls a second and core | p99 ms | largest part |\n|---|---|---|---|---|---|---|---|---|---|',
  );
  for (const [{ processes, replica, redis: byRedis }, rounds] of figures) {
    const median = (of: keyof Figure) =>
      rounds.map((figure) => figure[of]).sort((a, b) => a - b)[Math.floor(rounds.length / 2)] ?? 0;
    const parts = {
      node: median('node') / processes,
      primary: median('primary'),
      replica: median('replica'),
    };
    const [largest] = Object.entries(parts).sort(([, a], [, b]) => b - a);
    const all = median('node') + parts.primary + parts.replica;
    say(
      `| ${processes} | ${replica ? 'yes' : 'no'} | ${byRedis ? 'Redis' : 'PostgreSQL'} | ${median('perSecond').toFixed(0)} | ${median('node').toFixed(2)} | ${parts.primary.toFixed(2)} | ${parts.replica.toFixed(2)} | ${(1_000 / all).toFixed(0)} | ${median('p99').toFixed(0)} | ${largest?.[0]} |`,
    );
  }
}
