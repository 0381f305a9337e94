import type { Emitted, SignalsOut } from './publish.ts';

/** The bus's receiver, one in each server process. */
export type BusListener = {
  deliver(signals: readonly Emitted[]): void;
  /** The bus connected, for the first time or again: earlier signals may have been lost. */
  regained(): void;
};

/** Carries signals between server processes (ADR 89). Hints only: nothing waits for them or fails with them. A process also receives its own. */
export type Bus = {
  signals: SignalsOut;
  /** Sends without a transaction or persistence: typing. Lost while the bus is down. */
  send(signals: readonly Emitted[]): void;
  /** Starts to listen and keeps retrying; never fails. */
  listen(listener: BusListener): void;
  isUp(): boolean;
  stop(): Promise<void>;
};

/** Sent to every socket of every process after an outage. */
export const resyncEveryone: readonly Emitted[] = [{ rooms: ['everyone'], signal: { kind: 'resync' } }];

/** Parses a bus message. It may come from another version or program, so malformed entries are skipped. */
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

/** Milliseconds before the next attempt: from 0.1 s to 2 s, with jitter so that processes don't reconnect in step. */
export const backoff = (attempt: number, random = Math.random()): number =>
  Math.min(2_000, 100 * 2 ** Math.min(attempt, 5)) * (0.5 + random / 2);
