import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

let common: Promise<ReadonlySet<string>> | undefined;

/** The 10,000 most common passwords in lower case (docs/data-sources.md); read on first use. */
const readCommon = async (): Promise<ReadonlySet<string>> => {
  const text = await readFile(new URL('guessable-passwords.txt', import.meta.url), 'utf8');
  return new Set(text.split('\n'));
};

function commonPasswords(): Promise<ReadonlySet<string>> {
  common ??= readCommon().catch((error: unknown) => {
    common = undefined;
    throw error;
  });
  return common;
}

export const isCommonPassword = async (password: string): Promise<boolean> =>
  (await commonPasswords()).has(password.toLowerCase());

let hashes: Promise<ReadonlyMap<string, readonly string[]>> | undefined;

/** A prefix shared by about 40 common passwords, so it reveals little. */
export const hashPrefix = /^[0-9a-f]{2}$/;

async function hashCommonPasswords(): Promise<ReadonlyMap<string, readonly string[]>> {
  const commonHashes = [...(await commonPasswords())].map((password) =>
    createHash('sha256').update(password).digest('hex'),
  );
  return Map.groupBy(commonHashes, (hash) => hash.slice(0, 2));
}

/** Hashes of common passwords, for a browser that keeps its password from us (ADR 224). */
export async function findCommonHashes(prefix: string): Promise<readonly string[]> {
  hashes ??= hashCommonPasswords().catch((error: unknown) => {
    hashes = undefined;
    throw error;
  });
  return (await hashes).get(prefix) ?? [];
}
