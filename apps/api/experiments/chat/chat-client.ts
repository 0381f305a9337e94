import { setTimeout as wait } from 'node:timers/promises';
import type { Message } from '@nearhand/contract/chat';
import { type Handshake, realtimePath, type ServerEvents, type Signal } from '@nearhand/contract/realtime';
import { io, type Socket } from 'socket.io-client';

/** What a client of the experiment leaves out, as a negative control. */
export type ChatBreak = 'no-gap-fill' | 'new-id-each-try';

export type ChatClient = ReturnType<typeof chatClient>;

const answerWithinMs = 10_000;
const percent95 = 0.95;

/**
 * A device as the contract wants it (docs/adr/0092): says things under a client id until they are acknowledged, hears hints over a socket, and asks for what changed since
 * the revision that it has. It knows several addresses of one deployment and goes on at the next one when its own does not answer.
 */
export function chatClient(wishes: {
  urls: readonly string[];
  token: () => Promise<string>;
  conversationId: string;
  broken?: ChatBreak | undefined;
}) {
  const { urls, conversationId, broken } = wishes;
  /** What this device shows, by place. */
  const list = new Map<number, Message>();
  const acknowledged = new Map<string, number>();
  /** Milliseconds from a socket that stands again, or a resync, to having everything there was. */
  const gaps: number[] = [];
  /** When a message was first shown here. */
  const seenAt = new Map<number, number>();
  const waiting = new Map<number, (at: number) => void>();
  const refusals: string[] = [];
  let at = Math.floor(Math.random() * urls.length);
  let rev = 0;
  let wanted = 0;
  let tries = 0;
  let connects = 0;
  let gapSince: number | null = null;
  let filling = false;
  let stopped = false;
  let socket: Socket<ServerEvents> | null = null;

  const turn = () => {
    at = (at + 1) % urls.length;
  };

  async function call(method: string, path: string, body?: unknown): Promise<Response | null> {
    tries += 1;
    const key = method === 'GET' ? {} : { 'idempotency-key': crypto.randomUUID() };
    try {
      return await fetch(`${urls[at]}/api${path}`, {
        method,
        headers: {
          authorization: `Bearer ${await wishes.token()}`,
          'content-type': 'application/json',
          ...key,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(answerWithinMs),
      });
    } catch {
      return null;
    }
  }

  function take(items: readonly Message[]): void {
    for (const item of items) {
      const known = list.get(item.seq);
      if (!known || known.rev < item.rev) list.set(item.seq, item);
      if (seenAt.has(item.seq)) continue;
      seenAt.set(item.seq, performance.now());
      waiting.get(item.seq)?.(performance.now());
      waiting.delete(item.seq);
    }
  }

  async function fill(): Promise<void> {
    while (!stopped) {
      const answer = await call('GET', `/conversations/${conversationId}/messages?since=${rev}&limit=200`);
      if (!answer?.ok) {
        if (answer && answer.status < 500) refusals.push(`since: ${answer.status} ${await answer.text()}`);
        turn();
        await wait(20);
        continue;
      }
      const page = (await answer.json()) as { items: Message[]; more: boolean; rev: number };
      take(page.items);
      rev = page.more ? (page.items.at(-1)?.rev ?? rev) : Math.max(rev, page.rev);
      if (!page.more && rev >= wanted) break;
    }
    if (gapSince !== null) gaps.push(performance.now() - gapSince);
    gapSince = null;
  }

  const catchUp = () => {
    if (filling) return;
    filling = true;
    void fill().finally(() => {
      filling = false;
      if (!stopped && rev < wanted) catchUp();
    });
  };

  function hear(signals: readonly Signal[]): void {
    for (const signal of signals) {
      if (signal.kind === 'message' && signal.conversationId === conversationId)
        wanted = Math.max(wanted, signal.rev);
      if (signal.kind === 'resync' && !broken) {
        gapSince ??= performance.now();
        catchUp();
      }
    }
    // The broken one takes what a hint names and never looks behind it.
    if (broken === 'no-gap-fill') void takeHinted(signals);
    else if (rev < wanted) catchUp();
  }

  async function takeHinted(signals: readonly Signal[]): Promise<void> {
    for (const signal of signals) {
      if (signal.kind !== 'message') continue;
      const answer = await call(
        'GET',
        `/conversations/${conversationId}/messages?around=${signal.seq}&limit=1`,
      );
      if (answer?.ok) take(((await answer.json()) as { items: Message[] }).items);
    }
  }

  async function connect(): Promise<void> {
    const token = await wishes.token();
    if (stopped) return;
    const auth: Handshake = { token };
    const mine: Socket<ServerEvents> = io(urls[at] ?? '', {
      path: realtimePath,
      transports: ['websocket'],
      reconnection: false,
      forceNew: true,
      timeout: 2_000,
      auth,
    });
    socket = mine;
    const again = async () => {
      if (stopped || socket !== mine) return;
      socket = null;
      turn();
      await wait(50 + Math.random() * 250);
      await connect();
    };
    mine.on('connect', () => {
      connects += 1;
      if (broken === 'no-gap-fill') return;
      gapSince ??= performance.now();
      catchUp();
    });
    mine.on('signals', hear);
    mine.once('disconnect', () => void again());
    mine.once('connect_error', () => {
      mine.close();
      void again();
    });
  }

  return {
    list,
    acknowledged,
    gaps,
    seenAt,
    refusals,
    connect,
    /** Says something and waits until the server has it, however often it must be asked. */
    async say(body: string): Promise<number> {
      const first = crypto.randomUUID();
      for (let pauseMs = 20; ; pauseMs = Math.min(2 * pauseMs, 320)) {
        const clientId = broken === 'new-id-each-try' ? crypto.randomUUID() : first;
        const answer = await call('POST', `/conversations/${conversationId}/messages`, { clientId, body });
        if (answer?.ok) {
          const { seq } = (await answer.json()) as Message;
          acknowledged.set(clientId, seq);
          return seq;
        }
        if (answer && answer.status < 500 && answer.status !== 429)
          refusals.push(`send: ${answer.status} ${await answer.text()}`);
        turn();
        await wait(pauseMs * (0.5 + Math.random()));
      }
    },
    /** When this message is shown here, which may be long past. */
    whenSeen(seq: number): Promise<number> {
      const known = seenAt.get(seq);
      return known === undefined
        ? new Promise((resolve) => waiting.set(seq, resolve))
        : Promise.resolve(known);
    },
    /** Breaks its connection as a network would: without a word. */
    cut(): void {
      socket?.io.engine?.close();
    },
    stop(): void {
      stopped = true;
      socket?.close();
    },
    facts: () => ({ rev, tries, connects, isConnected: socket?.connected === true }),
    gapAt95: () => {
      const sorted = gaps.toSorted((a, b) => a - b);
      return sorted[Math.floor(sorted.length * percent95)] ?? 0;
    },
  };
}
