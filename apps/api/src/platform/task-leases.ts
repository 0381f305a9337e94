import type pg from 'pg';
import type { Log } from './log.ts';

/** First half of the advisory locks that say: this worker's process is alive. */
const leaseClass = 7_301;
const sweepMs = 30_000;
const againMs = 1_000;

/**
 * Gives the tasks of dead processes back to the living. The queue itself waits four hours before it takes a task from whoever locked it; a killed server's mails and
 * payments must not wait so long. Each process holds an advisory lock for each of its workers, which PostgreSQL frees when its connection ends; a task locked for more than a
 * minute by a worker without one is unlocked. A process that only lost its connection may then have a task run twice, which tasks bear (`defineTask`).
 */
export function leaseTasks(pool: pg.Pool, workerIds: () => readonly string[], log: Log) {
  let stopped = false;
  let client: pg.PoolClient | undefined;
  let held = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let turn: Promise<void> = Promise.resolve();

  const next = (waitMs: number) => {
    clearTimeout(timer);
    if (stopped) return;
    timer = setTimeout(() => {
      turn = round();
    }, waitMs);
  };
  const lose = () => {
    const lost = client;
    client = undefined;
    held = new Set();
    lost?.release(true);
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
    for (const id of workerIds()) {
      if (held.has(id)) continue;
      await client.query('select pg_advisory_lock_shared($1, hashtext($2))', [leaseClass, id]);
      held.add(id);
    }
  };
  const round = async () => {
    try {
      await lease();
      const freed = await unlockTasksOfTheDead(pool);
      if (freed.length > 0) log.warn({ workers: freed }, 'tasks of workers that ended are free again');
      // The connection may have gone while this looked.
      next(client ? sweepMs : againMs);
    } catch (error) {
      lose();
      log.warn({ err: error }, 'the leases of the task runner wait for the database');
      next(againMs);
    }
  };
  turn = round();
  return {
    async stop(): Promise<void> {
      stopped = true;
      clearTimeout(timer);
      await turn;
      // Its connection ends, and the leases with it.
      lose();
    },
  };
}

/** Unlocks every task whose worker has no lease, and says whose they were. */
export async function unlockTasksOfTheDead(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ worker: string }>(
    `with owners as (
       select distinct locked_by from graphile_worker._private_jobs
       where locked_by is not null and locked_at < now() - interval '1 minute'
     ), dead as (
       select array_agg(locked_by) as workers from owners where pg_try_advisory_xact_lock($1, hashtext(locked_by))
     ), freed as (
       select graphile_worker.force_unlock_workers(workers) from dead where workers is not null
     )
     select unnest(workers) as worker from dead, (select count(*) from freed) as done`,
    [leaseClass],
  );
  return rows.map(({ worker }) => worker);
}
