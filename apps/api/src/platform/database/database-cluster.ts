import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { errorCode, errorText, refusedDisk, StartRefusedError } from '../start-refused.ts';
import {
  type Binaries,
  blockedFolder,
  chooseRunUser,
  findBinaries,
  type RunUser,
  runBinary,
} from './database-binaries.ts';

export type Cluster = { folder: string; password: string; binaries: Binaries; user: RunUser };

export type ClusterOptions = {
  /** The PostgreSQL user must be able to enter its parents. */
  folder: string;
  settings?: Record<string, string>;
  onStep?: (message: string) => void;
};

const PASSWORD_FILE = 'nearhand.password';
const LOG_FILE = 'server.log';
const LOG_LIMIT_BYTES = 10_000_000;
const FOLDER_PROBLEMS = [
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOTDIR',
  'EEXIST',
  'ENOSPC',
  'EDQUOT',
  'ELOOP',
  'ENAMETOOLONG',
];
const FIRST_PORT = 15432;
/** Below the ephemeral port range. */
const LAST_PORT = 32767;

/** Opens the cluster, created once even by concurrent callers. */
export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const folder = await oneName(options.folder);
  const parent = path.dirname(folder);
  const user = await chooseRunUser(folder);
  const blocked = blockedFolder(parent, user);
  if (blocked) {
    throw new StartRefusedError(
      `Only root can enter the folder ${blocked}, and PostgreSQL, which refuses to run as root, needs it for its data; set DATA_DIR to a folder the user postgres can reach, such as /var/lib/nearhand, or set DATABASE_URL.`,
    );
  }
  const binaries = await findBinaries(folder, user);
  if (!(await holdsCluster(folder, binaries))) {
    options.onStep?.(`Creating the database in ${folder}`);
    await createCluster(folder, binaries, user, options.settings ?? {}).catch((error) =>
      refuseFolder(folder, error),
    );
  }
  return { folder, binaries, user, password: await readPassword(folder) };
}

/** Resolves symbolic links, so that all processes use the same name. */
async function oneName(folderPath: string): Promise<string> {
  const folder = path.resolve(folderPath);
  try {
    await mkdir(path.dirname(folder), { recursive: true });
    return await realpath(folder).catch(async () =>
      path.join(await realpath(path.dirname(folder)), path.basename(folder)),
    );
  } catch (error) {
    return refuseFolder(folder, error);
  }
}

async function refuseFolder(folder: string, cause: unknown): Promise<never> {
  const error = refusedDisk(cause, `the data folder ${folder}`);
  if (!FOLDER_PROBLEMS.includes(errorCode(error) ?? '')) throw error;
  throw new StartRefusedError(
    `The data folder ${folder} cannot be created or read (${errorText(error)}); give this user access to it, or set DATA_DIR to another folder.`,
  );
}

async function holdsCluster(folder: string, binaries: Binaries): Promise<boolean> {
  const names = await readdir(folder).catch((error) => {
    if (errorCode(error) === 'ENOENT') return [];
    return refuseFolder(folder, error);
  });
  if (names.length === 0) return false;
  const major = await readFile(path.join(folder, 'PG_VERSION'), 'utf8').catch(() => '');
  if (major === '') {
    throw new StartRefusedError(
      `The folder ${folder} contains other files; nothing was changed: move them away, or set DATA_DIR to another folder.`,
    );
  }
  if (major.trim() !== binaries.major) {
    throw new StartRefusedError(
      `The data in ${folder} was written by PostgreSQL ${major.trim()} and this is PostgreSQL ${binaries.major}; nothing was changed: see 'Upgrades' in docs/operations.md.`,
    );
  }
  return true;
}

async function readPassword(folder: string): Promise<string> {
  const file = path.join(folder, PASSWORD_FILE);
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    throw new StartRefusedError(
      `The database password cannot be read from ${file} (${errorText(error)}); put that file back from a backup.`,
    );
  }
}

