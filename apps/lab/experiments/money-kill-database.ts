import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startCluster } from '@nearhand/api/src/platform/database/database-cluster.ts';
import { type CrashResult, crashFigures, crashRun } from './money/crash-run.ts';
import { addFault, signalFaults } from './money/release-faults.ts';
import { type ServerProcess, serverProcess } from './money/server-process.ts';
import { openServices } from './money/services.ts';
import { onThrowAwayDatabase, stopAtOnce } from './throw-away-database.ts';

export type StopOptions = {
  releases: number;
  stops: number;
  clients: number;
  port?: number;
  asyncCommit?: boolean;
};

/** The shipped settings: no committed row may be lost. */
const durable = { fsync: 'on', synchronous_commit: 'on' };
/** The negative control: a commit is reported before it is durable. */
const forgetful = { fsync: 'on', synchronous_commit: 'off', wal_writer_delay: '10s' };
const backWithinMs = 60_000;

/**
 * `npm run experiments -- kill-database [--releases 2000] [--stops 20] [--clients 8] [--break async-commit]`
 * A server approves work while its PostgreSQL is stopped with SIGQUIT and restarted.
 */
export async function killDatabase(say: (line: string) => void): Promise<boolean> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { releases: text, stops: text, clients: text, port: text, break: text },
  });
  const { faults } = await killDatabaseOn(
    {
      releases: Number(values.releases ?? 2_000),
      stops: Number(values.stops ?? 20),
      clients: Number(values.clients ?? 8),
      ...(values.port ? { port: Number(values.port) } : {}),
      asyncCommit: values.break === 'async-commit',
    },
    say,
  );
  const right = faults.size > 0 === (values.break !== undefined);
  say(
    `kill-database: ${right ? 'as it must be' : 'NOT as it must be'}${values.break ? ' (negative control)' : ''}`,
  );
  return right;
}

export async function killDatabaseOn(
  options: StopOptions,
  say: (line: string) => void,
): Promise<Pick<CrashResult, 'faults'>> {
  let faults: CrashResult['faults'] = new Map();
  await onThrowAwayDatabase(
    async (url, own) => {
      const services = openServices(url);
      const server = await serverProcess({ databaseUrl: url, port: options.port });
      const ends: string[] = [];
      const breakIt = async () => {
        await stopAtOnce(own);
        await startCluster(own.cluster, own.port);
        if (await isBack(server)) return;
        ends.push(server.isRunning() ? 'it did not come back' : `it ended: ${server.said()}`);
        await server.kill();
        await server.start();
      };
      try {
        const crash = { ...options, breaks: options.stops, workers: 200 };
        const result = await crashRun(services, server, crash, breakIt, say);
        for (const end of ends) addFault(result.faults, 'the server did not survive', end);
        for (const line of crashFigures('kill-database', 'PostgreSQL was stopped at once', crash, result))
          say(line);
        for (const line of signalFaults(result.faults)) say(line);
        faults = result.faults;
      } finally {
        await server.kill();
        await services.close();
      }
    },
    options.asyncCommit ? forgetful : durable,
  );
  return { faults };
}

async function isBack(server: ServerProcess): Promise<boolean> {
  const until = performance.now() + backWithinMs;
  while (server.isRunning() && performance.now() < until) {
    const answer = await fetch(`${server.url}/health/ready`).catch(() => null);
    await answer?.body?.cancel();
    if (answer?.ok) return true;
    await wait(20);
  }
  return false;
}
