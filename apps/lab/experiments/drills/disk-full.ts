import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, rm, statfs, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import {
  findPostmaster,
  startCluster,
  stopCluster,
} from '@nearhand/api/src/platform/database/database-cluster.ts';
import { serverProcess } from '../money/server-process.ts';
import { openServices } from '../money/services.ts';
import { type OwnCluster, onThrowAwayDatabase, stopAtOnce } from '../throw-away-database.ts';
import { answersText, callerAt, compareJobs, makeWriter, writeJobs } from './write-stream.ts';

const settings = { fsync: 'on', synchronous_commit: 'on', min_wal_size: '32MB', max_wal_size: '64MB' };

/** Each time the disk fills up, one or two calls are refused between two of their statements, or none. */
const shortFills = 12;

/** What is on the small disk: all of PostgreSQL's data, or its write-ahead log alone, which it cannot run without. */
type Filled = 'data' | 'log';

const sizes: Record<Filled, string> = { data: '350m', log: '160m' };

/**
 * `npm run experiments -- disk-full` (as root, for a small file system of its own): the disk of a given database fills up while clients write, 12 times
 * for two seconds, and then for 20 seconds that end with a crash; then the same with a disk for its log alone. Nothing acknowledged is lost, nothing
 * refused stays by half, every 503 says when to ask again, the server stays up, readiness says why, and it writes again within 30 s of room. The
 * control has no transactions: a write that is refused halfway is there twice once it was asked for again.
 */
export async function diskFull(say: (line: string) => void): Promise<boolean> {
  const data = await fill(say, 'data');
  const log = await fill(say, 'log');
  const control = await fill(say, 'data', 'no-transactions');
  const right = data.fine && log.fine && control.doubled > 0;
  say(`disk-full: ${right ? 'as it must be' : 'NOT as it must be'}`);
  return right;
}

async function fill(say: (line: string) => void, filled: Filled, sabotage?: string) {
  const mount = await mkdtemp(path.join(tmpdir(), `nearhand-test-${process.pid}-disk-`));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizes[filled]},mode=0711`, 'tmpfs', mount]);
  const before = process.env.TMPDIR;
  if (filled === 'data') process.env.TMPDIR = mount;
  try {
    await chmod(mount, 0o711);
    let result = { fine: false, doubled: 0 };
    await onThrowAwayDatabase(async (url, own) => {
      if (filled === 'log') await moveLog(own, path.join(mount, 'pg_wal'));
      result = await watch({ url, own, mount, filled, sabotage }, say);
    }, settings);
    return result;
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    execFileSync('umount', [mount]);
    await rm(mount, { recursive: true, force: true });
  }
}

/** As an administrator gives the log a disk of its own. */
async function moveLog({ cluster, port }: OwnCluster, to: string): Promise<void> {
  await stopCluster(cluster);
  const from = path.join(cluster.folder, 'pg_wal');
  execFileSync('cp', ['--archive', from, to]);
  await rm(from, { recursive: true });
  await symlink(to, from);
  await startCluster(cluster, port);
}

type Parts = {
  url: string;
  own: OwnCluster;
  mount: string;
  filled: Filled;
  sabotage: string | undefined;
};

async function watch({ url, own, mount, filled, sabotage }: Parts, say: (line: string) => void) {
  const services = openServices(url);
  const server = await serverProcess({ databaseUrl: url, sabotage });
  try {
    await server.start();
    const { token, businessId } = await makeWriter(services);
    const caller = callerAt({ port: Number(new URL(server.url).port) }, token);
    const stream = writeJobs(caller, businessId);
    const ballast = path.join(mount, 'ballast');
    const said = new Set<string>();
    const keepFull = async (ms: number) => {
      const until = performance.now() + ms;
      while (performance.now() < until) {
        await fillUp(mount, ballast);
        const answer = await fetch(`${server.url}/health/ready`).catch(() => null);
        if (answer?.status === 503) said.add(((await answer.json()) as { status: string }).status);
        await wait(300);
      }
    };
    for (let round = 0; round < shortFills; round += 1) {
      await wait(1_000 + Math.random() * 1_000);
      await keepFull(2_000);
      await rm(ballast, { force: true });
    }
    await wait(3_000);
    await keepFull(20_000);
    const ended = !(await findPostmaster(own.cluster));
    // It may end by itself, when it cannot write its log; here it crashes in any case, with what it acknowledged last.
    if (!ended) await stopAtOnce(own);
    await rm(ballast, { force: true });
    const at = performance.now();
    await startCluster(own.cluster, own.port);
    const written = stream.acknowledged.size;
    while (stream.acknowledged.size === written && performance.now() - at < 60_000) await wait(50);
    const backMs = performance.now() - at;
    await wait(2_000);
    await stream.stop();
    caller.close();
    const { lost, doubled } = await compareJobs(services, stream);
    say(
      `disk-full, ${filled}${sabotage ? `, negative control ${sabotage}` : ''}: full ${shortFills} times for 2 s and once for 20 s${ended ? ', PostgreSQL ended by itself' : ''}, then PostgreSQL crashed and was started again; ${answersText(stream)}, ${stream.withoutRetryAfter()} without Retry-After; readiness said ${[...said].join(', ') || 'nothing'}; writing ${(backMs / 1_000).toFixed(1)} s after there was room; server ${server.isRunning() ? 'stayed up' : 'ENDED'}; ${lost} lost, ${doubled} doubled`,
    );
    const guided = stream.withoutRetryAfter() === 0 && (stream.answers.get('request/unavailable') ?? 0) > 0;
    const fine = lost + doubled === 0 && guided && server.isRunning() && backMs < 30_000 && said.size > 0;
    return { fine, doubled };
  } finally {
    await server.kill();
    await services.close();
  }
}

/** Takes what is left, again and again: PostgreSQL frees some now and then. */
async function fillUp(mount: string, ballast: string): Promise<void> {
  const { bavail, bsize } = await statfs(mount);
  const bytes = bavail * bsize;
  if (bytes > 0)
    await writeFile(ballast, Buffer.alloc(bytes), { flag: 'a' }).catch((error) => {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    });
}
