import { setTimeout as wait } from 'node:timers/promises';
import { type Handshake, realtimePath, type ServerEvents, type Signal } from '@nearhand/contract/realtime';
import type { Message } from '@nearhand/contract/talk/messages';
import { io, type Socket } from 'socket.io-client';

/** An omission of a client, as a negative control. */
export type ChatBreak = 'no-gap-fill' | 'new-id-each-try';

export type ChatOptions = {
  urls: readonly string[];
  token: () => Promise<string>;
  conversationId: string;
  broken?: ChatBreak;
};

export type ChatClient = ReturnType<typeof chatClient>;

const answerWithinMs = 10_000;
const percent95 = 0.95;

/**
 * A device as ADR 92 requires: sends under a client id until acknowledged, and fetches changes since its
 * revision.
 */
export function chatClient(options: ChatOptions) {
  const { broken } = options;
  const calls = createCalls(options);
  const view = createShown();
  const gaps = createGaps(options, calls, view);
  const acknowledged = new Map<string, number>();

  const receive = (signals: readonly Signal[]): void => {
    // The broken client fetches only what a signal names and never catches up.
    if (broken === 'no-gap-fill') void takeHinted(signals);
    else gaps.receive(signals, { resyncs: !broken });
  };

  async function takeHinted(signals: readonly Signal[]): Promise<void> {
    for (const signal of signals) {
      if (signal.kind !== 'message') continue;
      const answer = await calls.ask('GET', `/messages?around=${signal.seq}&limit=1`);
      if (answer?.ok) view.take(((await answer.json()) as { items: Message[] }).items);
    }
  }

  const line = createLine(options, calls, {
    receive,
    stands: () => {
      if (broken !== 'no-gap-fill') gaps.open();
    },
  });

  return {
    list: view.list,
    acknowledged,
    refusals: calls.refusals,
    /** Milliseconds from a reconnected socket, or a resync, to having everything. */
    gaps: gaps.filledMs,
    gapAt95: () => {
      const sorted = gaps.filledMs.toSorted((a, b) => a - b);
      return sorted[Math.floor(sorted.length * percent95)] ?? 0;
    },
    tries: calls.tries,
    whenSeen: view.whenSeen,
    connect: line.connect,
    cut: line.cut,
    async say(body: string): Promise<number> {
      const first = crypto.randomUUID();
      for (let pauseMs = 20; ; pauseMs = Math.min(2 * pauseMs, 320)) {
        const clientId = broken === 'new-id-each-try' ? crypto.randomUUID() : first;
        const answer = await calls.ask('POST', '/messages', { clientId, body });
        if (answer?.ok) {
          const { seq } = (await answer.json()) as Message;
          acknowledged.set(clientId, seq);
          return seq;
        }
        if (answer?.status !== 429) await calls.keepRefusal('send', answer);
        calls.turn();
        await wait(pauseMs * (0.5 + Math.random()));
      }
    },
    stop(): void {
      gaps.stop();
      line.stop();
    },
  };
}

function createCalls({ urls, token, conversationId }: ChatOptions) {
  const refusals: string[] = [];
  let at = Math.floor(Math.random() * urls.length);
  let tries = 0;
  return {
    refusals,
    tries: () => tries,
    url: () => urls[at] ?? '',
    turn: (): void => {
      at = (at + 1) % urls.length;
    },
    /** @returns null if there was no response */
    async ask(method: string, path: string, body?: unknown): Promise<Response | null> {
      tries += 1;
      const key = method === 'GET' ? {} : { 'idempotency-key': crypto.randomUUID() };
      try {
        return await fetch(`${urls[at]}/api/conversations/${conversationId}${path}`, {
          method,
          headers: { authorization: `Bearer ${await token()}`, 'content-type': 'application/json', ...key },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(answerWithinMs),
        });
      } catch {
        return null;
      }
    },
    /** Records permanent refusals; outages are part of the experiment. */
    async keepRefusal(label: string, answer: Response | null): Promise<void> {
      if (answer && answer.status < 500) refusals.push(`${label}: ${answer.status} ${await answer.text()}`);
    },
  };
}
type Calls = ReturnType<typeof createCalls>;

