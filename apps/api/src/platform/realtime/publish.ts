import type { Signal } from '@nearhand/contract/realtime';
import { sql, type Transaction } from 'kysely';
import pg from 'pg';
import type { DB } from '../tables.gen.ts';

/** Repeated because `platform/db.ts` imports this file. */
type Tx = Transaction<DB>;

/** `limited` and `everyone` are for the receiving process only. */
export type RealtimeRoom =
  | `account:${string}`
  | `business:${string}`
  | `chats:${string}`
  | `limited:${string}`
  | 'everyone';

export type Emitted = { rooms: readonly RealtimeRoom[]; signal: Signal };

const pending = new WeakMap<Tx, Map<string, Emitted>>();

/**
 * Queues a signal for commit. It carries ids only and may be lost; send a notice for anything a person must learn
 * (architecture.md, Rules: Transactions).
 */
export function emit(tx: Tx, rooms: readonly RealtimeRoom[], signal: Signal): void {
  const signals = pending.get(tx) ?? new Map<string, Emitted>();
  pending.set(tx, signals);
  const key = JSON.stringify([rooms, signal]);
  signals.delete(key);
  signals.set(key, { rooms, signal });
}

/** Adds signals of a nested transaction to the outer one. */
export function emitLike(part: Tx, outer: Tx): void {
  const signals = pending.get(outer) ?? new Map<string, Emitted>();
  pending.set(outer, signals);
  pending.set(part, signals);
}

export const emittedIn = (tx: Tx): readonly Emitted[] => [...(pending.get(tx)?.values() ?? [])];

/** A process's outlet of signals, either as the last statement of a transaction or after commit. */
export type SignalsOut = {
  beforeCommit?(tx: Tx, signals: readonly Emitted[]): Promise<void>;
  afterCommit?(signals: readonly Emitted[]): void;
};

export const signalsChannel = 'nearhand_signals';

/** NOTIFY carries at most 8,000 bytes. */
const notifyBytes = 7_500;

export function packSignals(signals: readonly Emitted[]): string[] {
  const packs: string[] = [];
  let pack: string[] = [];
  let bytes = 2;
  for (const signal of signals) {
    const text = JSON.stringify(signal);
    if (pack.length > 0 && bytes + text.length + 1 > notifyBytes) {
      packs.push(`[${pack.join(',')}]`);
      pack = [];
      bytes = 2;
    }
    pack.push(text);
    bytes += text.length + 1;
  }
  if (pack.length > 0) packs.push(`[${pack.join(',')}]`);
  return packs;
}

/** Used by scripts; PostgreSQL delivers at commit. Servers batch the signals of many commits (ADR 89). */
export const throughPostgres: SignalsOut = {
  async beforeCommit(tx, signals) {
    const packs = packSignals(signals).map(
      (pack) => `pg_notify('${signalsChannel}', ${pg.escapeLiteral(pack)})`,
    );
    await sql.raw(`select ${packs.join(', ')}`).execute(tx);
  },
};
