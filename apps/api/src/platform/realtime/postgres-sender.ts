import type pg from 'pg';
import { type Emitted, packSignals, signalsChannel } from '../emit.ts';
import type { Log } from '../log.ts';
import { resyncEveryone } from './realtime-bus.ts';

/** The commits of this long share one notification; the first after a pause does not wait. */
const batchMs = 15;
/** Signals not sent yet; more are dropped, and a resync makes up for them. */
const maxWaiting = 1_000;

const notify = (client: pg.Client, packs: readonly string[]) =>
  client.query('select pg_notify($1, pack) from unnest($2::text[]) as packs (pack)', [signalsChannel, packs]);

/**
 * Collects signals and sends them together on a connection that comes and goes.
 * @param connection null while there is none, or while it is asked something else
 */
export function createSender(connection: () => pg.Client | null, log: Log) {
  let waiting: Emitted[] = [];
  let missed = false;
  let sending = false;
  let soon: NodeJS.Timeout | undefined;
  let sentAt = Number.NEGATIVE_INFINITY;

  /** Sends what is waiting: at once after a pause, otherwise with what else comes until then. */
  function plan(): void {
    if (soon || sending) return;
    soon = setTimeout(() => void flush(), Math.max(0, sentAt + batchMs - performance.now()));
  }

  /** What is not sent yet, which counts as sent from now on. */
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
      // Perhaps sent, perhaps not.
      missed = true;
      log.debug({ err: error }, 'signals: not sent');
    } finally {
      sending = false;
    }
    if (waiting.length > 0) plan();
  }

  return {
    isSending: () => sending,
    push(notified: readonly Emitted[]): void {
      if (waiting.length + notified.length > maxWaiting) missed = true;
      else waiting.push(...notified);
      plan();
    },
    flush,
    /** Sends what is left, and `last`. */
    async finish(client: pg.Client, last: string): Promise<void> {
      clearTimeout(soon);
      await notify(client, [...takePacks(), last]);
    },
    stop: () => clearTimeout(soon),
  };
}
