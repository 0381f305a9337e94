import { copyFile, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../config/config.ts';
import type { FileStore } from './file-store-port.ts';
import { bucketStore } from './file-store-s3.ts';

export type { FileStore };

/** Files in a local folder. A file gets its name only when complete. */
function folderStore(folder: string): FileStore {
  const fileOf = (key: string) => path.join(folder, key.slice(-2), key);
  return {
    async put(key, bytes) {
      const file = fileOf(key);
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      await writeFile(`${file}.part`, bytes, { mode: 0o600 });
      await rename(`${file}.part`, file);
    },
    async putFile(key, from) {
      const file = fileOf(key);
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      await copyFile(from, `${file}.part`);
      await rename(`${file}.part`, file);
    },
    get: (key) => orNull(readFile(fileOf(key))),
    async open(key) {
      const handle = await orNull(open(fileOf(key)));
      return handle?.createReadStream() ?? null;
    },
    remove: (key) => rm(fileOf(key), { force: true }),
  };
}

/** Null for a missing file. */
async function orNull<Result>(reading: Promise<Result>): Promise<Result | null> {
  try {
    return await reading;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** The configured store: an S3-compatible bucket, otherwise a folder under DATA_DIR. */
export function createFileStore(
  config: Pick<Config, 'DATA_DIR' | 'FILES_S3_URL' | 'FILES_S3_REGION' | 'FILES_S3_KEY' | 'FILES_S3_SECRET'>,
): FileStore {
  const { FILES_S3_URL: url, FILES_S3_KEY: key, FILES_S3_SECRET: secret } = config;
  // readConfig refuses an address without its key and secret.
  if (url && key && secret) return bucketStore({ url, region: config.FILES_S3_REGION, key, secret });
  return folderStore(path.join(config.DATA_DIR, 'files'));
}
