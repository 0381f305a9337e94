import type { QueryConfig } from 'pg';
import { type Database, openPool } from '../db.ts';
import type { Log } from '../log.ts';
import { parseLsn, type WalPosition } from './wal-position.ts';

/** Maximum age of a check before a read starts the next. Without reads there are no checks. */
const checkEveryMs = 250;
/** A replica that takes longer to report its position counts as unavailable. */
const checkMs = 1_000;
/** A replica has no slow reads: a slow one is better answered by the primary, which then has its own time limit. */
const readLimits = { statementMs: 4_000, answerMs: 5_000, connectMs: 1_000 };

/** Where the primary's log was on disk at a moment. */
type Sample = { at: number; position: WalPosition };

export type Replica = ReturnType<typeof openReplica>;

/** Reads how far the primary's log is on disk. */
export type PrimaryPosition = () => Promise<WalPosition>;

/** Asks in its own time limit, so that a server that vanished is noticed within a second. */
export async function askPosition(
  { pool }: Database,
  text: string,
): Promise<{ position: WalPosition | null; standby: boolean }> {
  // `query_timeout` of one query is missing from the driver's types.
  const query: QueryConfig & { query_timeout: number } = { text, query_timeout: checkMs };
  const { rows } = await pool.query<{ position: string | null; standby: boolean }>(query);
  return { position: parseLsn(rows[0]?.position), standby: rows[0]?.standby ?? false };
}

/**
 * A streaming replica with a pool of its own. It is as fresh as the newest moment whose log it has replayed, by the primary's word and this
 * process's clock: neither a stopped stream nor another machine's clock can make it look fresher.
 */
export function openReplica(url: string, max: number, primaryPosition: PrimaryPosition, log: Log) {
  const broke = (error: Error) => log.debug({ err: error }, 'a connection to a replica broke');
  const reads = openPool(url, max, broke, undefined, { limits: readLimits });
  // Checks do not wait behind reads.
  const checks = openPool(url, 1, broke, undefined, { limits: readLimits });
  const samples: Sample[] = [];
  let replayed: WalPosition = 0n;
  let freshAt = Number.NEGATIVE_INFINITY;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let checking: Promise<void> | null = null;
  /** A position ahead of the primary's: the replica follows another primary. */
  let strayed: WalPosition | null = null;
  let away = false;

  function setAway(reason: string | null, error?: unknown): void {
    if (away !== (reason !== null))
      log.warn({ replica: new URL(url).host, err: error }, reason ?? 'the replica is back');
    away = reason !== null;
    if (away) freshAt = Number.NEGATIVE_INFINITY;
  }

  async function compare(): Promise<void> {
    // In this order: what the replica has replayed cannot be ahead of what the primary says afterwards.
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
    // A replica far behind: its oldest samples decide when it has caught up, and the gaps between them only make it look older.
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
    /** Milliseconds since which it may lack commits; infinite while it is away. */
    ageMs: () => performance.now() - freshAt,
    hasReplayed: (position: WalPosition) => replayed >= position,
    /** Marks the replica as unavailable after a failed read, until a check succeeds. */
    failed(error: unknown): void {
      setAway('a read on a replica failed: the primary answered', error);
    },
    close: () => Promise.all([reads.close(), checks.close()]),
  };
}
