import type pg from 'pg';

/** SQL that turns the server's statement timeout off and on; `dropSpoiled` does the same on the client. */
export const disableTimeoutSql = 'set statement_timeout = 0';
export const restoreTimeoutSql = 'reset statement_timeout';

/**
 * SQLSTATEs after which every query on this connection fails: read-only standby, lost or duplicate prepared
 * statement, changed cached plan.
 */
const spoiling = new Set(['25006', '26000', '42P05', '0A000']);
/** A full or failing disk: reads work, writes fail. */
const fullDisk = new Set(['53100', '58030']);
let diskRefusedAt = Number.NEGATIVE_INFINITY;

/** Detects failed writes for readiness, since a read-only probe can't. */
export const diskRefusedWithin = (ms: number): boolean => performance.now() - diskRefusedAt < ms;

/** The response may still arrive, so the connection must not be reused. */
const gaveUp = 'Query read timeout';

type Query = (text: unknown, ...rest: unknown[]) => unknown;
type Inner = {
  connectionParameters: { query_timeout: number | false };
  connection: { stream: { destroy(): void } };
};

/** Destroys the connection, so that its pool opens another (docs/operations.md, Database connections). */
export function dropSpoiled(client: pg.PoolClient): void {
  const query = client.query.bind(client) as Query;
  const { connectionParameters, connection } = client as unknown as Inner;
  const usual = connectionParameters.query_timeout;
  const dropping: Query = (text, ...rest) => {
    if (text === disableTimeoutSql) connectionParameters.query_timeout = false;
    const answer = query(text, ...rest);
    if (text === restoreTimeoutSql) connectionParameters.query_timeout = usual;
    if (!(answer instanceof Promise)) return answer;
    return answer.catch((error: { code?: string; message?: string }) => {
      if (fullDisk.has(error.code ?? '')) diskRefusedAt = performance.now();
      if (spoiling.has(error.code ?? '') || error.message === gaveUp) {
        // Ending needs a response, and destroying is noticed only after the pool has lent it again.
        (client as unknown as pg.Client).end().catch(() => {});
        connection.stream.destroy();
      }
      throw error;
    });
  };
  client.query = dropping as typeof client.query;
}
