import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Db } from '../platform/db.ts';
import type { FileStore } from '../platform/file-store/file-store.ts';

export type BackedUpFile = { id: string; name: string };

const page = 5_000;
const copiesAtOnce = 8;

/** Every file in the database. Its name includes the key, since re-encryption changes the bytes. */
async function* listFiles(db: Db): AsyncGenerator<BackedUpFile[]> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const rows = await db
      .selectFrom('files')
      .select(['id', 'keyId'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(page)
      .execute();
    yield rows.map(({ id, keyId }) => ({ id, name: keyId === null ? id : `${id}@${keyId}` }));
    const last = rows.at(-1);
    if (!last || rows.length < page) return;
    after = last.id;
  }
}

const pathInBackup = (folder: string, name: string) => path.join(folder, name.slice(34, 36), name);

/**
 * Copies missing files.
 * @returns the names present, and the ids of files without bytes
 */
export async function copyFiles(db: Db, store: FileStore, folder: string) {
  const names: string[] = [];
  const missing: string[] = [];
  for await (const files of listFiles(db))
    await eachOf(files, async ({ id, name }) => {
      if (
        (await exists(pathInBackup(folder, name))) ||
        (await copyOne(store, id, pathInBackup(folder, name)))
      )
        names.push(name);
      else missing.push(id);
    });
  return { names, missing };
}

async function copyOne(store: FileStore, id: string, target: string): Promise<boolean> {
  const bytes = await store.open(id);
  if (bytes === null) return false;
  await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
  await pipeline(bytes, createWriteStream(`${target}.part`, { mode: 0o600 })).catch(async (error) => {
    await rm(`${target}.part`, { force: true });
    throw error;
  });
  await rename(`${target}.part`, target);
  return true;
}

/**
 * Copies the restored database's files into its store.
 * @returns the ids of files missing from the backup
 */
export async function restoreFiles(db: Db, store: FileStore, folder: string) {
  const missing: string[] = [];
  let restored = 0;
  for await (const files of listFiles(db))
    await eachOf(files, async ({ id, name }) => {
      const from = pathInBackup(folder, name);
      if (!(await exists(from))) return void missing.push(id);
      await store.putFile(id, from, 'application/octet-stream');
      restored += 1;
    });
  return { restored, missing };
}

/** Removes bytes that no remaining backup names: files of deleted accounts must not stay forever. */
export async function removeUnnamed(folder: string, namesInUse: ReadonlySet<string>): Promise<number> {
  let removed = 0;
  for (const part of await readdir(folder).catch(() => []))
    for (const name of await readdir(path.join(folder, part)))
      if (!namesInUse.has(name)) {
        await rm(path.join(folder, part, name), { force: true });
        removed += 1;
      }
  return removed;
}

async function eachOf<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: copiesAtOnce }, worker));
}

const exists = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );
