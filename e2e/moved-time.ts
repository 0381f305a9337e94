import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import type { Browser, BrowserContext, Request } from '@playwright/test';
import {
  type StripeDouble,
  startStripeDouble,
  stripeSettings,
} from '../apps/api/test/stripe-double/stripe-double.ts';
import { test as base, expect } from './journey.ts';
import { dataDirOf, portOfOwnServer } from './server-address.ts';

/** One journey's clock, for the server and every browser in it. */
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

/** Advances the browser's clock once nothing is loading: the jump would end each request as unanswered. */
export async function jump(context: BrowserContext, by: number | string): Promise<void> {
  const loaded = () => (loading.get(context)?.size ?? 0) === 0;
  for (let waits = 0; !loaded() && waits < 200; waits += 1) await new Promise((go) => setTimeout(go, 50));
  await context.clock.fastForward(by);
}

export type Parts = { browser: Browser; baseURL: string | undefined; time: Time };

type OwnServer = {
  address: string;
  dataDir: string;
  log: () => string;
  /** Stripe's stand-in, if the server uses Stripe; and how far its clock is ahead, in seconds. */
  stripe: StripeDouble | null;
  lead: { seconds: number };
};

/** The payment provider of the server (docs/payments.md): the sandbox, or what `PROVIDER` or a journey chooses. */
type Choice = { payments: 'sandbox' | 'stripe' };

/** A dedicated server per Playwright worker, so that no other clock moves (ADR 58). */
export const test = base.extend<
  { time: Time; parts: Parts; stripe: StripeDouble },
  { ownServer: OwnServer } & Choice
>({
  payments: [process.env.PROVIDER === 'stripe' ? 'stripe' : 'sandbox', { option: true, scope: 'worker' }],
  ownServer: [
    async ({ payments }, use, { parallelIndex }) => {
      const port = portOfOwnServer(parallelIndex);
      const address = `http://localhost:${port}`;
      const lead = { seconds: 0 };
      const stripe = payments === 'stripe' ? await standInFor(address, lead) : null;
      const server = spawn(process.execPath, [path.join(import.meta.dirname, 'serve.ts')], {
        stdio: ['ignore', 'ignore', 'pipe'],
        env: {
          ...process.env,
          PROVIDER: payments,
          ...(stripe && stripeSettings(stripe)),
          E2E_PORT: String(port),
        },
      });
      let log = '';
      server.stderr.on('data', (chunk: Buffer) => {
        log = (log + chunk.toString()).slice(-8_000);
      });
      try {
        await answering(server, `${address}/health/ready`, () => log);
        await use({ address, dataDir: dataDirOf(port), log: () => log, stripe, lead });
      } finally {
        await stopped(server);
        await stripe?.close();
      }
    },
    { scope: 'worker', timeout: 240_000 },
  ],
  baseURL: async ({ ownServer }, use) => {
    await moveClock(ownServer, 0);
    await use(ownServer.address);
  },
  stripe: async ({ ownServer: { stripe } }, use) => {
    if (!stripe) throw new Error('this server does not use Stripe');
    await use(stripe);
  },
  parts: async ({ browser, baseURL, time }, use) => use({ browser, baseURL, time }),
  time: async ({ ownServer, context }, use) => {
    const contexts = new Set<BrowserContext>();
    let ahead = 0;
    const set = async (seconds: number) => {
      await moveClock(ownServer, seconds);
      const moved = (seconds - ahead) * 1_000;
      ahead = seconds;
      if (moved > 0) await Promise.all([...contexts].map((context) => jump(context, moved)));
    };
    const now = () => new Date(Date.now() + ahead * 1_000);
    const time: Time = {
      now,
      forward: ({ days = 0, hours = 0, minutes = 0 }) =>
        set(ahead + ((days * 24 + hours) * 60 + minutes) * 60),
      to: (instant) => set(ahead + Math.ceil((instant.getTime() - now().getTime()) / 1_000)),
      follow: async (context) => {
        watchLoading(context);
        await context.clock.install({ time: now() });
        contexts.add(context);
        context.on('close', () => contexts.delete(context));
      },
    };
    await time.follow(context);
    await use(time);
    await Promise.all(
      [...contexts].filter((openContext) => openContext !== context).map((one) => one.close()),
    );
  },
});

function standInFor(address: string, lead: OwnServer['lead']): Promise<StripeDouble> {
  return startStripeDouble({
    now: () => new Date(Date.now() + lead.seconds * 1_000),
    send: (headers, body) => fetch(`${address}/api/webhooks/payments`, { method: 'POST', headers, body }),
  });
}

async function moveClock({ address, log, lead }: OwnServer, aheadSeconds: number): Promise<void> {
  lead.seconds = aheadSeconds;
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
  const exit = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  await exit;
}

export { expect, worded } from './journey.ts';
