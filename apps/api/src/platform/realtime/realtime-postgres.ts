import pg from 'pg';
import { signalsChannel } from '../emit.ts';
import type { Log } from '../log.ts';
import { createPeers, listenerName } from './postgres-peers.ts';
import { createSender } from './postgres-sender.ts';
import { type Bus, type BusListener, backoff, readPack, resyncEveryone } from './realtime-bus.ts';

/** A connection silent for this long is considered dead. */
const silentMs = 4_000;
const askEveryMs = 5_000;

/**
 * The bus on the database alone. A NOTIFY in each transaction would let one commit through at a time, so one connection outside the pool sends the
 * signals of many commits at once, without waiting for the disk, and listens. A process that vanishes without a goodbye may have committed what it
 * had no time to send: the others notice within seconds and resync their sockets (ADR 89).
 */
export function createPostgresBus(url: string, log: Log): Bus {
  let listener: BusListener | null = null;
  let client: pg.Client | null = null;
  let stopped = false;
  let attempt = 0;
  let timer: NodeJS.Timeout | undefined;
  let looking = false;
  const peers = createPeers();
  const sender = createSender(() => (looking ? null : client), log);

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: url,
      application_name: listenerName,
      connectionTimeoutMillis: silentMs,
      query_timeout: silentMs,
      keepAlive: true,
    });
    let over = false;
    const lost = (error?: Error) => {
      if (over) return;
      over = true;
      client = null;
      looking = false;
      clearTimeout(timer);
      // A dead connection does not end by itself.
      next.end().catch(() => {});
      (next as unknown as { connection?: { stream?: { destroy(): void } } }).connection?.stream?.destroy();
      if (stopped) return;
      log.warn({ err: error }, 'signals: the connection to PostgreSQL was lost');
      timer = setTimeout(connect, backoff(attempt));
      attempt += 1;
    };
    next.on('error', lost).on('end', () => lost());
    next.on('notification', ({ payload = '' }) => {
      if (!peers.hears(payload)) listener?.notified(readPack(payload));
    });
    try {
      await next.connect();
      await next.query(`set synchronous_commit = off; listen ${signalsChannel}`);
      await peers.meet(next);
    } catch (error) {
      return lost(error as Error);
    }
    if (stopped || over) return lost();
    client = next;
    attempt = 0;
    beat(next, lost);
    listener?.regained();
    void sender.flush();
  }

  /** Looks who is there, which also tells whether the connection is: a cut network does not report itself. */
  function beat(of: pg.Client, lost: (error: Error) => void): void {
    timer = setTimeout(async () => {
      try {
        looking = !sender.isSending();
        if (looking && (await peers.look(of))) {
          log.warn('signals: a process vanished, so the sockets of this one refetch');
          listener?.notified(resyncEveryone);
        }
        looking = false;
        if (client === of) {
          void sender.flush();
          beat(of, lost);
        }
      } catch (error) {
        looking = false;
        lost(error as Error);
      }
    }, askEveryMs);
  }

  return {
    signals: { afterCommit: sender.push },
    send(notified) {
      if (client) sender.push(notified);
    },
    listen(by) {
      listener = by;
      void connect();
    },
    isUp: () => client !== null,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      sender.stop();
      if (!client) return;
      const last = client;
      await sender
        .finish(last, peers.goodbye())
        .then(() => last.end())
        .catch(() => {});
    },
  };
}
