import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sumOf } from '@nearhand/contract/arithmetic';
import { type ChatBreak, chatClient } from './chat/chat-client.ts';
import { type ChatFaults, chatFaults, chatSignalFaults } from './chat/chat-faults.ts';
import { makePair } from './chat/conversation-pair.ts';
import { serverProcess } from './money/server-process.ts';
import { openServices } from './money/services.ts';
import { onThrowAwayDatabase } from './throw-away-database.ts';

export type DeliveryOptions = {
  /** The number of messages that each device sends. */
  messages: number;
  /** The interval at which a server is killed, in turn. */
  killEveryMs: number;
  cutAfterMs: readonly [number, number];
  redisUrl?: string;
  broken?: ChatBreak;
  convergeWithinMs?: number;
};

export type DeliveryResult = {
  faults: ChatFaults;
  kills: number;
  cuts: number;
  seconds: number;
  /** Milliseconds, of the slower device. */
  gapAt95: number;
  gaps: number;
  convergedMs: number;
};

/** Rate limits are not tested here. */
const noLimits = { CHAT_PER_MINUTE: '1000000', CHAT_BURST: '1000000' };

/**
 * `npm run experiments -- chat-delivery [--messages 10000] [--redis URL] [--break no-gap-fill|new-id-each-try]`
 * Two devices chat while connections are cut and servers killed; nothing may be lost, doubled or reordered.
 */
export async function chatDelivery(say: (line: string) => void): Promise<boolean> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { messages: text, redis: text, break: text },
  });
  let right = false;
  await onThrowAwayDatabase(async (url) => {
    const options: DeliveryOptions = {
      messages: Number(values.messages ?? 10_000),
      killEveryMs: 10_000,
      cutAfterMs: [500, 3_000],
      redisUrl: values.redis,
      broken: values.break as ChatBreak | undefined,
    };
    const { faults, gapAt95 } = await chatDeliveryOn(url, options, say);
    right = values.break ? faults.size > 0 : faults.size === 0 && gapAt95 <= 1_000;
  });
  say(
    `chat-delivery: ${right ? 'as it must be' : 'NOT as it must be'}${values.break ? ' (negative control)' : ''}`,
  );
  return right;
}

export async function chatDeliveryOn(
  url: string,
  options: DeliveryOptions,
  say: (line: string) => void,
): Promise<DeliveryResult> {
  const services = openServices(url);
  const pair = await makePair(services);
  const { conversationId } = pair;
  const settings = { ...noLimits, ...(options.redisUrl ? { REDIS_URL: options.redisUrl } : {}) };
  const servers = [
    await serverProcess({ databaseUrl: url, settings }),
    await serverProcess({ databaseUrl: url, settings }),
  ];
  const urls = servers.map((server) => server.url);
  const clients = [pair.worker, pair.recruiter].map(({ token }) =>
    chatClient({ urls, token, conversationId, broken: options.broken }),
  );
  let over = false;
  const result = { kills: 0, cuts: 0 };
  const killing = async () => {
    for (let turn = 0; !over; turn += 1) {
      const until = performance.now() + options.killEveryMs;
      while (!over && performance.now() < until) await wait(50);
      if (over) return;
      const server = servers[turn % servers.length];
      await server?.kill();
      result.kills += 1;
      await server?.start();
    }
  };
  const cutting = async (client: (typeof clients)[number]) => {
    const [min, max] = options.cutAfterMs;
    while (!over) {
      const until = performance.now() + min + Math.random() * (max - min);
      while (!over && performance.now() < until) await wait(20);
      if (over) return;
      client.cut();
      result.cuts += 1;
    }
  };
  try {
    await Promise.all(servers.map((server) => server.start()));
    await Promise.all(clients.map((client) => client.connect()));
    const started = performance.now();
    const breaking = [killing(), ...clients.map(cutting)];
    await Promise.all(
      clients.map(async (client, number) => {
        for (let n = 1; n <= options.messages; n += 1) await client.say(`${n} of device ${number + 1}`);
      }),
    );
    const seconds = (performance.now() - started) / 1_000;
    over = true;
    await Promise.all(breaking);
    const ended = performance.now();
    const { convergeWithinMs = 5_000 } = options;
    const complete = () => clients.every(({ list }) => list.size >= 2 * options.messages);
    while (!complete() && performance.now() - ended < convergeWithinMs) await wait(20);
    const convergedMs = performance.now() - ended;
    await wait(300);
    const faults = await chatFaults(services.pool, conversationId, clients, 2 * options.messages);
    const gapAt95 = Math.max(...clients.map((client) => client.gapAt95()));
    const gaps = sumOf(clients, (client) => client.gaps.length);
    const tries = sumOf(clients, (client) => client.tries());
    say(
      `chat-delivery: 2 x ${options.messages} messages in ${seconds.toFixed(0)} s through 2 servers, ${result.kills} kills, ${result.cuts} cuts, ${tries} calls`,
    );
    say(
      `  gaps filled: ${gaps}, p95 ${gapAt95.toFixed(0)} ms; everything on both ${convergedMs.toFixed(0)} ms after the end`,
    );
    for (const line of chatSignalFaults(faults)) say(line);
    return { faults, ...result, seconds, gapAt95, gaps, convergedMs };
  } finally {
    over = true;
    for (const client of clients) client.stop();
    await Promise.all(servers.map((server) => server.kill()));
    await services.close();
  }
}
