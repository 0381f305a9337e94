import { existsSync } from 'node:fs';
import { access, chmod, constants, mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import {
  type Cluster,
  findPostmaster,
  isAlive,
  openCluster,
  startCluster,
  stopCluster,
} from '../src/platform/database/database-cluster.ts';
import { clusterUrl } from '../src/platform/database/database-server.ts';
import { migrate } from '../src/platform/database/migrate.ts';
import { watchSql } from './signal-watch.ts';

/** Every test database is a copy of one of these; the second has the watch of signals (`signal-watch.ts`). */
const TEMPLATE = 'nearhand_template';
const WATCHED_TEMPLATE = 'nearhand_watched_template';

const memory = '/dev/shm';
const fewestBytes = 4 * 1024 ** 3;

declare module 'vitest' {
  interface ProvidedContext {
    testServer: { superuserUrl: string; template: string; watchedTemplate: string; owner: string };
  }
}

/** Starts a throwaway PostgreSQL with its own folder and port, so that runs don't collide. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Leftovers of a killed run may fill the memory.
  for (const place of new Set([memory, tmpdir()])) if (existsSync(place)) await removeLeftovers(place);
  const scratch = await scratchFolder();
  const folder = await mkdtemp(path.join(scratch, `nearhand-test-${process.pid}-`));
  // mkdtemp lets only its creator in, and as root PostgreSQL runs as another user.
  await chmod(folder, 0o711);
  const cluster = await openCluster({ folder: path.join(folder, 'postgres'), settings: THROW_AWAY });
  const port = await startCluster(cluster, 20_000 + Math.floor(Math.random() * 10_000));
  await makeTemplate(cluster, port);
  project.provide('testServer', {
    superuserUrl: clusterUrl(cluster, port, { user: 'postgres', database: 'postgres' }),
    template: TEMPLATE,
    watchedTemplate: WATCHED_TEMPLATE,
    owner: 'nearhand',
  });
  return async () => {
    await stopCluster(cluster);
    await rm(folder, { recursive: true, force: true });
  };
}

/** Test data need not survive a power cut. */
const THROW_AWAY = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  // It would only compete with the tests.
  autovacuum: 'off',
  // Keeps the log small, since it may be in memory.
  max_wal_size: '256MB',
};

async function makeTemplate(cluster: Cluster, port: number): Promise<void> {
  const client = new pg.Client(clusterUrl(cluster, port, { user: 'postgres', database: 'postgres' }));
  await client.connect();
  await client.query(`create role nearhand login password ${client.escapeLiteral(cluster.password)}`);
  await client.query(`create database ${TEMPLATE} owner nearhand`);
  const quiet = { info: () => {}, warn: () => {} };
  await migrate(clusterUrl(cluster, port, { user: 'nearhand', database: TEMPLATE }), { log: quiet });
  // A template can't be copied while it has sessions.
  await client.query(`alter database ${TEMPLATE} allow_connections false`);
  await client.query(`create database ${WATCHED_TEMPLATE} template ${TEMPLATE} owner nearhand`);
  const watched = new pg.Client(clusterUrl(cluster, port, { user: 'nearhand', database: WATCHED_TEMPLATE }));
  await watched.connect();
  await watched.query(watchSql);
  await watched.end();
  await client.query(`alter database ${WATCHED_TEMPLATE} allow_connections false`);
  await client.end();
}

/** A folder in memory if there is room: on a disk, creating a database's 1,000 files takes longer than using them. */
async function scratchFolder(): Promise<string> {
  if (process.availableMemory() < 2 * fewestBytes) return tmpdir();
  try {
    await access(memory, constants.R_OK | constants.W_OK | constants.X_OK);
    const { bavail, bsize } = await statfs(memory);
    return bavail * bsize >= fewestBytes ? memory : tmpdir();
  } catch {
    // Only Linux has this folder, and it may be closed to this user.
    return tmpdir();
  }
}

/** The number in a folder's name is the process id of its run. */
async function removeLeftovers(place: string): Promise<void> {
  for (const name of await readdir(place)) {
    const pid = /^nearhand-(?:test|tables|statements)-(\d+)/.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const folder = path.join(place, name);
    try {
      for (const data of [folder, path.join(folder, 'postgres')]) {
        const server = await findPostmaster({ folder: data });
        if (server) process.kill(server.pid, 'SIGQUIT');
      }
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    } catch {
      // Another user's, or still stopping: a later run tries again.
    }
  }
}
