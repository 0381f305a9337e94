import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import type { Browser, BrowserContext, Request } from '@playwright/test';
import { test as base, expect } from './journey.ts';
import { dataDirOf, portOfOwnServer } from './server-address.ts';

/** One journey's clock: the server's and that of every browser in it. */
export type Time = {
  now(): Date;
  /** Advances the clock; everything due by then is done when it returns. */
  forward(by: { days?: number; hours?: number; minutes?: number }): Promise<void>;
  to(instant: Date): Promise<void>;
  follow(context: BrowserContext): Promise<void>;
};

const loading = new WeakMap<BrowserContext, Set<Request>>();

function watchLoading(context: BrowserContext): void {
  const open = new Set<Request>();
  loading.set(context, open);
  context.on('request', (request) => open.add(request));
  context.on('requestfinished', (request) => open.delete(request));
  context.on('requestfailed', (request) => open.delete(request));
}

/** Advances the browser's clock once nothing is loading: the jump would end each request as one without an answer. */
export async function jump(context: BrowserContext, by: number | string): Promise<void> {
  const loaded = () => (loading.get(context)?.size ?? 0) === 0;
  for (let waits = 0; !loaded() && waits < 200; waits += 1) await new Promise((go) => setTimeout(go, 50));
  await context.clock.fastForward(by);
}

export type Parts = { browser: Browser; baseURL: string | undefined; time: Time };

type OwnServer = { address: string; dataDir: string; log: () => string };

/** A dedicated server per Playwright worker, so that no other clock moves (ADR 58). */
export const test = base.extend<{ time: Time; parts: Parts }, { ownServer: OwnServer }>({
  ownServer: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern which fixtures are wanted
    async ({}, use, { parallelIndex }) => {
      const port = portOfOwnServer(parallelIndex);
      const address = `http://localhost:${port}`;
      const server = spawn(process.execPath, [path.join(import.meta.dirname, 'serve.ts')], {
        stdio: ['ignore', 'ignore', 'pipe'],
        env: { ...process.env, E2E_PORT: String(port) },
      });
      let log = '';
      server.stderr.on('data', (chunk: Buffer) => {
        log = (log + chunk.toString()).slice(-8_000);
      });
      try {
        await answering(server, `${address}/health/ready`, () => log);
        await use({ address, dataDir: dataDirOf(port), log: () => log });
      } finally {
        await stopped(server);
      }
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  baseURL: async ({ ownServer }, use) => {
    await moveClock(ownServer, 0);
    await use(ownServer.address);
  },
  parts: async ({ browser, baseURL, time }, use) => use({ browser, baseURL, time }),
  time: async ({ ownServer, context }, use) => {
    const contexts = new Set<BrowserContext>();
    let ahead = 0;
    const set = async (seconds: number) => {
      await moveClock(ownServer, seconds);
      const moved = (seconds - ahead) * 1_000;
      ahead = seconds;
      if (moved > 0) await Promise.all([...contexts].map((one) => jump(one, moved)));
    };
    const now = () => new Date(Date.now() + ahead * 1_000);
    const time: Time = {
      now,
      forward: ({ days = 0, hours = 0, minutes = 0 }) =>
        set(ahead + ((days * 24 + hours) * 60 + minutes) * 60),
      to: (instant) => set(ahead + Math.ceil((instant.getTime() - now().getTime()) / 1_000)),
      follow: async (one) => {
        watchLoading(one);
        await one.clock.install({ time: now() });
        contexts.add(one);
        one.on('close', () => contexts.delete(one));
      },
    };
    await time.follow(context);
    await use(time);
    await Promise.all([...contexts].filter((one) => one !== context).map((one) => one.close()));
  },
});

async function moveClock({ address, log }: OwnServer, aheadSeconds: number): Promise<void> {
  const response = await fetch(`${address}/dev/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ aheadSeconds }),
  });
  expect(response.ok, `the clock of the server: ${log()}`).toBe(true);
}

async function answering(server: ChildProcess, url: string, log: () => string): Promise<void> {
  await expect(async () => {
    expect(server.exitCode, log()).toBeNull();
    expect((await fetch(url)).ok).toBe(true);
  }).toPass({ timeout: 230_000, intervals: [250] });
}

async function stopped(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  const gone = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  await gone;
}

export { expect, worded } from './journey.ts';
