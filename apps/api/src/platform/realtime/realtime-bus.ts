import type { Emitted, SignalsOut } from './publish.ts';

export type BusListener = {
  deliver(signals: readonly Emitted[]): void;
  /** The bus connected or reconnected, so earlier signals may have been lost. */
  regained(): void;
};

/** Carries signals to all processes, including this one. Nothing waits for them (ADR 89). */
export type Bus = {
  signals: SignalsOut;
  /** Sends typing signals, which are lost while the bus is down. */
  send(signals: readonly Emitted[]): void;
  /** Subscribes to the signals. It retries forever and never throws. */
  listen(listener: BusListener): void;
  isUp(): boolean;
  stop(): Promise<void>;
};

/** Sent to every socket of every process after an outage. */
export const resyncEveryone: readonly Emitted[] = [{ rooms: ['everyone'], signal: { kind: 'resync' } }];

/** Skips malformed entries, which another version may send. */
export function readPack(text: string): readonly Emitted[] {
  try {
    const pack: unknown = JSON.parse(text);
    return Array.isArray(pack) ? pack.filter(isEmitted) : [];
  } catch {
    return [];
  }
}

function isEmitted(value: unknown): value is Emitted {
  const { rooms, signal } = (value ?? {}) as { rooms?: unknown; signal?: { kind?: unknown } | null };
  return (
    Array.isArray(rooms) &&
    rooms.every((room) => typeof room === 'string') &&
    typeof signal?.kind === 'string'
  );
}

/** Milliseconds from 0.1 s to 2 s, with jitter so that processes don't reconnect in step. */
export const backoff = (attempt: number, random = Math.random()): number =>
  Math.min(2_000, 100 * 2 ** Math.min(attempt, 5)) * (0.5 + random / 2);
