import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { StartRefused } from '../platform/start-refused.ts';

/** What a backup consists of, next to its database. */
export type Manifest = z.infer<typeof manifest>;

const manifest = z.object({
  madeAt: z.iso.datetime(),
  /** `folder`: a copy of the embedded PostgreSQL's data. `dump`: an archive of pg_dump. */
  database: z.enum(['folder', 'dump']),
  /** Of the PostgreSQL it was made from. */
  postgres: z.string(),
  /** Names in the folder `files` that all backups of a place share. */
  files: z.array(z.string()),
});

const fileName = 'manifest.json';
/** Such as `2027-01-31T03-20-00Z`; sorts by time. */
const backupName = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/;

export const nameOf = (at: Date): string => `${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z`;

export const writeManifest = (folder: string, content: Manifest): Promise<void> =>
  writeFile(path.join(folder, fileName), `${JSON.stringify(content, null, 1)}\n`, { mode: 0o600 });

/** @throws StartRefused unless the folder is a complete backup */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(path.join(folder, fileName), 'utf8').catch(() => null);
  if (text === null)
    throw new StartRefused(`${folder} is no backup: name the folder with the time, which has a ${fileName}.`);
  return manifest.parse(JSON.parse(text));
}

/** The complete backups of a place, oldest first. Unfinished ones end in `.part`. */
export async function listBackups(place: string): Promise<string[]> {
  return (await readdir(place)).filter((name) => backupName.test(name)).sort();
}
