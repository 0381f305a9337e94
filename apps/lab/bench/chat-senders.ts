import { setTimeout as wait } from 'node:timers/promises';
import { newId } from '@nearhand/api/src/platform/ids.ts';
import pg from 'pg';
import { chatClient } from '../experiments/chat/chat-client.ts';
import { makePair } from '../experiments/chat/conversation-pair.ts';
import type { ServerProcess } from '../experiments/money/server-process.ts';
import type { Services } from '../experiments/money/services.ts';

const conversations = 8;

/** A pair of devices: one sends, and the result resolves when the other has received it. */
export type Sender = { say(): Promise<() => Promise<number>>; stop(): unknown };

/** All send for a while. @returns milliseconds from sending to receiving, per message */
export async function sendFor(
  senders: readonly Sender[],
  seconds: number,
  pauseMs: number,
): Promise<number[]> {
  const until = performance.now() + seconds * 1_000;
  const delays: Promise<number>[] = [];
  await Promise.all(
    senders.map(async ({ say }) => {
      while (performance.now() < until) {
        const started = performance.now();
        const received = await say();
        delays.push(received().then((seenAt) => seenAt - started));
        if (pauseMs > 0) await wait(pauseMs * (0.5 + Math.random()));
      }
    }),
  );
  return Promise.all(delays);
}

/** Pairs of devices: the worker sends to one server, the recruiter listens at the other. */
export async function ourSenders(
  services: Services,
  sending: ServerProcess,
  receiving: ServerProcess,
): Promise<Sender[]> {
  const senders: Sender[] = [];
  for (let n = 0; n < conversations; n += 1) {
    const { conversationId, worker, recruiter } = await makePair(services);
    const from = chatClient({ urls: [sending.url], token: worker.token, conversationId });
    const to = chatClient({ urls: [receiving.url], token: recruiter.token, conversationId });
    await to.connect();
    senders.push({
      async say() {
        const seq = await from.say('Are you there?');
        return () => to.whenSeen(seq);
      },
      stop() {
        from.stop();
        to.stop();
      },
    });
  }
  await wait(1_000);
  return senders;
}

/** The minimum that stores a message and notifies another connection, which then reads it. */
export async function bareSenders(url: string): Promise<Sender[]> {
  const pool = new pg.Pool({ connectionString: url, max: conversations });
  pool.on('error', () => {});
  await pool.query('create table bare_messages (id uuid primary key, body text not null)');
  const listener = new pg.Client(url);
  listener.on('error', () => {});
  await listener.connect();
  await listener.query('listen bare');
  const waiting = new Map<string, (at: number) => void>();
  const readers = new pg.Pool({ connectionString: url, max: conversations });
  readers.on('error', () => {});
  listener.on('notification', ({ payload = '' }) => {
    void readers
      .query('select body from bare_messages where id = $1', [payload])
      .then(() => waiting.get(payload)?.(performance.now()));
  });
  let stopping: Promise<unknown> | undefined;
  const stop = () => (stopping ??= Promise.all([listener.end(), readers.end(), pool.end()]));
  return Array.from({ length: conversations }, () => ({
    async say() {
      const id = newId(new Date());
      const seen = new Promise<number>((resolve) => waiting.set(id, resolve));
      const client = await pool.connect();
      try {
        await client.query('begin');
        await client.query('insert into bare_messages values ($1, $2)', [id, 'Are you there?']);
        await client.query('select pg_notify($1, $2)', ['bare', id]);
        await client.query('commit');
      } finally {
        client.release();
      }
      return () => seen;
    },
    stop: () => stop(),
  }));
}

export function at(delays: readonly number[], share: number): number {
  return delays.toSorted((a, b) => a - b)[Math.floor(delays.length * share)] ?? Number.NaN;
}
