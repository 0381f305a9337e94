import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { copyCluster, placeCluster } from '@nearhand/api/src/backup/embedded-copy.ts';
import { startCluster } from '@nearhand/api/src/platform/database/database-cluster.ts';
import { clusterUrl } from '@nearhand/api/src/platform/database/database-server.ts';
import pg from 'pg';
import type { OwnCluster } from '../throw-away-database.ts';

const superuserOf = ({ cluster, port }: OwnCluster) =>
  clusterUrl(cluster, port, { user: 'postgres', database: 'postgres' });

export const primarySettings = { fsync: 'on', wal_level: 'replica', max_wal_senders: '4' };

export async function makeStandby(of: OwnCluster): Promise<OwnCluster> {
  const { cluster, port } = of;
  const folder = path.join(path.dirname(cluster.folder), 'standby');
  const copy = await mkdtemp(path.join(path.dirname(cluster.folder), 'copy-'));
  await copyCluster(superuserOf(of), cluster.folder, path.join(copy, 'data'));
  await writeFile(path.join(copy, 'data/standby.signal'), '');
  const primary = `host=127.0.0.1 port=${port} user=postgres password=${cluster.password}`;
  await appendFile(path.join(copy, 'data/postgresql.auto.conf'), `primary_conninfo = '${primary}'\n`);
  await placeCluster(path.join(copy, 'data'), folder);
  await rm(copy, { recursive: true });
  const standby = { ...cluster, folder };
  return { cluster: standby, port: await startCluster(standby, port + 1) };
}

export async function changeSettings(of: OwnCluster, to: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(to))
    await askCluster(of, `alter system set ${name} = '${value}'`);
  await askCluster(of, 'select pg_reload_conf()');
  await wait(500);
}

export async function askCluster(of: OwnCluster, statement: string): Promise<void> {
  const client = new pg.Client(superuserOf(of));
  await client.connect();
  await client.query(statement);
  await client.end();
}
