import type pg from 'pg';
import type { Log } from '../log.ts';

/** First half of the advisory locks that show that an owner of tasks is alive. */
const leaseClass = 7_301;
const retryMs = 1_000;

export type LeaseTimes = {
  /** Interval between searches for tasks without a leased owner. */
  lookMs: number;
  /** Age of a taken task before its owner's lease is checked. */
  graceMs: number;
};

export const leaseTimes = (seconds: number): LeaseTimes => ({
  lookMs: seconds * 1_000,
  graceMs: Math.round((seconds * 2_000) / 3),
});

/** Owner of tasks that `due-tasks.ts` runs, in tests and the demo town only; it holds no lease. */
export const dueRunner = 'run-due';

/** Returns tasks of dead processes, for which the queue itself waits four hours (ADR 105). */
export function leaseTasks(pool: pg.Pool, log: Log, { lookMs, graceMs }: LeaseTimes) {
  const owners = new Set<string>();
  let stopped = false;
  let client: pg.PoolClient | undefined;
  let leased = new Set<string>();
  let suspects = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let lastRound: Promise<void> = Promise.resolve();

  const scheduleRound = (waitMs: number) => {
    clearTimeout(timer);
    if (stopped) return;
    timer = setTimeout(() => {
      lastRound = lastRound.then(runRound);
    }, waitMs);
  };
  const dropConnection = () => {
    const lostClient = client;
    client = undefined;
    leased = new Set();
    lostClient?.release(true);
  };
  const lease = async () => {
    if (!client) {
      const connected = await pool.connect();
      client = connected;
      connected.once('error', () => {
        if (client !== connected) return;
        dropConnection();
        scheduleRound(retryMs);
      });
    }
    for (const owner of owners) {
      if (leased.has(owner)) continue;
      await client.query('select pg_advisory_lock_shared($1, hashtext($2))', [leaseClass, owner]);
      leased.add(owner);
    }
  };
  const runRound = async () => {
    try {
      await lease();
      const unleased = await findUnleasedOwners(pool, graceMs);
      const dead = unleased.filter((owner) => suspects.has(owner));
      suspects = new Set(unleased);
      if (dead.length > 0) {
        await pool.query('select graphile_worker.force_unlock_workers($1)', [dead]);
        log.warn({ owners: dead }, 'released tasks of dead processes');
      }
      // The connection may have been lost in the meantime.
      scheduleRound(client ? lookMs : retryMs);
    } catch (error) {
      dropConnection();
      log.warn({ err: error }, 'task leases are waiting for the database');
      scheduleRound(retryMs);
    }
  };
  lastRound = runRound();
  return {
    hold(owner: string): void {
      owners.add(owner);
      lastRound = lastRound.then(runRound);
    },
    async stop(): Promise<void> {
      stopped = true;
      clearTimeout(timer);
      await lastRound;
      // The leases end with the connection.
      dropConnection();
    },
  };
}

async function findUnleasedOwners(pool: pg.Pool, graceMs: number): Promise<string[]> {
  const { rows } = await pool.query<{ owner: string }>(
    `with owners as materialized (
       select distinct locked_by as owner from graphile_worker.jobs
       where locked_by <> $2 and locked_at < now() - make_interval(secs => $3 / 1000.0)
     )
     select owner from owners where pg_try_advisory_xact_lock($1, hashtext(owner))`,
    [leaseClass, dueRunner, graceMs],
  );
  return rows.map(({ owner }) => owner);
}