/** Renamed when complete, so that an interrupted creation leaves nothing to repair. */
async function createCluster(
  folder: string,
  binaries: Binaries,
  user: RunUser,
  settings: Record<string, string>,
): Promise<void> {
  await removeHalfMade(folder);
  const half = `${folder}.new-${process.pid}`;
  const passwordFile = `${half}.password`;
  try {
    await mkdir(half, { mode: 0o700 });
    await writeFile(passwordFile, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 });
    if (user) {
      await chown(half, user.uid, user.gid);
      await chown(passwordFile, user.uid, user.gid);
    }
    const all: Record<string, string> = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      timezone: 'UTC',
      log_timezone: 'UTC',
      ...settings,
    };
    const args = [
      `--pgdata=${half}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      // The builtin provider collates the same everywhere; pg_trgm still classifies letters by the C library.
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      `--lc-ctype=${await findLocale()}`,
      ...Object.entries(all).flatMap(([name, value]) => ['--set', `${name}=${value}`]),
      ...(all.fsync === 'off' ? ['--no-sync'] : []),
    ];
    await runBinary(binaries, 'initdb', user, args);
    await rename(passwordFile, path.join(half, PASSWORD_FILE));
    await rename(half, folder).catch((error) => {
      // Another process was faster: use its cluster.
      if (!['ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) throw error;
    });
  } catch (error) {
    throw startError(error, folder, 'PostgreSQL could not create its data folder');
  } finally {
    await rm(half, { recursive: true, force: true });
    await rm(passwordFile, { force: true });
  }
}

async function removeHalfMade(folder: string): Promise<void> {
  const prefix = `${path.basename(folder)}.new-`;
  for (const name of await readdir(path.dirname(folder))) {
    if (!name.startsWith(prefix) || isAlive(Number.parseInt(name.slice(prefix.length), 10))) continue;
    await rm(path.join(path.dirname(folder), name), { recursive: true, force: true });
  }
}

/** Starts on the first free port, unless another process just did. */
export async function startCluster(cluster: Cluster, fromPort = FIRST_PORT): Promise<number> {
  const log = path.join(cluster.folder, LOG_FILE);
  if ((await sizeOf(log)) > LOG_LIMIT_BYTES) await rename(log, `${log}.old`);
  let port = fromPort;
  for (let attempt = 1; ; attempt += 1) {
    port = await freePort(port);
    const logged = await sizeOf(log);
    const args = ['start', '-D', cluster.folder, '-l', log, '-w', '-t', '120', '-s', '-o', `-p ${port}`];
    try {
      await runBinary(cluster.binaries, 'pg_ctl', cluster.user, args);
      return port;
    } catch (error) {
      const running = await findPostmaster(cluster);
      if (running) return running.port;
      const logText = (await readFile(log).catch(() => Buffer.alloc(0))).subarray(logged).toString();
      const portTaken = /could not (bind|create any TCP)/i.test(logText);
      // Sessions of a server killed with kill -9 need a moment to end.
      const leaving = /shared memory block/i.test(logText);
      if (attempt >= 20 || !(portTaken || leaving)) {
        throw startError(
          error,
          cluster.folder,
          `PostgreSQL did not start on ${cluster.folder} (its log is ${log})`,
          logText,
        );
      }
      if (portTaken) port += 1;
      else await wait(250);
    }
  }
}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.size ?? 0;
}

/** Falls back to an immediate stop, which loses no data. */
export async function stopCluster(cluster: Cluster): Promise<void> {
  const stop = (mode: string, seconds: number) =>
    runBinary(cluster.binaries, 'pg_ctl', cluster.user, [
      'stop',
      '-D',
      cluster.folder,
      '-w',
      '-s',
      '-m',
      mode,
      '-t',
      String(seconds),
    ]);
  if (!(await findPostmaster(cluster))) return;
  try {
    await stop('fast', 30);
  } catch {
    if (await findPostmaster(cluster)) await stop('immediate', 10);
  }
}

/** `postmaster.pid` alone proves nothing: after a power cut, any program may have its process id. */
export async function findPostmaster({
  folder,
}: Pick<Cluster, 'folder'>): Promise<{ pid: number; port: number } | undefined> {
  const file = path.join(folder, 'postmaster.pid');
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n');
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return undefined;
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined);
  if (command !== undefined && !command.includes('postgres')) {
    await rm(file, { force: true });
    return undefined;
  }
  return { pid, port: Number(lines[3]) };
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

async function freePort(from: number): Promise<number> {
  for (let port = from; port <= LAST_PORT; port += 1) if (await isFree(port)) return port;
  throw new StartRefusedError(`No port from ${from} to ${LAST_PORT} is free on 127.0.0.1 for the database.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = net.createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

function startError(cause: unknown, folder: string, label: string, log = ''): unknown {
  if (cause instanceof StartRefusedError || typeof cause !== 'object' || cause === null) return cause;
  const printed = 'stderr' in cause ? String(cause.stderr).trim() : '';
  const error = refusedDisk(cause, `the data folder ${folder}`, `${printed}\n${log}`);
  if (error instanceof StartRefusedError) return error;
  const reason =
    /(?:FATAL|ERROR|error|PANIC): *(.+)/.exec(`${printed}\n${log}`)?.[1] ??
    (printed.split('\n')[0] || errorText(error));
  return new StartRefusedError(`${label}: ${reason.replace(/\.$/, '')}.`);
}

const WITH_ALL_LETTERS = ['C.UTF-8', 'C.utf8', 'en_US.UTF-8', 'en_US.utf8'];

/** A system locale that classifies all scripts' letters; otherwise C. */
async function findLocale(): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('locale', ['-a']);
    const locales = new Set(stdout.split(/\r?\n/).map((line) => line.trim()));
    return WITH_ALL_LETTERS.find((name) => locales.has(name)) ?? 'C';
  } catch {
    return 'C';
  }
}
