import type { QueryConfig } from 'pg';
import { type Database, openPool } from '../db.ts';
import type { Log } from '../log.ts';
import { parseLsn, type WalPosition } from './wal-position.ts';

/** Maximum age of a check before a read starts the next. Without reads there are no checks. */
const checkEveryMs = 250;
const checkMs = 1_000;
/** Slow reads go to the primary, with its own time limit. */
const readLimits = { statementMs: 4_000, answerMs: 5_000, connectMs: 1_000 };

type Sample = { at: number; position: WalPosition };

export type Replica = ReturnType<typeof openReplica>;

export type PrimaryPosition = () => Promise<WalPosition>;

/** Notices a vanished server within a second. */
export async function askPosition(
  { pool }: Database,
  text: string,
): Promise<{ position: WalPosition | null; standby: boolean }> {
  // `query_timeout` of one query is missing from the driver's types.
  const query: QueryConfig & { query_timeout: number } = { text, query_timeout: checkMs };
  const { rows } = await pool.query<{ position: string | null; standby: boolean }>(query);
  return { position: parseLsn(rows[0]?.position), standby: rows[0]?.standby ?? false };
}

/** Freshness is measured by the primary's positions and this clock, so a stopped stream can't fake it. */
export function openReplica(url: string, max: number, primaryPosition: PrimaryPosition, log: Log) {
  const broke = (error: Error) => log.debug({ err: error }, 'a connection to a replica broke');
  const reads = openPool(url, max, broke, undefined, { limits: readLimits });
  // A separate pool, so that health checks don't queue behind reads.
  const checks = openPool(url, 1, broke, undefined, { limits: readLimits });
  const samples: Sample[] = [];
  let replayed: WalPosition = 0n;
  let freshAt = Number.NEGATIVE_INFINITY;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let checking: Promise<void> | null = null;
  /** A position ahead of the primary's, which means that the replica follows another primary. */
  let strayed: WalPosition | null = null;
  let away = false;

  function setAway(reason: string | null, error?: unknown): void {
    if (away !== (reason !== null))
      log.warn({ replica: new URL(url).host, err: error }, reason ?? 'the replica is back');
    away = reason !== null;
    if (away) freshAt = Number.NEGATIVE_INFINITY;
  }

  async function compare(): Promise<void> {
    // The order matters: the primary's later position is ahead of anything replayed.
    const { position, standby } = await askPosition(
      checks,
      'select pg_last_wal_replay_lsn()::text as position, pg_is_in_recovery() as standby',
    );
    if (!standby || position === null) return setAway('a read address leads to no replica: it is not used');
    const at = performance.now();
    const primary = await primaryPosition();
    if (position > primary) strayed = position;
    if (strayed === position) return setAway('a replica follows another primary: it is not used');
    strayed = null;
    setAway(null);
    replayed = position;
    samples.push({ at, position: primary });
    while (samples.length > 1 && (samples[1]?.position ?? position + 1n) <= position) samples.shift();
    const [newest] = samples;
    if (newest && newest.position <= position) freshAt = newest.at;
    // Only the oldest samples matter to a replica far behind; gaps make it look older.
    if (samples.length > 500) samples.splice(1, 250);
  }

  function check(): Promise<void> {
    checking ??= compare()
      .catch((error) => setAway('a replica does not respond: it is not used', error))
      .finally(() => {
        checkedAt = performance.now();
        checking = null;
      });
    return checking;
  }

  return {
    reads,
    check,
    look(): void {
      if (performance.now() - checkedAt > checkEveryMs) void check();
    },
    /** The age of its data in milliseconds; infinite while it is unavailable. */
    ageMs: () => performance.now() - freshAt,
    hasReplayed: (position: WalPosition) => replayed >= position,
    failed(error: unknown): void {
      setAway('a read on a replica failed: the primary answered', error);
    },
    close: () => Promise.all([reads.close(), checks.close()]),
  };
}
