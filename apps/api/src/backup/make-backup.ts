import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config/config.ts';
import { openCluster } from '../platform/database/database-cluster.ts';
import { clusterUrl, openDatabase } from '../platform/database/database-server.ts';
import { openPool } from '../platform/db.ts';
import { createFileStore } from '../platform/file-store/file-store.ts';
import { errorCode, StartRefusedError } from '../platform/start-refused.ts';
import { dumpDatabase, serverVersion } from './dump.ts';
import { copyCluster } from './embedded-copy.ts';
import { copyFiles, removeUnnamed } from './stored-files.ts';

export type BackupParts = { config: Config; clock: Clock; say(line: string): void };

/**
 * Backs up the database and stored files into `place`.
 * @param keep backups to keep; null for all
 */
export async function makeBackup(parts: BackupParts, place: string, keep: number | null): Promise<string> {
  const { clock, say } = parts;
  await mkdir(place, { recursive: true, mode: 0o700 });
  const name = nameAt(clock.now());
  const half = path.join(place, `${name}.part`);
  await mkdir(half, { mode: 0o700 }).catch((error) => {
    if (errorCode(error) === 'EEXIST')
      throw new StartRefusedError(`Another backup is being made in ${half}.`);
    throw error;
  });
  try {
    await writeManifest(half, await copyAll(parts, half, path.join(place, 'files')));
    await rename(half, path.join(place, name));
  } catch (error) {
    await rm(half, { recursive: true, force: true });
    throw error;
  }
  say(`The backup is in ${path.join(place, name)}.`);
  if (keep !== null) await removeOlder(place, keep, say);
  return path.join(place, name);
}

async function copyAll(
  { config, clock, say }: BackupParts,
  target: string,
  files: string,
): Promise<Manifest> {
  const data = path.resolve(config.DATA_DIR, 'postgres');
  const log = { info: () => {}, warn: say };
  const server = await openDatabase({ config, dataDir: data, log, join: true });
  const pool = openPool(server.url, 2, () => {});
  try {
    const store = createFileStore(config);
    // Copy files before the dump, in case some are deleted in the meantime, and again after it for new ones.
    const before = await copyFiles(pool.db, store, files);
    const madeAt = clock.now().toISOString();
    if (server.kind === 'given') await dumpDatabase(server.url, path.join(target, 'database.dump'));
    else {
      const cluster = await openCluster({ folder: data });
      const { port } = new URL(server.url);
      const superuser = clusterUrl(cluster, Number(port), { user: 'postgres', database: 'postgres' });
      await copyCluster(superuser, cluster.folder, path.join(target, 'postgres'));
    }
    const after = await copyFiles(pool.db, store, files);
    for (const id of after.missing) say(`The file ${id} has no bytes in the store, so the backup lacks it.`);
    if (!config.SECRET) await copyFile(path.join(config.DATA_DIR, 'secret'), path.join(target, 'secret'));
    const names = [...new Set([...before.names, ...after.names])].sort();
    say(`Database and ${names.length} files copied.`);
    return {
      madeAt,
      files: names,
      postgres: await serverVersion(server.url),
      database: server.kind === 'given' ? 'dump' : 'folder',
    };
  } finally {
    await pool.close();
    await server.stop();
  }
}

async function removeOlder(place: string, keep: number, say: (line: string) => void): Promise<void> {
  const all = await listBackups(place);
  const expired = all.slice(0, -keep);
  const current = all.slice(-keep);
  for (const name of expired) await rm(path.join(place, name), { recursive: true, force: true });
  const listedNames = new Set<string>();
  for (const name of current)
    for (const file of (await readManifest(path.join(place, name))).files) listedNames.add(file);
  const removed = await removeUnnamed(path.join(place, 'files'), listedNames);
  say(
    `Kept ${current.length} backups, removed ${expired.length} and ${removed} files that none of the rest has.`,
  );
}

type Manifest = z.infer<typeof manifest>;

const manifest = z.object({
  madeAt: z.iso.datetime(),
  /** `folder`: a copy of the embedded PostgreSQL's data. `dump`: an archive of pg_dump. */
  database: z.enum(['folder', 'dump']),
  postgres: z.string(),
  /** Names in the `files` folder that all backups share. */
  files: z.array(z.string()),
});

const fileName = 'manifest.json';
const backupName = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/;

const nameAt = (at: Date): string => `${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z`;

const writeManifest = (folder: string, content: Manifest): Promise<void> =>
  writeFile(path.join(folder, fileName), `${JSON.stringify(content, null, 1)}\n`, { mode: 0o600 });

/** @throws StartRefusedError unless the folder is a complete backup */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(path.join(folder, fileName), 'utf8').catch(() => null);
  if (text === null)
    throw new StartRefusedError(
      `${folder} is no backup: name the folder with the time, which has a ${fileName}.`,
    );
  return manifest.parse(JSON.parse(text));
}

/** Complete backups, oldest first. Unfinished ones end in `.part`. */
async function listBackups(place: string): Promise<string[]> {
  return (await readdir(place)).filter((name) => backupName.test(name)).sort();
}
