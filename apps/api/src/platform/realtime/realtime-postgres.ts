import pg from 'pg';
import type { Log } from '../log.ts';
import { type Emitted, packSignals, signalsChannel } from './publish.ts';
import { type Bus, type BusListener, backoff, readPack, resyncEveryone } from './realtime-bus.ts';

/** A connection silent for this long is considered dead. */
const silentMs = 4_000;
const askEveryMs = 5_000;

/**
 * A NOTIFY per transaction would serialize commits, so one connection batches them. Others resync when
 * a process vanishes, as it may have committed unsent signals (ADR 89).
 */
export function createPostgresBus(url: string, log: Log): Bus {
  let listener: BusListener | null = null;
  let client: pg.Client | null = null;
  let stopped = false;
  let attempt = 0;
  let timer: NodeJS.Timeout | undefined;
  let isChecking = false;
  const peers = createPeers();
  const sender = createSender(() => (isChecking ? null : client), log);

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: url,
      application_name: listenerName,
      connectionTimeoutMillis: silentMs,
      query_timeout: silentMs,
      keepAlive: true,
    });
    let over = false;
    const onLost = (error?: Error) => {
      if (over) return;
      over = true;
      client = null;
      isChecking = false;
      clearTimeout(timer);
      // A dead connection does not end by itself.
      next.end().catch(() => {});
      (next as unknown as { connection?: { stream?: { destroy(): void } } }).connection?.stream?.destroy();
      if (stopped) return;
      log.warn({ err: error }, 'signals: the connection to PostgreSQL was lost');
      timer = setTimeout(connect, backoff(attempt));
      attempt += 1;
    };
    next.on('error', onLost).on('end', () => onLost());
    next.on('notification', ({ payload = '' }) => {
      if (!peers.readFarewell(payload)) listener?.deliver(readPack(payload));
    });
    try {
      await next.connect();
      await next.query(`set synchronous_commit = off; listen ${signalsChannel}`);
      await peers.start(next);
    } catch (error) {
      return onLost(error as Error);
    }
    if (stopped || over) return onLost();
    client = next;
    attempt = 0;
    beat(next, onLost);
    listener?.regained();
    void sender.flush();
  }

  /** Detects a cut network, which a dead connection does not report. */
  function beat(connection: pg.Client, lost: (error: Error) => void): void {
    timer = setTimeout(async () => {
      try {
        isChecking = !sender.isSending();
        if (isChecking && (await peers.hasVanished(connection))) {
          log.warn('signals: a process vanished, so the sockets of this one refetch');
          listener?.deliver(resyncEveryone);
        }
        isChecking = false;
        if (client === connection) {
          void sender.flush();
          beat(connection, lost);
        }
      } catch (error) {
        isChecking = false;
        lost(error as Error);
      }
    }, askEveryMs);
  }

  return {
    signals: { afterCommit: sender.push },
    send(signals) {
      if (client) sender.push(signals);
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
        .finish(last, peers.farewell())
        .then(() => last.end())
        .catch(() => {});
    },
  };
}

const listenerName = 'nearhand signals';

/** Listening connections, by names that no later connection reuses. */
const listeners = `select pid || ' ' || backend_start as peer, pid = pg_backend_pid() as own from pg_stat_activity
  where application_name = '${listenerName}' and datname = current_database()`;
const farewellPattern = /^\{"left":"([^"]+)"\}$/;

/** Detects a process that stopped listening; its last signals may be lost. */
function createPeers() {
  let listening = new Set<string>();
  let self = '';
  const ask = async (client: pg.Client) => {
    const { rows } = await client.query<{ peer: string; own: boolean }>(listeners);
    self = rows.find(({ own }) => own)?.peer ?? '';
    return new Set(rows.map(({ peer }) => peer));
  };
  return {
    async start(client: pg.Client): Promise<void> {
      listening = await ask(client);
    },
    /** Returns whether a process vanished without a farewell since the last check. */
    async hasVanished(client: pg.Client): Promise<boolean> {
      const present = await ask(client);
      const vanished = [...listening].some((peer) => !present.has(peer));
      listening = present;
      return vanished;
    },
    /** Returns whether the text is a farewell, and forgets the process that sent it. */
    readFarewell(text: string): boolean {
      const leavingId = farewellPattern.exec(text)?.[1];
      if (leavingId === undefined) return false;
      listening.delete(leavingId);
      return true;
    },
    farewell: () => `{"left":"${self}"}`,
  };
}

/** Commits within this time share one notification; the first after a pause is sent at once. */
const batchMs = 15;
/** Further signals are dropped, and a resync makes up for them. */
const maxWaiting = 1_000;

const notify = (client: pg.Client, packs: readonly string[]) =>
  client.query('select pg_notify($1, pack) from unnest($2::text[]) as packs (pack)', [signalsChannel, packs]);

/**
 * Batches signals.
 * @param connection null while disconnected or busy
 */
function createSender(connection: () => pg.Client | null, log: Log) {
  let waiting: Emitted[] = [];
  let missed = false;
  let sending = false;
  let soon: NodeJS.Timeout | undefined;
  let sentAt = Number.NEGATIVE_INFINITY;

  function plan(): void {
    if (soon || sending) return;
    soon = setTimeout(() => void flush(), Math.max(0, sentAt + batchMs - performance.now()));
  }

  function takePacks(): string[] {
    const packs = packSignals(missed ? [...waiting, ...resyncEveryone] : waiting);
    waiting = [];
    missed = false;
    return packs;
  }

  async function flush(): Promise<void> {
    clearTimeout(soon);
    soon = undefined;
    const client = connection();
    if (sending || !client || (waiting.length === 0 && !missed)) return;
    sending = true;
    sentAt = performance.now();
    try {
      await notify(client, takePacks());
    } catch (error) {
      // The batch may or may not have been sent.
      missed = true;
      log.debug({ err: error }, 'signals: not sent');
    } finally {
      sending = false;
    }
    if (waiting.length > 0) plan();
  }

  return {
    isSending: () => sending,
    push(signals: readonly Emitted[]): void {
      if (waiting.length + signals.length > maxWaiting) missed = true;
      else waiting.push(...signals);
      plan();
    },
    flush,
    async finish(client: pg.Client, last: string): Promise<void> {
      clearTimeout(soon);
      await notify(client, [...takePacks(), last]);
    },
    stop: () => clearTimeout(soon),
  };
}
