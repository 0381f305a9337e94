import { type ChildProcess, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const main = path.resolve(import.meta.dirname, '../../apps/api/src/main.ts');

export type RestartedServer = {
  /** Kills it or stops it as an upgrade does, and starts it on the same data. Resolves when it responds again. */
  restart(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  isUp(): boolean;
  stop(): Promise<void>;
};

export async function startServer(settings: {
  port: number;
  dataDir: string;
  publicUrl: string;
  env?: Record<string, string>;
}): Promise<RestartedServer> {
  const { port, dataDir, publicUrl, env = {} } = settings;
  await rm(dataDir, { recursive: true, force: true });
  let log = '';
  let up = false;
  let server = await start();

  async function start(): Promise<ChildProcess> {
    const started = spawn(process.execPath, [main], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        ...process.env,
        NODE_ENV: 'test',
        PORT: String(port),
        PUBLIC_URL: publicUrl,
        DATA_DIR: dataDir,
        DEMO: 'false',
        LOG_LEVEL: 'error',
        SIGN_INS_PER_MINUTE: '1000',
        READS_PER_MINUTE: '100000',
        WRITES_PER_MINUTE: '100000',
        OPEN_JOBS_WHILE_UNVERIFIED: '100',
        ...env,
      },
    });
    started.stderr?.on('data', (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-8_000);
    });
    for (let tries = 0; tries < 900; tries += 1) {
      if (started.exitCode !== null) throw new Error(`the server ended: ${log}`);
      const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => null);
      if (answer?.ok) {
        up = true;
        return started;
      }
      await wait(200);
    }
    started.kill('SIGKILL');
    throw new Error(`the server does not start: ${log}`);
  }

  async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    up = false;
    if (server.exitCode !== null) return;
    const exit = new Promise((resolve) => server.once('exit', resolve));
    server.kill(signal);
    await exit;
  }

  return {
    isUp: () => up,
    restart: async (signal) => {
      await end(signal);
      server = await start();
    },
    stop: async () => {
      await end('SIGTERM');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
