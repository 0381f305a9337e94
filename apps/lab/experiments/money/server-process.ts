import { type ChildProcess, spawn } from 'node:child_process';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openPool } from '@nearhand/api/src/platform/db.ts';
import { openKeys } from '@nearhand/api/src/platform/keys/lasting-key.ts';
import { environment, secret } from './services.ts';

const root = path.resolve(import.meta.dirname, '../../../..');
const patienceMs = 180_000;

export type ServerProcess = {
  url: string;
  /** Resolves once it takes calls; `extra` are settings of this start alone. */
  start(extra?: Record<string, string>): Promise<void>;
  kill(): Promise<void>;
  stop(): Promise<void>;
  /** Resolves to the exit code; null while the process runs. */
  ended(): Promise<number | null>;
  isRunning(): boolean;
  pid(): number | undefined;
  said(): string;
};

/** The services here sign the ledger with the secret itself, so the server must too. */
async function keepDigests(databaseUrl: string): Promise<void> {
  const { db, close } = openPool(databaseUrl, 1, () => {});
  await openKeys(db, { secret, others: [] }, async () => true).finally(close);
}

/**
 * @param options.sabotage the fault of `sabotage.ts`, for a negative control
 * @param options.keysUrl the database, if `databaseUrl` is a pooler
 */
export async function serverProcess(options: {
  databaseUrl: string;
  keysUrl?: string;
  port?: number;
  sabotage?: string;
  settings?: Record<string, string>;
}): Promise<ServerProcess> {
  await keepDigests(options.keysUrl ?? options.databaseUrl);
  const port = options.port ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | null = null;
  let exit: Promise<number | null> = Promise.resolve(null);
  let output = '';
  const preload = options.sabotage ? ['--import', path.join(import.meta.dirname, 'sabotage.ts')] : [];

  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    child?.kill(signal);
    await exit;
    child = null;
  };
  return {
    url,
    async start(extra = {}) {
      const started = spawn(process.execPath, [...preload, 'apps/api/src/main.ts'], {
        cwd: root,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          PATH: process.env.PATH,
          HOME: process.env.HOME,
          TMPDIR: process.env.TMPDIR,
          NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? path.join(root, 'node_modules/.cache/node'),
          ...environment,
          ...options.settings,
          DATABASE_URL: options.databaseUrl,
          HOST: '127.0.0.1',
          PORT: String(port),
          LOG_LEVEL: 'error',
          ...(options.sabotage ? { SABOTAGE: options.sabotage } : {}),
          ...extra,
        },
      });
      child = started;
      const received = (chunk: Buffer) => {
        output = `${output}${chunk}`.slice(-8_000);
      };
      started.stdout?.on('data', received);
      started.stderr?.on('data', received);
      exit = new Promise((resolve) => started.once('exit', (code) => resolve(code)));
      const until = performance.now() + patienceMs;
      while (started.exitCode === null && started.signalCode === null && performance.now() < until) {
        const answer = await fetch(`${url}/health/ready`).catch(() => null);
        await answer?.body?.cancel();
        if (answer?.ok) return;
        await wait(20);
      }
      // A server that exits at a step may do so before it takes calls.
      if (extra.EXIT_AT && started.exitCode === 137) return;
      throw new Error(`the server did not start: ${output}`);
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    ended: () => exit,
    isRunning: () => child !== null && child.exitCode === null && child.signalCode === null,
    pid: () => child?.pid,
    said: () => output,
  };
}

/** Below the ports that systems use for outgoing connections. */
async function freePort(): Promise<number> {
  for (let port = 20_000 + Math.floor(Math.random() * 10_000); ; port += 1) {
    const free = await new Promise<boolean>((resolve) => {
      const probe = net.createServer();
      probe.once('error', () => resolve(false));
      probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
    });
    if (free) return port;
  }
}
