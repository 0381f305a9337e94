import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type Cluster,
  findPostmaster,
  isAlive,
  openCluster,
  startCluster,
  stopCluster,
} from '@nearhand/api/src/platform/database/database-cluster.ts';
import { clusterUrl } from '@nearhand/api/src/platform/database/database-server.ts';
import { migrate } from '@nearhand/api/src/platform/database/migrate.ts';
import pg from 'pg';

export type OwnCluster = { cluster: Cluster; port: number };

const fastest = { fsync: 'off', synchronous_commit: 'off' };

/**
 * Runs an experiment on a separate, empty, migrated PostgreSQL.
 * @param settings of the server; by default the fastest and least durable ones
 */
export async function onThrowAwayDatabase(
  work: (url: string, own: OwnCluster) => Promise<void>,
  settings: Record<string, string> = fastest,
): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), `nearhand-test-${process.pid}-`));
  // mkdtemp lets only its creator in, and as root PostgreSQL runs as another user.
  await chmod(folder, 0o711);
  const cluster = await openCluster({
    folder: path.join(folder, 'postgres'),
    settings: { ...settings, max_connections: '200' },
  });
  try {
    const port = await startCluster(cluster, 20_000 + Math.floor(Math.random() * 10_000));
    const client = new pg.Client(clusterUrl(cluster, port, { user: 'postgres', database: 'postgres' }));
    await client.connect();
    await client.query(`create role nearhand login password ${client.escapeLiteral(cluster.password)}`);
    await client.query('create database experiment owner nearhand');
    await client.end();
    const url = clusterUrl(cluster, port, { user: 'nearhand', database: 'experiment' });
    await migrate(url, { log: { info: () => {}, warn: () => {} } });
    await work(url, { cluster, port });
  } finally {
    await stopCluster(cluster);
    await rm(folder, { recursive: true, force: true });
  }
}

export async function stopAtOnce({ cluster }: OwnCluster): Promise<void> {
  const running = await findPostmaster(cluster);
  if (!running) throw new Error('PostgreSQL is not running');
  process.kill(running.pid, 'SIGQUIT');
  while (isAlive(running.pid)) await wait(10);
}
