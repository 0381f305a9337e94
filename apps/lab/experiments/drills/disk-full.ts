import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findPostmaster, startCluster } from '@nearhand/api/src/platform/database/database-cluster.ts';
import { serverProcess } from '../money/server-process.ts';
import { openServices } from '../money/services.ts';
import { type OwnCluster, onThrowAwayDatabase, stopAtOnce } from '../throw-away-database.ts';
import { answersText, callerAt, compareJobs, makeWriter, writeJobs } from './write-stream.ts';

const settings = { fsync: 'on', synchronous_commit: 'on', min_wal_size: '32MB', max_wal_size: '64MB' };

/** Each time the disk fills up, one or two calls are refused between two of their statements, or none. */
const shortFills = 12;

/**
 * `npm run experiments -- disk-full` (as root, for a small file system of its own): the database's disk fills up while clients write, 12 times for
 * two seconds, and then for 20 seconds that end with a crash. Nothing acknowledged is lost, nothing refused stays by half, the server stays up, says
 * 503 and why, and writes again within 30 s. The control has no transactions: a write that is refused halfway is there twice once it was asked for
 * again.
 */
export async function diskFull(say: (line: string) => void): Promise<boolean> {
  const real = await fill(say, undefined);
  const control = await fill(say, 'no-transactions');
  const right = real.fine && control.faults > 0;
  say(`disk-full: ${right ? 'as it must be' : 'NOT as it must be'}`);
  return right;
}

async function fill(say: (line: string) => void, sabotage: string | undefined) {
  const mount = await mkdtemp(path.join(tmpdir(), `nearhand-test-${process.pid}-disk-`));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=350m,mode=0711', 'tmpfs', mount]);
  const before = process.env.TMPDIR;
  process.env.TMPDIR = mount;
  try {
    await chmod(mount, 0o711);
    let result = { fine: false, faults: 0 };
    await onThrowAwayDatabase(async (url, own) => {
      result = await watch({ url, own, mount, sabotage }, say);
    }, settings);
    return result;
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    execFileSync('umount', [mount]);
    await rm(mount, { recursive: true, force: true });
  }
}

type Parts = { url: string; own: OwnCluster; mount: string; sabotage: string | undefined };

async function watch({ url, own, mount, sabotage }: Parts, say: (line: string) => void) {
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
      `disk-full${sabotage ? `, negative control ${sabotage}` : ''}: full ${shortFills} times for 2 s and once for 20 s${ended ? ', PostgreSQL ended by itself' : ''}, then PostgreSQL crashed and was started again; ${answersText(stream)}; readiness said ${[...said].join(', ') || 'nothing'}; writing ${(backMs / 1_000).toFixed(1)} s after there was room; server ${server.isRunning() ? 'stayed up' : 'ENDED'}; ${lost} lost, ${doubled} doubled`,
    );
    const fine = lost + doubled === 0 && server.isRunning() && backMs < 30_000 && said.size > 0;
    return { fine, faults: lost + doubled };
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
