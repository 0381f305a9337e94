import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config/config.ts';

/** Reads the configured secret, or one generated in the data folder, readable only by its owner. */
export async function readSecret(config: Pick<Config, 'SECRET' | 'DATA_DIR'>): Promise<string> {
  if (config.SECRET) return config.SECRET;
  const file = join(config.DATA_DIR, 'secret');
  await mkdir(config.DATA_DIR, { recursive: true });
  try {
    // 'wx' lets one of two concurrent processes create it; the other reads it.
    await writeFile(file, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFile(file, 'utf8');
}

/** The secret that signs, and others whose signatures are accepted (ADR 12). */
export const readSecrets = async (
  config: Pick<Config, 'SECRET' | 'OTHER_SECRETS' | 'DATA_DIR'>,
): Promise<{ secret: string; others: readonly string[] }> => {
  const secret = await readSecret(config);
  return { secret, others: config.OTHER_SECRETS.filter((candidate) => candidate !== secret) };
};
