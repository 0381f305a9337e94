import { minuteMs } from '@nearhand/contract/durations';
import { Kysely, type RawBuilder, sql, type Transaction, type TransactionBuilder } from 'kysely';
import pg from 'pg';
import { NearhandDialect, renameColumns } from './database/column-names.ts';
import { disableTimeoutSql, dropSpoiled, restoreTimeoutSql } from './database/spoiled-connections.ts';
import type { Log } from './log.ts';
import {
  prepareAllStatements,
  prepareStatements,
  shareRoundTrips,
  skipPreparing,
} from './prepared-statements.ts';
import { emittedIn, type SignalsOut, throughPostgres } from './realtime/publish.ts';
import { recordCommits, type WalPosition } from './replicas/wal-position.ts';
import type { DB } from './tables.gen.ts';

/** A `Tx` can be passed as a `Db`, never the other way round. */
export type Db = Kysely<DB>;

/** Reads that may be a second stale, perhaps on a replica (ADR 260). A `Db` is also a `ReadDb`. */
export type ReadDb = Pick<Db, 'selectFrom' | 'getExecutor'>;

export type Tx = Transaction<DB>;

// PostgreSQL returns bigint as text. Ours are safe integers, and anything else is a bug.
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`bigint outside the safe integers: ${text}`);
  return value;
});

/** Four times faster than the driver for what a server in UTC sends, as `2026-11-29 22:41:26.723+00`. */
const parseInstant = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ, 'text');
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) =>
  text[0] !== '0' && text[4] === '-' && text.endsWith('+00') ? new Date(text) : parseInstant(text),
);

// A day has no zone: as a Date it would become an instant in this machine's zone.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

/** Includes lock waits (ADR 125). The caller gets a retryable error. */
const statementMs = minuteMs / 2;
const idleInTransactionMs = minuteMs;
/** Slightly longer than PostgreSQL's own timeout, whose error is more specific. */
const answerMs = statementMs + 5_000;
const usualLimits = { statementMs, answerMs, connectMs: 5_000 };
/** Silence after which TCP keepalive checks the server. */
const probeMs = 10_000;

export type Database = { db: Db; pool: pg.Pool; close(): Promise<void> };

export type PoolOptions = {
  pooled?: boolean;
  /** Prepares every statement, for thousands of repeated calls such as the demo town's. */
  keepAll?: boolean;
  limits?: typeof usualLimits;
  onCommit?: (position: WalPosition) => void;
};

/** `pooled`: timeouts come from the role, and nothing is prepared (docs/operations.md). */
export function openPool(
  url: string,
  max: number,
  onError: (error: Error) => void,
  signals: SignalsOut = throughPostgres,
  { pooled = false, keepAll = false, limits = usualLimits, onCommit }: PoolOptions = {},
): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    application_name: 'nearhand',
    idleTimeoutMillis: 30_000,
    // Without a free connection the caller gets an error (`http/error-mapper.ts`) instead of waiting forever.
    connectionTimeoutMillis: limits.connectMs,
    ...(pooled
      ? {}
      : { statement_timeout: limits.statementMs, idle_in_transaction_session_timeout: idleInTransactionMs }),
    query_timeout: limits.answerMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: probeMs,
  });
  pool.on('error', onError);
  renameColumns(pool);
  // Errors of a checked-out client arrive here; its query fails separately.
  pool.on('connect', (client) => {
    client.on('error', onError);
    if (pooled) skipPreparing(client);
    else if (keepAll) prepareAllStatements(client);
    else prepareStatements(client);
    dropSpoiled(client);
    if (onCommit) recordCommits(client, onCommit);
  });
  const db = new Kysely<DB>({ dialect: new NearhandDialect(pool) });
  shareRoundTrips(db);
  const begin = db.transaction.bind(db);
  db.transaction = () => emittingAtCommit(begin(), signals);
  // End the pool, not Kysely, which ignores a pool it never used.
  return { db, pool, close: () => pool.end() };
}

/** Behind a pooler only the role can limit a hanging statement. */
export async function warnOfMissingLimits(db: Db, log: Log): Promise<void> {
  const { rows } = await sql<{ statementTimeout: string }>`show statement_timeout`.execute(db);
  if (rows[0]?.statementTimeout === '0')
    log.warn(
      "statements through the pooler have no time limit: set the role's statement_timeout (docs/operations.md)",
    );
}

export const inTransaction = <Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> =>
  db.isTransaction ? work(db as Tx) : db.transaction().execute(work);

/** Runs maintenance without time limits. Its transactions emit nothing. */
export const withoutTimeLimits = <Result>(db: Db, work: (db: Db) => Promise<Result>): Promise<Result> =>
  db.connection().execute(async (connection) => {
    await sql.raw(disableTimeoutSql).execute(connection);
    try {
      return await work(connection);
    } finally {
      await sql.raw(restoreTimeoutSql).execute(connection);
    }
  });

function emittingAtCommit(builder: TransactionBuilder<DB>, out: SignalsOut): TransactionBuilder<DB> {
  const execute = builder.execute.bind(builder);
  builder.execute = async (work) => {
    let ended: Tx | undefined;
    const result = await execute(async (tx) => {
      const value = await work(tx);
      ended = tx;
      const signals = emittedIn(tx);
      if (signals.length > 0) await out.beforeCommit?.(tx, signals);
      return value;
    });
    const signals = ended ? emittedIn(ended) : [];
    if (signals.length > 0) out.afterCommit?.(signals);
    return result;
  };
  return builder;
}

/** An instant as the contract's text, for JSON made in a statement. */
export const isoText = (column: RawBuilder<unknown>): RawBuilder<string> =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * Runs writes in a transaction that is always rolled back, to show what they would do (ADR 394). Its signals and
 * tasks are dropped with it. Holds the locks of the writes until it returns.
 */
export async function runAndRollBack<Result>(db: Db, run: (tx: Tx) => Promise<Result>): Promise<Result> {
  const undo = new Error('rehearsed');
  let result: { value: Result } | undefined;
  try {
    await db.transaction().execute(async (tx) => {
      result = { value: await run(tx) };
      throw undo;
    });
  } catch (error) {
    if (error !== undo) throw error;
  }
  if (!result) throw new Error('A rehearsal ended without a result');
  return result.value;
}
