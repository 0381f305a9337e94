import { DummyDriver, PostgresDialect, type RawBuilder, Transaction } from 'kysely';
import type { Tx } from '../db.ts';
import { emitLike } from '../realtime/publish.ts';
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
 * order in which they are asked for (ADR 116). For statements that need nothing of each other's results.
 */
export const together = <Result>(tx: Tx, work: (tx: Tx) => Promise<Result>): Promise<Result> =>
  tx.getExecutor().provideConnection((connection) => {
    const executor = tx.getExecutor().withConnectionProvider({ provideConnection: (use) => use(connection) });
    const pipelined = new Transaction<DB>({ config: { dialect }, dialect, driver, executor });
    emitLike(pipelined, tx);
    return work(pipelined);
  });

/**
 * Hands over the last statement of a transaction without waiting, so that a kept one takes one round trip with the commit (ADR 116). Returns once the
 * connection has it. Where the statement fails, so does the commit, and `answer` says why.
 */
export async function sendLast(
  tx: Tx,
  statement: RawBuilder<unknown>,
): Promise<{ answer: Promise<unknown> }> {
  const query = statement.compile(tx);
  const { answer } = await tx.getExecutor().provideConnection(async (connection) => {
    const answer = connection.executeQuery(query);
    // Awaited after the commit, which fails with it.
    answer.catch(() => {});
    // In an object: a promise alone would be awaited here.
    return { answer };
  });
  return { answer };
}