function createShown() {
  const list = new Map<number, Message>();
  const seenAt = new Map<number, number>();
  const waiting = new Map<number, (at: number) => void>();
  return {
    list,
    take(items: readonly Message[]): void {
      for (const item of items) {
        const before = list.get(item.seq);
        if (!before || before.rev < item.rev) list.set(item.seq, item);
        if (seenAt.has(item.seq)) continue;
        seenAt.set(item.seq, performance.now());
        waiting.get(item.seq)?.(performance.now());
        waiting.delete(item.seq);
      }
    },
    whenSeen(seq: number): Promise<number> {
      const firstSeenAt = seenAt.get(seq);
      return firstSeenAt === undefined
        ? new Promise((resolve) => waiting.set(seq, resolve))
        : Promise.resolve(firstSeenAt);
    },
  };
}
type Shown = ReturnType<typeof createShown>;

function createGaps({ conversationId }: ChatOptions, calls: Calls, view: Shown) {
  const filledMs: number[] = [];
  let rev = 0;
  let targetSeq = 0;
  let openSince: number | null = null;
  let filling = false;
  let stopped = false;

  async function fill(): Promise<void> {
    while (!stopped) {
      const answer = await calls.ask('GET', `/messages?since=${rev}&limit=200`);
      if (!answer?.ok) {
        await calls.keepRefusal('since', answer);
        calls.turn();
        await wait(20);
        continue;
      }
      const page = (await answer.json()) as { items: Message[]; more: boolean; rev: number };
      view.take(page.items);
      rev = page.more ? (page.items.at(-1)?.rev ?? rev) : Math.max(rev, page.rev);
      if (!page.more && rev >= targetSeq) break;
    }
    if (openSince !== null) filledMs.push(performance.now() - openSince);
    openSince = null;
  }

  const catchUp = (): void => {
    if (filling) return;
    filling = true;
    void fill().finally(() => {
      filling = false;
      if (!stopped && rev < targetSeq) catchUp();
    });
  };

  const open = (): void => {
    openSince ??= performance.now();
    catchUp();
  };

  return {
    filledMs,
    open,
    receive(signals: readonly Signal[], { resyncs }: { resyncs: boolean }): void {
      for (const signal of signals) {
        if (signal.kind === 'message' && signal.conversationId === conversationId)
          targetSeq = Math.max(targetSeq, signal.rev);
        if (signal.kind === 'resync' && resyncs) open();
      }
      if (rev < targetSeq) catchUp();
    },
    stop: (): void => {
      stopped = true;
    },
  };
}

function createLine(
  { token }: ChatOptions,
  calls: Calls,
  on: { receive(signals: readonly Signal[]): void; stands(): void },
) {
  let socket: Socket<ServerEvents> | null = null;
  let stopped = false;

  async function connect(): Promise<void> {
    const auth: Handshake = { token: await token() };
    if (stopped) return;
    const ownSocket: Socket<ServerEvents> = io(calls.url(), {
      path: realtimePath,
      transports: ['websocket'],
      reconnection: false,
      forceNew: true,
      timeout: 2_000,
      auth,
    });
    socket = ownSocket;
    const reconnect = async () => {
      if (stopped || socket !== ownSocket) return;
      socket = null;
      calls.turn();
      await wait(50 + Math.random() * 250);
      await connect();
    };
    ownSocket.on('connect', on.stands);
    ownSocket.on('signals', on.receive);
    ownSocket.once('disconnect', () => void reconnect());
    ownSocket.once('connect_error', () => {
      ownSocket.close();
      void reconnect();
    });
  }

  return {
    connect,
    /** Breaks the connection silently, as a network would. */
    cut(): void {
      socket?.io.engine?.close();
    },
    stop(): void {
      stopped = true;
      socket?.close();
    },
  };
}
