import type pg from 'pg';
import type { Log } from '../log.ts';

/** First half of the advisory locks that show that an owner of tasks is alive. */
const leaseClass = 7_301;
const againMs = 1_000;

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
  let turn: Promise<void> = Promise.resolve();

  const next = (waitMs: number) => {
    clearTimeout(timer);
    if (stopped) return;
    timer = setTimeout(() => {
      turn = turn.then(round);
    }, waitMs);
  };
  const lose = () => {
    const lostClient = client;
    client = undefined;
    leased = new Set();
    lostClient?.release(true);
  };
  const lease = async () => {
    if (!client) {
      const mine = await pool.connect();
      client = mine;
      mine.once('error', () => {
        if (client !== mine) return;
        lose();
        next(againMs);
      });
    }
    for (const owner of owners) {
      if (leased.has(owner)) continue;
      await client.query('select pg_advisory_lock_shared($1, hashtext($2))', [leaseClass, owner]);
      leased.add(owner);
    }
  };
  const round = async () => {
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
      next(client ? lookMs : againMs);
    } catch (error) {
      lose();
      log.warn({ err: error }, 'task leases are waiting for the database');
      next(againMs);
    }
  };
  turn = round();
  return {
    hold(owner: string): void {
      owners.add(owner);
      turn = turn.then(round);
    },
    async stop(): Promise<void> {
      stopped = true;
      clearTimeout(timer);
      await turn;
      // The leases end with the connection.
      lose();
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
