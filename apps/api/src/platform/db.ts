import { minuteMs } from '@nearhand/contract/durations';
import { Kysely, PostgresDialect, sql, type Transaction, type TransactionBuilder } from 'kysely';
import pg from 'pg';
import { emittedIn, type SignalsOut, throughPostgres } from './emit.ts';
import { keepPlans } from './kept-plans.ts';
import type { DB } from './tables.gen.ts';

/** Reads. A `Tx` fits wherever a `Db` is asked for, never the other way round. */
export type Db = Kysely<DB>;

/** A database transaction: what locks, enqueues or posts asks for one by type. */
export type Tx = Transaction<DB>;

// A count or a sum comes as text from PostgreSQL's bigint; ours stay far inside the exact integers, and one that does not is a defect.
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`bigint outside the exact integers: ${text}`);
  return value;
});

// A day has no zone: as a Date it would turn into an instant of this machine's.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

/** What a statement may take, its waiting for locks included; and how long a transaction may stay open between two (ADR 0134). Whoever is cut off is told to come again. */
const statementMs = minuteMs / 2;
const idleInTransactionMs = minuteMs;

export type Database = { db: Db; pool: pg.Pool; close(): Promise<void> };

/**
 * Opens a pool on `url`. `onError` hears of connections that break while idle; the pool replaces them. What is told inside a transaction leaves by `signals`.
 */
export function openPool(
  url: string,
  max: number,
  onError: (error: Error) => void,
  signals: SignalsOut = throughPostgres,
): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    application_name: 'nearhand',
    idleTimeoutMillis: 30_000,
    // Whoever finds no free connection is told so (`http/error-mapper.ts`), rather than waiting for ever.
    connectionTimeoutMillis: 5_000,
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
  });
  pool.on('error', onError);
  // A client that breaks while it is lent out reports here; its query fails on its own.
  pool.on('connect', (client) => {
    client.on('error', onError);
    keepPlans(client);
  });
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  const begin = db.transaction.bind(db);
  db.transaction = () => emittingAtCommit(begin(), signals);
  // Ending the pool, not Kysely: that one forgets a pool it never used.
  return { db, pool, close: () => pool.end() };
}

/** Works in the transaction that there is, or in one of its own. */
export const inTransaction = <Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> =>
  db.isTransaction ? work(db as Tx) : db.transaction().execute(work);

/**
 * For housekeeping that reads whole tables, or waits for another server: its statements may take as long as they need. Its transactions tell nobody anything.
 */
export const unhurried = <Result>(db: Db, work: (db: Db) => Promise<Result>): Promise<Result> =>
  db.connection().execute(async (one) => {
    await sql`set statement_timeout = 0`.execute(one);
    try {
      return await work(one);
    } finally {
      await sql`reset statement_timeout`.execute(one);
    }
  });

/** Every transaction ends by sending on what was told in it. */
function emittingAtCommit(builder: TransactionBuilder<DB>, signals: SignalsOut): TransactionBuilder<DB> {
  const execute = builder.execute.bind(builder);
  builder.execute = async (work) => {
    let ended: Tx | undefined;
    const result = await execute(async (tx) => {
      const value = await work(tx);
      ended = tx;
      const notified = emittedIn(tx);
      if (notified.length > 0) await signals.beforeCommit?.(tx, notified);
      return value;
    });
    const notified = ended ? emittedIn(ended) : [];
    if (notified.length > 0) signals.afterCommit?.(notified);
    return result;
  };
  return builder;
}
