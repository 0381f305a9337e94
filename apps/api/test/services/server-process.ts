import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

export type ServerProcess = {
  address: string;
  child: ChildProcess;
  lines(): string[];
  ready(): Promise<void>;
  /** Sends the signal first, if any. */
  ended(signal?: NodeJS.Signals): Promise<{ code: number | null; ms: number }>;
};

const serverSecret = 'a secret of the tests, thirty-two and more';

export function startServerProcess(
  databaseUrl: string,
  port: number,
  settings: Record<string, string> = {},
): ServerProcess {
  const address = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [path.resolve(import.meta.dirname, '../../src/main.ts')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      PUBLIC_URL: address,
      SECRET: serverSecret,
      DOCUMENT_KEYS: `tests:${'k'.repeat(43)}`,
      SMTP_URL: 'smtp://127.0.0.1:9',
      PAYMENT_SANDBOX_IN_PRODUCTION: 'true',
      ...settings,
    },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (part) => {
      text += part;
    });
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return {
    address,
    child,
    lines: () => text.split('\n').filter((line) => line !== ''),
    async ready() {
      for (let tries = 0; tries < 600; tries += 1) {
        if (child.exitCode !== null) throw new Error(`the server ended:\n${text}`);
        const answer = await fetch(`${address}/health/ready`).catch(() => null);
        if (answer?.ok) return;
        await wait(100);
      }
      throw new Error(`the server did not get ready:\n${text}`);
    },
    async ended(signal) {
      const at = performance.now();
      if (signal) child.kill(signal);
      const code = await exit;
      return { code, ms: performance.now() - at };
    },
  };
}
