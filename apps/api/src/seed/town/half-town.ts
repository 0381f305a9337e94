import { sql } from 'kysely';
import pg from 'pg';
import type { StartLog } from '../../platform/database/database-server.ts';
import { holdStartLock, startLocks } from '../../platform/database/start-lock.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { StartRefusedError } from '../../platform/start-refused.ts';

/** This table exists until the town is complete: no server opens such a database (ADR 28). */
const mark = 'demo_town_half_made';

export const beginTown = (tx: Tx) => sql`create table ${sql.table(mark)} ()`.execute(tx);
export const finishTown = (tx: Tx) => sql`drop table ${sql.table(mark)}`.execute(tx);

/** Runs `work` under the lock of the town, since only one of two starting servers creates it. */
export async function withTownLock<Result>(
  pool: pg.Pool,
  log: StartLog,
  work: () => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    return await holdStartLock(client, startLocks.demoTown, log, work);
  } finally {
    client.release(true);
  }
}

/** @throws StartRefusedError if a demo town is half made; for tools with or without a server */
export const requireCompleteTownForTools = (db: Db): Promise<void> =>
  requireCompleteTown(
    db,
    'The demo town in this database is half made. Wait for the server that is creating it, or start Nearhand, which creates it again, and then rerun this.',
  );

/** @throws StartRefusedError if another server left the town half made while this one waited */
export async function requireCompleteTown(
  db: Db,
  words = 'Another server stopped while creating the demo town: start Nearhand again.',
): Promise<void> {
  const { rows } = await sql<{ half: boolean }>`select to_regclass(${mark}) is not null as half`.execute(db);
  if (rows[0]?.half) throw new StartRefusedError(words);
}

/**
 * Drops the tables of a town that was only partly created; the caller migrates again.
 * @returns whether there were any
 * @throws StartRefusedError unless it is `ours`
 */
export async function clearHalfTown({
  url,
  ours,
  log,
}: {
  url: string;
  ours: boolean;
  log: StartLog;
}): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'nearhand start',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  client.on('error', () => {});
  await client.connect();
  try {
    return await holdStartLock(client, startLocks.demoTown, log, async () => {
      const { rows } = await client.query('select to_regclass($1) is not null as half', [mark]);
      if (!rows[0]?.half) return false;
      if (!ours)
        throw new StartRefusedError(
          'The last start stopped while creating the demo town, and the database of DATABASE_URL contains half of it: give Nearhand an empty one.',
        );
      await client.query(
        'drop schema if exists graphile_worker cascade; drop schema public cascade; create schema public',
      );
      return true;
    });
  } finally {
    await client.end();
  }
}
