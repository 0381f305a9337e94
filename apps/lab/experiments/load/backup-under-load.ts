import { appendFile, chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { auditAll } from '@nearhand/api/src/backup/audit.ts';
import { copyCluster, placeCluster } from '@nearhand/api/src/backup/embedded-copy.ts';
import { makeBackup } from '@nearhand/api/src/backup/make-backup.ts';
import { restoreBackup } from '@nearhand/api/src/backup/restore-backup.ts';
import { fundBusiness } from '@nearhand/api/src/money/wallet/wallet.fixtures.ts';
import { systemClock } from '@nearhand/api/src/platform/clock.ts';
import { readConfig } from '@nearhand/api/src/platform/config/config.ts';
import {
  openCluster,
  startCluster,
  stopCluster,
} from '@nearhand/api/src/platform/database/database-cluster.ts';
import { clusterUrl, openDatabase } from '@nearhand/api/src/platform/database/database-server.ts';
import { migrate } from '@nearhand/api/src/platform/database/migrate.ts';
import { openPool } from '@nearhand/api/src/platform/db.ts';
import { createSign } from '@nearhand/api/src/platform/sign.ts';
import pg from 'pg';
import { callerAt, compareJobs, makeWriter, writeJobs } from '../drills/write-stream.ts';
import { serverProcess } from '../money/server-process.ts';
import { environment, openServices, secret } from '../money/services.ts';

const quiet = { info: () => {}, warn: () => {} };

/**
 * `npm run experiments -- backup`: a backup is made, and a moment noted, while clients write and money moves; then the server is killed. The backup is
 * restored, and the database brought back to the moment with PostgreSQL's archive: every write acknowledged before it is there, the audits find
 * nothing, and each is back within 5 minutes. The control restores a copy of the running data folder as it lies: it must not do.
 */
export async function backupUnderLoad(say: (line: string) => void): Promise<boolean> {
  const root = await mkdtemp(path.join(tmpdir(), `nearhand-test-${process.pid}-`));
  await chmod(root, 0o711);
  try {
    const right = await drill(root, say);
    say(`backup: ${right ? 'as it must be' : 'NOT as it must be'}`);
    return right;
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

const partsIn = (folder: string, say: (line: string) => void) => ({
  config: readConfig({ ...environment, DATA_DIR: folder }),
  clock: systemClock,
  say,
});

async function drill(root: string, say: (line: string) => void): Promise<boolean> {
  const data = path.join(root, 'data');
  const archive = path.join(root, 'archive');
  await mkdir(data);
  await mkdir(archive);
  await chmod(archive, 0o777);
  const settings = {
    archive_mode: 'on',
    archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f && chmod 644 ${archive}/%f`,
    archive_timeout: '5',
  };
  await openCluster({ folder: path.join(data, 'postgres'), settings });
  const database = await openDatabase({ dataDir: path.join(data, 'postgres'), log: quiet });
  await migrate(database.url, { log: quiet });
  const services = openServices(database.url);
  const server = await serverProcess({ databaseUrl: database.url });
  const cluster = await openCluster({ folder: path.join(data, 'postgres') });
  const superuser = clusterUrl(cluster, Number(new URL(database.url).port), {
    user: 'postgres',
    database: 'postgres',
  });
  let [stopped, base] = [false, ''];
  try {
    await server.start();
    const { token, businessId, accountId } = await makeWriter(services);
    const caller = callerAt({ port: Number(new URL(server.url).port) }, token);
    const stream = writeJobs(caller, businessId);
    let over = false;
    const money = (async () => {
      while (!over)
        await fundBusiness(services.db, services.scopeOf(accountId), businessId, { amountMinor: 100 });
    })();
    await wait(3_000);
    base = path.join(root, 'base');
    await copyCluster(superuser, cluster.folder, base);
    await wait(2_000);
    const beforeBackup = new Set(stream.acknowledged);
    const backupAt = performance.now();
    const backup = await makeBackup(
      partsIn(data, () => {}),
      path.join(root, 'backups'),
      null,
    );
    const backupMs = performance.now() - backupAt;
    await wait(2_000);
    const beforeMoment = new Set(stream.acknowledged);
    const { rows } = await services.pool.query<{ now: string }>('select clock_timestamp()::text as now');
    await wait(3_000);
    const client = new pg.Client(superuser);
    await client.connect();
    await client.query('select pg_switch_wal()');
    await client.end();
    await wait(3_000);
    over = true;
    await Promise.all([stream.stop(), money]);
    caller.close();
    await server.kill();
    await services.close();
    await database.stop();
    stopped = true;
    say(
      `backup: ${stream.acknowledged.size} writes acknowledged, the backup took ${(backupMs / 1_000).toFixed(1)} s next to them`,
    );
    const restored = await restoreIt(root, backup, beforeBackup, say);
    const moved = await goBackTo(root, { base, archive, moment: rows[0]?.now ?? '' }, beforeMoment, say);
    const control = await torn(root, base, say);
    return restored && moved && !control;
  } finally {
    if (!stopped) {
      await server.kill();
      await services.close().catch(() => {});
      await database.stop();
    }
  }
}

async function restoreIt(root: string, backup: string, before: Set<string>, say: (line: string) => void) {
  const at = performance.now();
  const target = path.join(root, 'restored');
  const fine = await restoreBackup(
    partsIn(target, (line) => say(`  ${line}`)),
    backup,
  );
  const ms = performance.now() - at;
  const database = await openDatabase({ dataDir: path.join(target, 'postgres'), log: quiet });
  const { lost, later } = await missingIn(database.url, before);
  await database.stop();
  say(
    `backup, restored: in ${(ms / 1_000).toFixed(1)} s; ${lost} of ${before.size} writes acknowledged before it are missing, ${later} later ones are in it; audits ${fine ? 'find nothing' : 'FOUND SOMETHING'}`,
  );
  return fine && lost === 0 && ms < 300_000;
}

type Moment = { base: string; archive: string; moment: string };

async function goBackTo(
  root: string,
  { base, archive, moment }: Moment,
  before: Set<string>,
  say: (line: string) => void,
) {
  const at = performance.now();
  const folder = path.join(root, 'moment/postgres');
  await writeFile(path.join(base, 'recovery.signal'), '');
  await appendFile(
    path.join(base, 'postgresql.auto.conf'),
    `restore_command = 'cp ${archive}/%f %p'\nrecovery_target_time = '${moment}'\nrecovery_target_action = 'promote'\narchive_mode = 'off'\n`,
  );
  await placeCluster(base, folder);
  const cluster = await openCluster({ folder });
  const port = await startCluster(cluster);
  const url = clusterUrl(cluster, port, { user: 'nearhand', database: 'nearhand' });
  const { db, pool, close } = openPool(url, 2, () => {});
  try {
    for (let recovering = true; recovering; ) {
      await wait(100);
      recovering = (await pool.query('select pg_is_in_recovery() as it')).rows[0].it;
    }
    const ms = performance.now() - at;
    const { lost, later } = await missingIn(url, before);
    const fine = await auditAll(db, { clock: systemClock, sign: createSign(secret) }, (line) =>
      say(`  ${line}`),
    );
    say(
      `backup, point in time: back in ${(ms / 1_000).toFixed(1)} s; ${lost} of ${before.size} writes acknowledged before the moment are missing, ${later} later ones are in it; audits ${fine ? 'find nothing' : 'FOUND SOMETHING'}`,
    );
    return fine && lost === 0 && ms < 300_000;
  } finally {
    await close();
    await stopCluster(cluster);
  }
}

/** A copy without its label, as `cp` of a running folder is: PostgreSQL starts it from the wrong place, or not at all. */
async function torn(root: string, base: string, say: (line: string) => void): Promise<boolean> {
  const folder = path.join(root, 'torn/postgres');
  for (const name of ['recovery.signal', 'backup_label']) await rm(path.join(base, name), { force: true });
  await rm(path.join(base, 'pg_wal'), { recursive: true });
  await mkdir(path.join(base, 'pg_wal'), { mode: 0o700 });
  await placeCluster(base, folder);
  const cluster = await openCluster({ folder });
  const started = await startCluster(cluster).then(
    () => true,
    () => false,
  );
  await stopCluster(cluster);
  say(`backup, negative control without label and log: PostgreSQL ${started ? 'started' : 'did not start'}`);
  return started;
}

/** Acknowledged writes that are missing, and jobs that came later. */
async function missingIn(url: string, acknowledged: Set<string>) {
  const services = openServices(url);
  try {
    const { lost } = await compareJobs(services, { acknowledged });
    const { rows } = await services.pool.query<{ count: number }>(
      `select count(*)::int from jobs where title like 'Drill %'`,
    );
    return { lost, later: (rows[0]?.count ?? 0) - acknowledged.size + lost };
  } finally {
    await services.close();
  }
}
