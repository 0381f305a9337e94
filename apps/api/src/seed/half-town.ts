import { sql } from 'kysely';
import pg from 'pg';
import type { Db, Tx } from '../platform/db.ts';
import { StartRefused } from '../platform/start-refused.ts';

/** 'demo' in ASCII: of two servers that start on one empty database only one makes the town, and none takes it down while it is made. */
const demoLock = 0x64656d6f;

/** A table that is there from the first rows of the town until it stands: no server has opened on such a database (ADR 0028). */
const mark = 'demo_town_half_made';

export const beginTown = (tx: Tx) => sql`create table ${sql.table(mark)} ()`.execute(tx);
export const finishTown = (tx: Tx) => sql`drop table ${sql.table(mark)}`.execute(tx);

/** Runs while nobody else makes or takes down the town. */
export async function alone<Result>(pool: pg.Pool, work: () => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  try {
    // Making a town takes minutes, and whoever waits for it waits that long.
    await client.query('set statement_timeout = 0');
    await client.query('select pg_advisory_lock($1::bigint)', [demoLock]);
    return await work();
  } finally {
    // Closed rather than given back: the lock goes with its session.
    client.release(true);
  }
}

/** For what works on a database beside a server or without one. @throws StartRefused where a demo town is half made */
export const requireWholeTown = (db: Db): Promise<void> =>
  requireWhole(
    db,
    'The demo town in this database is half made: wait for the server that makes it, or start Nearhand, which makes it anew, and then run this again.',
  );

/** @throws StartRefused where another server left the town half made while this one waited */
export async function requireWhole(
  db: Db,
  words = 'Another server stopped while it made the demo town: start Nearhand again.',
): Promise<void> {
  const { rows } = await sql<{ half: boolean }>`select to_regclass(${mark}) is not null as half`.execute(db);
  if (rows[0]?.half) throw new StartRefused(words);
}

/**
 * Takes down a town that a start left half made, so that this one makes it anew: everything in the database goes, and the migrations run again. Nothing happens where no such
 * town is; it waits for another server that is at it.
 * @param ours whether the database is Nearhand's own; a given one may hold what is not ours
 * @returns whether there was one
 * @throws StartRefused for one in a given database
 */
export async function clearHalfTown({ url, ours }: { url: string; ours: boolean }): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1::bigint)', [demoLock]);
    const { rows } = await client.query('select to_regclass($1) is not null as half', [mark]);
    if (!rows[0]?.half) return false;
    if (!ours)
      throw new StartRefused(
        'The last start stopped while it made the demo town, and the database of DATABASE_URL holds a half of it: give Nearhand an empty one.',
      );
    await client.query(
      'begin; drop schema if exists graphile_worker cascade; drop schema public cascade; create schema public; commit',
    );
    return true;
  } finally {
    await client.end();
  }
}
