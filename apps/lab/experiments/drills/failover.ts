import { setTimeout as wait } from 'node:timers/promises';
import { openTcpProxy } from '@nearhand/api/src/platform/counterparts/tcp-proxy.fixtures.ts';
import { stopCluster } from '@nearhand/api/src/platform/database/database-cluster.ts';
import { serverProcess } from '../money/server-process.ts';
import { openServices } from '../money/services.ts';
import { onThrowAwayDatabase, stopAtOnce } from '../throw-away-database.ts';
import { askCluster, changeSettings, makeStandby, primarySettings } from './standby.ts';
import { answersText, callerAt, compareJobs, makeWriter, writeJobs } from './write-stream.ts';

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
        await changeSettings(own, {
          synchronous_standby_names: '*',
          synchronous_commit: 'remote_apply',
        });
      else await changeSettings(own, { synchronous_commit: 'on' });
      await server.start();
      const { token, businessId } = await makeWriter(services);
      const caller = callerAt({ port: Number(new URL(server.url).port) }, token);
      const stream = writeJobs(caller, businessId);
      await wait(4_000);
      if (!synchronous) {
        await changeSettings(standby, { primary_conninfo: '' });
        await wait(1_000);
      }
      const at = performance.now();
      await stopAtOnce(own);
      await askCluster(standby, 'select pg_promote()');
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
  }, primarySettings);
  return faults;
}
