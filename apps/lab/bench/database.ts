import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {
  findPostmaster,
  openCluster,
  startCluster,
  stopCluster,
} from '@nearhand/api/src/platform/database/database-cluster.ts';
import { clusterUrl } from '@nearhand/api/src/platform/database/database-server.ts';
import { migrate } from '@nearhand/api/src/platform/database/migrate.ts';
import pg from 'pg';
import { loadJobs } from './load.ts';

export type BenchServer = {
  /** Loaded once and reused while migrations and loader are unchanged. */
  databaseOf(jobs: number): Promise<string>;
  postmaster: number;
  superuserUrl: string;
  stop(): Promise<void>;
};

/** Durable settings; a quarter of the memory for its buffers, as its manual advises, at most 4 GB. */
export async function startBenchServer(
  folder: string,
  say: (line: string) => void,
  firstPort = 22_100,
): Promise<BenchServer> {
  const buffers = Math.min(4096, Math.floor(os.totalmem() / 4 / 1024 / 1024));
  const cluster = await openCluster({ folder, settings: { shared_buffers: `${buffers}MB` }, onStep: say });
  const port = await startCluster(cluster, firstPort);
  const superuserUrl = clusterUrl(cluster, port, { user: 'postgres', database: 'postgres' });
  const superuser = new pg.Client(superuserUrl);
  await superuser.connect();
  await superuser.query(
    `do $$ begin if not exists (select from pg_roles where rolname = 'nearhand')
      then create role nearhand login password ${superuser.escapeLiteral(cluster.password)}; end if; end $$`,
  );
  const running = await findPostmaster(cluster);
  return {
    postmaster: running?.pid ?? 0,
    superuserUrl,
    async databaseOf(jobs) {
      const name = `bench_${jobs}_${await digestOfSources()}`;
      const url = new URL(clusterUrl(cluster, port, { user: 'nearhand', database: 'nearhand' }));
      url.pathname = `/${name}`;
      const { rows } = await superuser.query<{ name: string }>(
        `select datname as name from pg_database where starts_with(datname, $1)`,
        [`bench_${jobs}_`],
      );
      const isReady = rows.some((row) => row.name === name) && (await isLoaded(url.href));
      if (isReady) return url.href;
      for (const row of rows) await superuser.query(`drop database ${row.name} with (force)`);
      await superuser.query(`create database ${name} owner nearhand`);
      await migrate(url.href, { log: { info: () => {}, warn: say } });
      const client = new pg.Client(url.href);
      await client.connect();
      await loadJobs(client, jobs, say);
      await client.query('create table bench_loaded as select now() as at');
      await client.end();
      return url.href;
    },
    async stop() {
      await superuser.end();
      await stopCluster(cluster);
    },
  };
}

async function isLoaded(url: string): Promise<boolean> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query(`select to_regclass('bench_loaded') is not null as loaded`);
  await client.end();
  return rows[0]?.loaded === true;
}

async function digestOfSources(): Promise<string> {
  const migrations = path.resolve(import.meta.dirname, '../../api/migrations');
  const files = (await readdir(migrations)).sort().map((name) => path.join(migrations, name));
  const hash = createHash('sha256');
  for (const file of [...files, path.join(import.meta.dirname, 'load.ts')]) hash.update(await readFile(file));
  return hash.digest('hex').slice(0, 12);
}
