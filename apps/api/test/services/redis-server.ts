import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** `npm run test:nightly` installs a Redis if it may (scripts/redis.mjs). */
export const hasRedis = (() => {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

export type TestRedis = {
  url: string;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Neither answers nor hangs up, as behind a cut network. */
  freeze(): void;
  thaw(): void;
  drop(): Promise<void>;
};

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const probe = net.createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1' }, () => probe.close(() => resolve(true)));
  });

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = net.connect({ port, host: '127.0.0.1' });
    socket.once('error', () => resolve(false));
    socket.once('data', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('connect', () => socket.write('PING\r\n'));
  });

export async function createTestRedis(): Promise<TestRedis> {
  const folder = await mkdtemp(path.join(tmpdir(), `nearhand-test-${process.pid}-redis-`));
  let port = 0;
  do port = 20_000 + Math.floor(Math.random() * 10_000);
  while (!(await isFree(port)));
  let child: ChildProcess | null = null;

  async function start(): Promise<void> {
    child = spawn(
      'redis-server',
      ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder],
      { stdio: 'ignore' },
    );
    for (let tries = 0; tries < 200; tries += 1) {
      if (await answers(port)) return;
      await wait(50);
    }
    throw new Error('redis-server did not start');
  }

  async function stop(): Promise<void> {
    const running = child;
    child = null;
    if (!running || running.exitCode !== null) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill('SIGKILL');
    await ended;
  }

  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    stop,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    async drop() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
