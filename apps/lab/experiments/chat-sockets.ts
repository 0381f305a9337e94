import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Emitted, packSignals, signalsChannel } from '@nearhand/api/src/platform/emit.ts';
import { type BareSocket, bareSocket } from './chat/bare-socket.ts';
import { chatClient } from './chat/chat-client.ts';
import { makePair } from './chat/conversation-pair.ts';
import { makeManyAccounts, makeManyRecruiters } from './chat/many-accounts.ts';
import { type ServerProcess, serverProcess } from './money/server-process.ts';
import { openServices, type Services } from './money/services.ts';
import { onThrowAwayDatabase } from './throw-away-database.ts';

type Say = (line: string) => void;
const burstMs = 10_000;
/** Four hundred signals a second to each of 200 devices. */
const floodEveryMs = 100;
const noLimits = { CHAT_PER_MINUTE: '1000000', CHAT_BURST: '1000000' };

/**
 * `npm run experiments -- chat-sockets --part idle|slow|return [--sockets N]`: what one process bears.
 * - `idle`: 10,000 sockets that say nothing take at most 20 KB each.
 * - `slow`: 200 devices that never read, in a flood of signals, do not grow memory by more than 150 MB and do not slow the others by more than 2x.
 * - `return`: 2,000 devices of a killed server are back within 60 s, and a call in the middle of it is answered.
 */
export async function chatSockets(say: Say): Promise<boolean> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ args: process.argv.slice(3), options: { part: text, sockets: text } });
  const part = parts[values.part ?? ''];
  if (!part) {
    say(`Name a part: ${Object.keys(parts).join(', ')}.`);
    return false;
  }
  let right = false;
  await onThrowAwayDatabase(async (url) => {
    const services = openServices(url);
    const server = await serverProcess({ databaseUrl: url, settings: noLimits });
    try {
      await server.start();
      right = await part({ services, server, say, sockets: Number(values.sockets) || null });
    } finally {
      await server.kill();
      await services.close();
    }
  });
  say(`chat-sockets: ${right ? 'as it must be' : 'NOT as it must be'}`);
  return right;
}

type Part = (given: {
  services: Services;
  server: ServerProcess;
  say: Say;
  sockets: number | null;
}) => Promise<boolean>;

const idle: Part = async ({ services, server, say, sockets }) => {
  const most = sockets ?? 10_000;
  const tokens = await makeManyAccounts(services, most);
  const warm = Math.floor(most / 10);
  const open = await connectAll(server.url, tokens.slice(0, warm));
  await wait(20_000);
  const before = await residentBytes(server);
  open.push(...(await connectAll(server.url, tokens.slice(warm))));
  await wait(60_000);
  const after = await residentBytes(server);
  const each = (after - before) / (most - warm) / 1_000;
  say(
    `idle: ${open.length} sockets stand after a minute, ${each.toFixed(1)} KB each beyond the first ${warm}`,
  );
  say(`  resident ${mb(before)} MB with ${warm}, ${mb(after)} MB with ${most}`);
  for (const socket of open) socket.close();
  return each <= 20;
};

const slow: Part = async ({ services, server, say, sockets }) => {
  const pair = await makePair(services);
  const tokens = await makeManyAccounts(services, sockets ?? 200);
  await makeManyRecruiters(services, pair.businessId);
  const measure = async (reading: boolean) => {
    const open = await connectAll(server.url, tokens);
    if (!reading) for (const socket of open) socket.stopReading();
    const before = await residentBytes(server);
    // A burst fills the OS buffers of those who don't read; then a rate that both can handle is measured.
    const burst = floodWith(services, pair.businessId, 0);
    await wait(burstMs);
    const burstPacks = await burst.stop();
    await wait(2_000);
    const flood = floodWith(services, pair.businessId, floodEveryMs);
    const delays = await talk(server, pair);
    const packs = (await flood.stop()) + burstPacks;
    const growth = Math.max(0, (await residentBytes(server)) - before);
    for (const socket of open) socket.close();
    await wait(1_000);
    return { delays, packs, growth };
  };
  const good = await measure(true);
  const bad = await measure(false);
  for (const [name, { delays, packs, growth }] of [
    ['that read', good],
    ['that never read', bad],
  ] as const)
    say(
      `slow: beside ${tokens.length} devices ${name}: p50 ${at(delays, 0.5)} ms, p99 ${at(delays, 0.99)} ms from send to receive, memory +${mb(growth)} MB, ${packs} packs of signals`,
    );
  return bad.growth <= 150e6 && Number(at(bad.delays, 0.5)) <= 2 * Number(at(good.delays, 0.5));
};

