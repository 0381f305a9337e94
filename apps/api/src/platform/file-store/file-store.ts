import {
  access,
  constants,
  copyFile,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  statfs,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { Counter, type Registry } from 'prom-client';
import { AppError } from '../app-error.ts';
import type { Config } from '../config/config.ts';
import type { FileSpace, FileStore } from './file-store-port.ts';
import { bucketStore } from './file-store-s3.ts';

export type { FileStore };

/** More than the largest upload: with less room, the next one may fail. */
const freeBytesMin = 16 * 1024 * 1024;

/** A file gets its name only when complete. */
function folderStore(folder: string): FileStore {
  const fileOf = (key: string) => path.join(folder, key.slice(-2), key);
  const write = async (key: string, writePart: (part: string) => Promise<void>) => {
    const file = fileOf(key);
    const part = `${file}.part`;
    try {
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      await writePart(part);
      await rename(part, file);
    } catch (error) {
      // On a full disk, the incomplete file takes the last room. If removal fails, it is swept later.
      await rm(part, { force: true }).catch(() => {});
      throw new AppError('request/unavailable', undefined, { cause: error });
    }
  };
  return {
    put: (key, bytes) => write(key, (part) => writeFile(part, bytes, { mode: 0o600 })),
    putFile: (key, from) => write(key, (part) => copyFile(from, part)),
    async sweep(before) {
      const names = (await orNull(readdir(folder, { recursive: true }))) ?? [];
      for (const name of names.filter((file) => file.endsWith('.part'))) {
        const part = path.join(folder, name);
        const state = await orNull(stat(part));
        if (state && state.mtime < before) await rm(part, { force: true });
      }
    },
    space: () => spaceIn(folder),
    get: (key) => orNull(readFile(fileOf(key))),
    async open(key) {
      const handle = await orNull(open(fileOf(key)));
      return handle?.createReadStream() ?? null;
    },
    remove: (key) => rm(fileOf(key), { force: true }),
  };
}

async function spaceIn(folder: string): Promise<FileSpace> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(() => {});
  const { bavail, bsize, blocks } = await statfs(folder);
  const free = bavail * bsize;
  const writable = await access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
  const size = blocks * bsize;
  if (!writable) return { free, size, problem: 'not writable' };
  return { free, size, problem: free < freeBytesMin ? 'full' : null };
}

/** Counts refused writes, since a quota does not show in the free space. */
export function countFailedWrites(metrics: Registry, store: FileStore): FileStore {
  const failed = new Counter({
    name: 'stored_file_writes_failed_total',
    help: 'Files that could not be stored',
    registers: [metrics],
  });
  const countFailures = async (writing: Promise<void>) => {
    try {
      await writing;
    } catch (error) {
      failed.inc();
      throw error;
    }
  };
  return {
    ...store,
    put: (...file) => countFailures(store.put(...file)),
    putFile: (...file) => countFailures(store.putFile(...file)),
  };
}

async function orNull<Result>(reading: Promise<Result>): Promise<Result | null> {
  try {
    return await reading;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

export function createFileStore(
  config: Pick<Config, 'DATA_DIR' | 'FILES_S3_URL' | 'FILES_S3_REGION' | 'FILES_S3_KEY' | 'FILES_S3_SECRET'>,
): FileStore {
  const { FILES_S3_URL: url, FILES_S3_KEY: key, FILES_S3_SECRET: secret } = config;
  // readConfig refuses an address without its key and secret.
  if (url && key && secret) return bucketStore({ url, region: config.FILES_S3_REGION, key, secret });
  return folderStore(path.join(config.DATA_DIR, 'files'));
}
