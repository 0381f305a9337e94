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

/** Sends independent statements that are awaited together in one round trip (ADR 116). */
export const inOneRoundTrip = <Result>(tx: Tx, work: (tx: Tx) => Promise<Result>): Promise<Result> =>
  tx.getExecutor().provideConnection((connection) => {
    const executor = tx.getExecutor().withConnectionProvider({ provideConnection: (use) => use(connection) });
    const pipelined = new Transaction<DB>({ config: { dialect }, dialect, driver, executor });
    emitLike(pipelined, tx);
    return work(pipelined);
  });

/** Sends the last statement with the commit (ADR 116), which fails with it; `answer` has the reason. */
export async function sendLast(
  tx: Tx,
  statement: RawBuilder<unknown>,
): Promise<{ answer: Promise<unknown> }> {
  const query = statement.compile(tx);
  const { answer } = await tx.getExecutor().provideConnection(async (connection) => {
    const answer = connection.executeQuery(query);
    // Awaited after the commit, which fails if this fails.
    answer.catch(() => {});
    // Wrapped in an object, since a plain promise would be awaited here.
    return { answer };
  });
  return { answer };
}
