import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { BenchRequest } from './cases.ts';

/** CPU time in ms, including ended children; null if it has exited. Linux counts in hundredths of a second. */
function cpuOf(pid: number): { ms: number; endedMs: number; parent: number } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return {
      ms: (Number(fields[11]) + Number(fields[12])) * 10,
      endedMs: (Number(fields[13]) + Number(fields[14])) * 10,
      parent: Number(fields[1]),
    };
  } catch {
    return null;
  }
}

/**
 * CPU time in ms of the running threads, counted in nanoseconds; null if the kernel doesn't or the process
 * has exited.
 */
function fineCpuOf(pid: number): number | null {
  try {
    let ms = 0;
    for (const thread of readdirSync(`/proc/${pid}/task`))
      ms += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1_000_000;
    return ms;
  } catch {
    return null;
  }
}

const cpuOfNode = (pid: number): number => fineCpuOf(pid) ?? cpuOf(pid)?.ms ?? 0;

/** The postmaster and all its children, including ended connections. */
function cpuOfPostgres(postmaster: number): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const own = cpuOf(postmaster);
  let ms = (fineCpuOf(postmaster) ?? own?.ms ?? 0) + (own?.endedMs ?? 0);
  for (const pid of pids) {
    const cpu = cpuOf(Number(pid));
    if (cpu?.parent === postmaster) ms += fineCpuOf(Number(pid)) ?? cpu.ms;
  }
  return ms;
}

export async function startServer(
  args: string[],
  environment: Record<string, string>,
  options: { port: number; readyPath: string; log: string; folder: string },
): Promise<ChildProcess & { pid: number }> {
  const log = openSync(options.log, 'w');
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', log, log],
    cwd: options.folder,
  });
  for (let tries = 0; tries < 300; tries += 1) {
    if (child.exitCode !== null) break;
    const answer = await fetch(`http://127.0.0.1:${options.port}${options.readyPath}`).catch(() => null);
    // The port answers 503 while the server starts.
    if (answer && answer.status !== 503 && child.pid !== undefined)
      return child as ChildProcess & { pid: number };
    await wait(100);
  }
  throw new Error(`${args.join(' ')} did not start; see ${options.log}`);
}

export async function stopServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

export async function send(request: BenchRequest, port: number): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}${request.path}`, {
    method: request.method,
    headers: {
      authorization: `Bearer ${request.token}`,
      ...(request.key ? { 'idempotency-key': request.key, 'content-type': 'application/json' } : {}),
    },
    ...(request.body === undefined ? {} : { body: request.body }),
  });
  const body = await answer.text();
  if (!answer.ok) throw new Error(`${request.method} ${request.path}: ${answer.status} ${body}`);
  return body;
}

/** The times of a round in milliseconds per request. */
export type Round = { node: number; postgres: number; p50: number; p99: number; failed: number };

export async function drive(
  requests: readonly BenchRequest[],
  server: { port: number; pid: number },
  postmaster: number,
  file: string,
): Promise<Round> {
  writeFileSync(file, JSON.stringify(requests));
  const nodeBefore = cpuOfNode(server.pid);
  const postgresBefore = cpuOfPostgres(postmaster);
  const { stdout } = await promisify(execFile)(process.execPath, [
    path.join(import.meta.dirname, 'client.ts'),
    file,
    String(server.port),
  ]);
  const node = cpuOfNode(server.pid) - nodeBefore;
  const postgres = cpuOfPostgres(postmaster) - postgresBefore;
  const { p50, p99, failed } = JSON.parse(stdout) as { p50: number; p99: number; failed: number };
  return { node: node / requests.length, postgres: postgres / requests.length, p50, p99, failed };
}
