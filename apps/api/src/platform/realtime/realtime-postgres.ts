import pg from 'pg';
import { type Emitted, packSignals, signalsChannel, throughPostgres } from '../emit.ts';
import type { Log } from '../log.ts';
import { type Bus, type BusListener, backoff, readPack } from './realtime-bus.ts';

/** A connection silent for this long is considered dead. */
const silentMs = 4_000;
const askEveryMs = 5_000;
/** Emitted without a transaction and not sent yet; more is dropped. */
const maxWaiting = 1_000;

/** The bus on the database alone: NOTIFY at commit, LISTEN on a dedicated connection outside the pool, since it must never be lent to a query. */
export function createPostgresBus(url: string, log: Log): Bus {
  let listener: BusListener | null = null;
  let client: pg.Client | null = null;
  let stopped = false;
  let attempt = 0;
  let timer: NodeJS.Timeout | undefined;
  let waiting: Emitted[] = [];
  let sending = false;
  let pulse: Promise<unknown> | null = null;

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: url,
      application_name: 'nearhand signals',
      connectionTimeoutMillis: silentMs,
      query_timeout: silentMs,
      keepAlive: true,
    });
    let over = false;
    const lost = (error?: Error) => {
      if (over) return;
      over = true;
      client = null;
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
    next.on('notification', ({ payload }) => listener?.notified(readPack(payload ?? '')));
    try {
      await next.connect();
      await next.query(`listen ${signalsChannel}`);
    } catch (error) {
      return lost(error as Error);
    }
    if (stopped || over) return lost();
    client = next;
    attempt = 0;
    beat(next, lost);
    listener?.regained();
    void flush();
  }

  /** Sends heartbeats: a cut network does not report itself. */
  function beat(of: pg.Client, lost: (error: Error) => void): void {
    timer = setTimeout(async () => {
      try {
        if (!sending) {
          pulse = of.query('select');
          await pulse;
        }
        pulse = null;
        if (client === of) {
          void flush();
          beat(of, lost);
        }
      } catch (error) {
        pulse = null;
        lost(error as Error);
      }
    }, askEveryMs);
  }

  async function flush(): Promise<void> {
    if (sending || pulse || !client) return;
    sending = true;
    try {
      while (waiting.length > 0 && client) {
        const packs = packSignals(waiting);
        waiting = [];
        await client.query('select pg_notify($1, pack) from unnest($2::text[]) as packs (pack)', [
          signalsChannel,
          packs,
        ]);
      }
    } catch (error) {
      log.debug({ err: error }, 'signals: not sent');
    } finally {
      sending = false;
    }
  }

  return {
    signals: throughPostgres,
    send(notified) {
      if (!client || waiting.length + notified.length > maxWaiting) return;
      waiting.push(...notified);
      void flush();
    },
    listen(by) {
      listener = by;
      void connect();
    },
    isUp: () => client !== null,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await client?.end().catch(() => {});
    },
  };
}
