import { DummyDriver, PostgresDialect, Transaction } from 'kysely';
import type { Tx } from '../db.ts';
import { emitLike } from '../emit.ts';
import type { DB } from '../tables.gen.ts';

/** Compiles for PostgreSQL; it is never connected. */
const dialect = new PostgresDialect({
  pool: async () => {
    throw new Error('statements run on the connection of their transaction');
  },
});
const driver = new DummyDriver();

/**
 * Runs work on a transaction whose statements do not wait for each other: kept ones that it awaits together take one round trip, in the
 * order in which they are asked for (ADR 305). For statements that need nothing of each other's results.
 */
export const together = <Result>(tx: Tx, work: (tx: Tx) => Promise<Result>): Promise<Result> =>
  tx.getExecutor().provideConnection((connection) => {
    const executor = tx.getExecutor().withConnectionProvider({ provideConnection: (use) => use(connection) });
    const one = new Transaction<DB>({ config: { dialect }, dialect, driver, executor });
    emitLike(one, tx);
    return work(one);
  });
