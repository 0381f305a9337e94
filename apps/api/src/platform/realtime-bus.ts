import type { Emitted, SignalsOut } from './emit.ts';

/** Who hears what the bus carries: one hearer in each server process. */
export type BusListener = {
  notified(notified: readonly Emitted[]): void;
  /** The bus is back (or there for the first time): what was told meanwhile may be lost. */
  regained(): void;
};

/**
 * Carries signals between server processes (ADR 0089). Hints only: nothing waits for it, nothing fails with it. A process hears what it tells itself like everybody else's.
 */
export type Bus = {
  /** How what was told in a transaction leaves the process. */
  signals: SignalsOut;
  /** Tells without a transaction and without the database's memory of it: typing. Lost where the bus is away. */
  send(notified: readonly Emitted[]): void;
  /** Begins to listen, and goes on trying; never fails. */
  listen(listener: BusListener): void;
  /** Whether this process hears the others just now. */
  isUp(): boolean;
  stop(): Promise<void>;
};

/** What is sent to every socket of every process by one that could not tell for a while. */
export const resyncEveryone: readonly Emitted[] = [{ rooms: ['everyone'], signal: { kind: 'resync' } }];

/** What came over the bus. Another version of the server, or another program, may have sent it: what has not the shape is passed over. */
export function readPack(text: string): readonly Emitted[] {
  try {
    const pack: unknown = JSON.parse(text);
    return Array.isArray(pack) ? pack.filter(isEmitted) : [];
  } catch {
    return [];
  }
}

function isEmitted(one: unknown): one is Emitted {
  const { rooms, signal } = (one ?? {}) as { rooms?: unknown; signal?: { kind?: unknown } | null };
  return (
    Array.isArray(rooms) &&
    rooms.every((room) => typeof room === 'string') &&
    typeof signal?.kind === 'string'
  );
}

/** Milliseconds before the next attempt: from 0.1 s to 2 s, spread so that processes do not come back in step. */
export const backoff = (attempt: number, random = Math.random()): number =>
  Math.min(2_000, 100 * 2 ** Math.min(attempt, 5)) * (0.5 + random / 2);
