import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { copyCluster, placeCluster } from '@nearhand/api/src/backup/embedded-copy.ts';
import { openTcpProxy } from '@nearhand/api/src/platform/counterparts/tcp-proxy.fixtures.ts';
import {
  type Cluster,
  startCluster,
  stopCluster,
} from '@nearhand/api/src/platform/database/database-cluster.ts';
import { clusterUrl } from '@nearhand/api/src/platform/database/database-server.ts';
import pg from 'pg';
import { serverProcess } from '../money/server-process.ts';
import { openServices } from '../money/services.ts';
import { type OwnCluster, onThrowAwayDatabase, stopAtOnce } from '../throw-away-database.ts';
import { answersText, callerAt, compareJobs, makeWriter, writeJobs } from './write-stream.ts';

const settings = { fsync: 'on', wal_level: 'replica', max_wal_senders: '4' };

/**
 * `npm run experiments -- failover`: the primary is stopped as in a crash while clients write, its standby is promoted and the address leads there:
 * with remote_apply no acknowledged write is lost. The control's standby is asynchronous and a second behind: writes must be missing.
 */
export async function failover(say: (line: string) => void): Promise<boolean> {
  const real = await switchOver(say, true);
  const control = await switchOver(say, false);
  const right = real === 0 && control > 0;
  say(`failover: ${right ? 'as it must be' : 'NOT as it must be'}`);
  return right;
}

async function switchOver(say: (line: string) => void, synchronous: boolean): Promise<number> {
  let faults = Number.NaN;
  await onThrowAwayDatabase(async (url, own) => {
    const standby = await makeStandby(own);
    const primaryAddress = { host: '127.0.0.1', port: own.port };
    const proxy = await openTcpProxy(primaryAddress);
    const through = new URL(url);
    through.port = String(proxy.port);
    const services = openServices(through.href);
    const server = await serverProcess({ databaseUrl: through.href });
    try {
      if (synchronous)
        await change(own.cluster, own.port, {
          synchronous_standby_names: '*',
          synchronous_commit: 'remote_apply',
        });
      else await change(own.cluster, own.port, { synchronous_commit: 'on' });
      await server.start();
      const { token, businessId } = await makeWriter(services);
      const caller = callerAt({ port: Number(new URL(server.url).port) }, token);
      const stream = writeJobs(caller, businessId);
      await wait(4_000);
      if (!synchronous) {
        await change(standby.cluster, standby.port, { primary_conninfo: '' });
        await wait(1_000);
      }
      const at = performance.now();
      await stopAtOnce(own);
      await ask(standby.cluster, standby.port, 'select pg_promote()');
      proxy.leadTo({ host: '127.0.0.1', port: standby.port });
      const before = stream.acknowledged.size;
      while (stream.acknowledged.size === before) await wait(20);
      const backMs = performance.now() - at;
      await wait(2_000);
      await stream.stop();
      caller.close();
      const { lost, doubled } = await compareJobs(services, stream);
      faults = lost + doubled;
      say(
        `failover${synchronous ? '' : ', negative control asynchronous'}: ${stream.acknowledged.size} writes acknowledged, ${answersText(stream)}; writing again ${(backMs / 1_000).toFixed(1)} s after the crash; ${lost} lost, ${doubled} doubled`,
      );
    } finally {
      await server.kill();
      await services.close();
      await proxy.close();
      await stopCluster(standby.cluster);
    }
  }, settings);
  return faults;
}

/** A standby that follows the cluster, from a copy made while it runs. */
async function makeStandby({ cluster, port }: OwnCluster): Promise<OwnCluster> {
  const folder = path.join(path.dirname(cluster.folder), 'standby');
  const copy = await mkdtemp(path.join(path.dirname(cluster.folder), 'copy-'));
  const superuser = clusterUrl(cluster, port, { user: 'postgres', database: 'postgres' });
  await copyCluster(superuser, cluster.folder, path.join(copy, 'data'));
  await writeFile(path.join(copy, 'data/standby.signal'), '');
  const primary = `host=127.0.0.1 port=${port} user=postgres password=${cluster.password}`;
  await appendFile(path.join(copy, 'data/postgresql.auto.conf'), `primary_conninfo = '${primary}'\n`);
  await placeCluster(path.join(copy, 'data'), folder);
  await rm(copy, { recursive: true });
  const standby = { ...cluster, folder };
  return { cluster: standby, port: await startCluster(standby, port + 1) };
}

async function change(cluster: Cluster, port: number, to: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(to))
    await ask(cluster, port, `alter system set ${name} = '${value}'`);
  await ask(cluster, port, 'select pg_reload_conf()');
  await wait(500);
}

async function ask(cluster: Cluster, port: number, statement: string): Promise<void> {
  const client = new pg.Client(clusterUrl(cluster, port, { user: 'postgres', database: 'postgres' }));
  await client.connect();
  await client.query(statement);
  await client.end();
}
