import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';

export type RedisProcess = { url: string; start(): Promise<void>; kill(): Promise<void> };

/** @param port below 32768 and free */
export function redisProcess(port: number): RedisProcess {
  const url = `redis://127.0.0.1:${port}`;
  let child: ChildProcess | null = null;
  return {
    url,
    async start() {
      const started = spawn(
        'redis-server',
        ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
        { stdio: 'ignore' },
      );
      child = started;
      const probe = new Redis(url, { lazyConnect: true, retryStrategy: () => 50 });
      probe.on('error', () => {});
      try {
        for (let tries = 0; tries < 100; tries += 1) {
          if (started.exitCode !== null) throw new Error(`redis-server ended with ${started.exitCode}`);
          if ((await probe.ping().catch(() => '')) === 'PONG') return;
          await wait(50);
        }
        throw new Error('redis-server did not start');
      } finally {
        probe.disconnect();
      }
    },
    async kill() {
      const exit = child && new Promise((resolve) => child?.once('exit', resolve));
      child?.kill('SIGKILL');
      await exit;
      child = null;
    },
  };
}
