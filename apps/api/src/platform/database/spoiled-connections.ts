import type pg from 'pg';

/** From this statement on a connection waits without limit, on both sides. */
export const patientFrom = 'set statement_timeout = 0';
export const patientUntil = 'reset statement_timeout';

/**
 * Errors that the same connection would repeat: a server that became a standby, a prepared statement that a pooler lost or another client
 * made, and a kept plan whose tables have changed.
 */
const spoiling = new Set(['25006', '26000', '42P05', '0A000']);
/** No room on the disk, or a disk that fails: reads go on, writes do not. */
const fullDisk = new Set(['53100', '58030']);
let diskRefusedAt = Number.NEGATIVE_INFINITY;

/** Tests whether a write failed in the last seconds because of PostgreSQL's disk; for readiness, since a probe that only reads cannot tell. */
export const diskRefusedWithin = (ms: number): boolean => performance.now() - diskRefusedAt < ms;

/** The driver gave up waiting. The response may still arrive, so the next query must not use this connection. */
const gaveUp = 'Query read timeout';

type Query = (text: unknown, ...rest: unknown[]) => unknown;
type Inner = {
  connectionParameters: { query_timeout: number | false };
  connection: { stream: { destroy(): void } };
};

/** Destroys a connection after an error that spoils it, so that its pool opens another (docs/operations.md, Database connections). */
export function dropSpoiled(client: pg.PoolClient): void {
  const query = client.query.bind(client) as Query;
  const { connectionParameters, connection } = client as unknown as Inner;
  const usual = connectionParameters.query_timeout;
  const dropping: Query = (text, ...rest) => {
    if (text === patientFrom) connectionParameters.query_timeout = false;
    const answer = query(text, ...rest);
    if (text === patientUntil) connectionParameters.query_timeout = usual;
    if (!(answer instanceof Promise)) return answer;
    return answer.catch((error: { code?: string; message?: string }) => {
      if (fullDisk.has(error.code ?? '')) diskRefusedAt = performance.now();
      if (spoiling.has(error.code ?? '') || error.message === gaveUp) {
        // Ending alone needs the server's answer; destroying alone is noticed only after the pool has lent the connection again.
        (client as unknown as pg.Client).end().catch(() => {});
        connection.stream.destroy();
      }
      throw error;
    });
  };
  client.query = dropping as typeof client.query;
}
