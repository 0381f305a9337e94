import type { Signal } from '@nearhand/contract/realtime';
import { sql, type Transaction } from 'kysely';
import pg from 'pg';
import type { DB } from '../tables.gen.ts';

/** `platform/db.ts` imports this file, so the type is repeated here. */
type Tx = Transaction<DB>;

/** Recipients of a signal: every open device of an account, or of every member of a business; `limited` and `everyone` are
 * for the receiving process alone. */
export type Room = `account:${string}` | `business:${string}` | `limited:${string}` | 'everyone';

/** A signal and its recipients. */
export type Emitted = { rooms: readonly Room[]; signal: Signal };

const pending = new WeakMap<Tx, Map<string, Emitted>>();

/**
 * Emits a signal to devices once the transaction commits; nothing on rollback. Deduplicated within a transaction. It is a hint with ids
 * (architecture.md, Rules: Transactions): anyone who must know gets a notice, and anyone who missed it refetches.
 */
export function emit(tx: Tx, rooms: readonly Room[], signal: Signal): void {
  const signals = pending.get(tx) ?? new Map<string, Emitted>();
  pending.set(tx, signals);
  const key = JSON.stringify([rooms, signal]);
  signals.delete(key);
  signals.set(key, { rooms, signal });
}

/** Makes signals of `part` count as signals of `whole`, whose transaction it runs in. */
export function emitLike(part: Tx, whole: Tx): void {
  const signals = pending.get(whole) ?? new Map<string, Emitted>();
  pending.set(whole, signals);
  pending.set(part, signals);
}

/** Signals emitted in a transaction, oldest first. */
export const emittedIn = (tx: Tx): readonly Emitted[] => [...(pending.get(tx)?.values() ?? [])];

/** Outlet of signals from a process: `beforeCommit` as the transaction's last statement, `afterCommit` after it. One of the two. */
export type SignalsOut = {
  beforeCommit?(tx: Tx, signals: readonly Emitted[]): Promise<void>;
  afterCommit?(signals: readonly Emitted[]): void;
};

/** The channel on which PostgreSQL carries signals to all listening server processes. */
export const signalsChannel = 'nearhand_signals';

/** NOTIFY carries at most 8,000 bytes. */
const notifyBytes = 7_500;

/** Packs signals into texts that fit one notification each. */
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

/** For scripts without a bus: PostgreSQL delivers at commit. Servers send the signals of many commits together (ADR 89). */
export const throughPostgres: SignalsOut = {
  async beforeCommit(tx, signals) {
    const packs = packSignals(signals).map(
      (pack) => `pg_notify('${signalsChannel}', ${pg.escapeLiteral(pack)})`,
    );
    await sql.raw(`select ${packs.join(', ')}`).execute(tx);
  },
};