const comeBack: Part = async ({ services, server, say, sockets }) => {
  const tokens = await makeManyAccounts(services, sockets ?? 2_000);
  await connectAll(server.url, tokens);
  await server.kill();
  const down = performance.now();
  const welcomes: number[] = [];
  const devices = tokens.map((token) => returning(server.url, token, () => welcomes.push(performance.now())));
  await wait(3_000);
  await server.start();
  const back = performance.now();
  const answers: number[] = [];
  while (welcomes.length < tokens.length && performance.now() - back < 90_000) {
    const asked = performance.now();
    const answer = await fetch(`${server.url}/api/settings`).catch(() => null);
    await answer?.body?.cancel();
    if (answer?.ok) answers.push(performance.now() - asked);
    await wait(50);
  }
  const seconds = (performance.now() - back) / 1_000;
  const perSecond = new Map<number, number>();
  for (const moment of welcomes) {
    const second = Math.floor((moment - back) / 1_000);
    perSecond.set(second, (perSecond.get(second) ?? 0) + 1);
  }
  for (const device of devices) device.stop();
  say(
    `return: ${welcomes.length} of ${tokens.length} devices back ${seconds.toFixed(1)} s after the server, which was away for ${((back - down) / 1_000).toFixed(1)} s; at most ${Math.max(0, ...perSecond.values())} in a second`,
  );
  say(
    `  a call meanwhile: p50 ${at(answers, 0.5)} ms, p99 ${at(answers, 0.99)} ms, ${answers.length} answered`,
  );
  return welcomes.length === tokens.length && seconds <= 60;
};

const parts: Record<string, Part> = { idle, slow, return: comeBack };

/** As the app does it: again after half a second, doubling up to ten, with full jitter (apps/web/src/lib/realtime/realtime-link.ts). */
function returning(url: string, token: string, back: () => void): { stop(): void } {
  let stopped = false;
  let socket: BareSocket | null = null;
  void (async () => {
    for (let longestMs = 500; !stopped; longestMs = Math.min(2 * longestMs, 10_000)) {
      await wait(Math.random() * longestMs);
      if (stopped) return;
      socket = bareSocket(url, token);
      const stands = await socket.welcomed.then(
        () => true,
        () => false,
      );
      if (stands) return back();
    }
  })();
  return {
    stop() {
      stopped = true;
      socket?.close();
    },
  };
}

/** Fifty at a time, as fast as the server admits them. */
async function connectAll(url: string, tokens: readonly string[]): Promise<BareSocket[]> {
  const open: BareSocket[] = [];
  let next = 0;
  const lane = async () => {
    for (;;) {
      const token = tokens[next];
      next += 1;
      if (token === undefined) return;
      for (let pauseMs = 50; ; pauseMs = Math.min(2 * pauseMs, 2_000)) {
        const socket = bareSocket(url, token);
        const failure = await socket.welcomed.then(
          () => null,
          (error: Error) => error,
        );
        if (!failure) {
          open.push(socket);
          break;
        }
        await wait(pauseMs * (0.5 + Math.random()));
      }
    }
  };
  await Promise.all(Array.from({ length: 50 }, lane));
  return open;
}

/** Signals to everyone in a business, forty at a time, all different, so that none replaces another. */
function floodWith({ pool }: Services, businessId: string, everyMs: number) {
  let over = false;
  let packs = 0;
  const done = (async () => {
    for (let due = performance.now(); !over; due += everyMs) {
      const notified = Array.from(
        { length: 40 },
        (): Emitted => ({
          rooms: [`business:${businessId}`],
          signal: { kind: 'record', record: 'application', id: crypto.randomUUID() },
        }),
      );
      for (const pack of packSignals(notified))
        await pool.query('select pg_notify($1, $2)', [signalsChannel, pack]);
      packs += 1;
      await wait(Math.max(0, due + everyMs - performance.now()));
    }
  })();
  return {
    async stop(): Promise<number> {
      over = true;
      await done;
      return packs;
    },
  };
}

/** Two people write to each other for a while. @returns milliseconds from sending to seeing it on the other device */
async function talk(
  server: ServerProcess,
  { conversationId, worker, recruiter }: Awaited<ReturnType<typeof makePair>>,
): Promise<number[]> {
  const [from, to] = [worker, recruiter].map(({ token }) =>
    chatClient({ urls: [server.url], token, conversationId }),
  );
  if (!from || !to) throw new Error('two devices');
  await Promise.all([from.connect(), to.connect()]);
  await wait(1_000);
  const delays: number[] = [];
  const until = performance.now() + 30_000;
  while (performance.now() < until) {
    const started = performance.now();
    const seq = await from.say('Are you there?');
    delays.push((await to.whenSeen(seq)) - started);
    await wait(20);
  }
  from.stop();
  to.stop();
  return delays;
}

async function residentBytes(server: ServerProcess): Promise<number> {
  const status = await readFile(`/proc/${server.pid()}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) * 1_024;
}

const mb = (bytes: number): string => (bytes / 1e6).toFixed(0);
const at = (values: readonly number[], share: number): string =>
  (values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN).toFixed(1);
