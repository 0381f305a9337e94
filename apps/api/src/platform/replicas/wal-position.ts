import type pg from 'pg';

export type WalPosition = bigint;

export function parseLsn(text: unknown): WalPosition | null {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(String(text)) ?? [];
  return high === undefined ? null : (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

type Query = (text: unknown, ...rest: unknown[]) => unknown;

/** Reads the WAL position with the commit, which it includes even if that is not on disk yet. */
export function recordCommits(client: pg.PoolClient, note: (position: WalPosition) => void): void {
  const query = client.query.bind(client) as Query;
  const noting: Query = async (text, ...rest) => {
    if (text !== 'commit') return query(text, ...rest);
    const answers = await query('commit; select pg_current_wal_insert_lsn()::text as lsn');
    if (!Array.isArray(answers)) return answers;
    const position = parseLsn((answers[1] as pg.QueryResult<{ lsn: string }>).rows[0]?.lsn);
    if (position !== null) note(position);
    return answers[0];
  };
  client.query = noting as typeof client.query;
}
