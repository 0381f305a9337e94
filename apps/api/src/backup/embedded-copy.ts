import { chown, copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { chooseRunUser, type RunUser } from '../platform/database/database-binaries.ts';
import { errorCode, StartRefusedError } from '../platform/start-refused.ts';

/** Folders whose content a starting PostgreSQL recreates; the folders themselves must exist. */
const emptied = [
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
];
const skipped = /^(postmaster\.(pid|opts)|server\.log.*|pgsql_tmp.*|current_logfiles)$/;

/** Makes a low-level base backup. Unlike a dump, it keeps the transaction counter. */
export async function copyCluster(superuserUrl: string, data: string, target: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl, application_name: 'nearhand backup' });
  client.on('error', () => {});
  await client.connect();
  try {
    // Without the slot, a checkpoint could recycle WAL that the copy needs.
    const slot = `nearhand_backup_${process.pid}`;
    await client.query('select pg_create_physical_replication_slot($1, true, true)', [slot]);
    const began = await client.query<{ segment: string }>(
      `select pg_walfile_name(pg_backup_start('nearhand', true)) as segment`,
    );
    await copyFolder(data, target, true);
    const ended = await client.query<{ segment: string; label: string }>(
      'select pg_walfile_name(lsn) as segment, labelfile as label from pg_backup_stop(false)',
    );
    const from = began.rows[0]?.segment ?? '';
    const to = ended.rows[0]?.segment ?? '';
    for (const name of await readdir(path.join(data, 'pg_wal')))
      if (/^[0-9A-F]{24}$/.test(name) && name >= from && name <= to)
        await copyFile(path.join(data, 'pg_wal', name), path.join(target, 'pg_wal', name));
    await writeFile(path.join(target, 'backup_label'), ended.rows[0]?.label ?? '', { mode: 0o600 });
  } finally {
    await client.end();
  }
}

/** @throws StartRefusedError if the folder already has data */
export async function placeCluster(copy: string, data: string): Promise<void> {
  const there = await readdir(data).catch(() => []);
  if (there.length > 0)
    throw new StartRefusedError(
      `${data} has data already; nothing was changed: move it away, or set another DATA_DIR.`,
    );
  await mkdir(path.dirname(data), { recursive: true });
  await copyFolder(copy, data, false, await chooseRunUser(path.dirname(data)));
}

async function copyFolder(from: string, to: string, live: boolean, owner?: RunUser): Promise<void> {
  const setOwner = async (name: string) => {
    if (owner) await chown(name, owner.uid, owner.gid);
  };
  await mkdir(to, { recursive: true, mode: 0o700 });
  await setOwner(to);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = path.join(from, entry.name);
    const target = path.join(to, entry.name);
    if (live && skipped.test(entry.name)) continue;
    if (entry.isDirectory()) {
      if (live && emptied.includes(entry.name)) await mkdir(target, { mode: 0o700 });
      else await copyFolder(source, target, live, owner);
      continue;
    }
    try {
      await copyFile(source, target);
      await setOwner(target);
    } catch (error) {
      // Replaying the WAL removes a table that was dropped during the copy.
      if (!live || errorCode(error) !== 'ENOENT') throw error;
    }
  }
}
