import type { CaseKind } from '@nearhand/contract/case-kinds';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import type { LogRow } from './operator-log.rules.ts';

export type StoredRow = LogRow & { digest: Buffer };
export type LogHead = { no: number; digest: Buffer };

/** Lets one call be written at a time, so that the chain has no forks. */
export async function lockLog(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('operators'' log', 0))`.execute(tx);
}

/** The last row's number and digest. */
export const findLastRow = (db: Db): Promise<LogHead | undefined> =>
  db.selectFrom('operator_log').select(['no', 'digest']).orderBy('no', 'desc').limit(1).executeTakeFirst();

export const findHead = (db: Db): Promise<LogHead | undefined> =>
  db.selectFrom('operator_log_head').select(['no', 'digest']).executeTakeFirst();

/** Writes a row and the head that counts it. */
export async function insertRow(tx: Tx, row: StoredRow, head: Buffer): Promise<void> {
  await tx
    .insertInto('operator_log')
    .values({ ...row, subject_ids: [...row.subject_ids] })
    .execute();
  await tx
    .insertInto('operator_log_head')
    .values({ no: row.no, digest: head })
    .onConflict((conflict) => conflict.column('single').doUpdateSet({ no: row.no, digest: head }))
    .execute();
}

/** Rows after this number, in order. */
export const findRows = (db: Db, after: number, limit: number): Promise<StoredRow[]> =>
  db
    .selectFrom('operator_log')
    .selectAll()
    .where('no', '>', after)
    .orderBy('no')
    .limit(limit)
    .execute() as Promise<StoredRow[]>;

export type FoundCall = Omit<StoredRow, 'digest' | 'case_kind'> & {
  case_kind: CaseKind | null;
  name: string;
};

export type LogQuery = {
  operatorId?: string | undefined;
  subjectId?: string | undefined;
  operation?: string | undefined;
  from?: string | undefined;
  until?: string | undefined;
};

/** A page of calls, newest first. */
export async function searchRows(
  db: Db,
  { operatorId, subjectId, operation, from, until }: LogQuery,
  page: { before: number | null; limit: number },
): Promise<FoundCall[]> {
  const { rows } = await sql<FoundCall>`
    select log.no, log.at, log.account_id, log.operation, log.subject_ids, log.case_kind, log.case_subject, log.reason, account.name
    from operator_log log join accounts account on account.id = log.account_id
    where (${page.before}::bigint is null or log.no < ${page.before})
      ${operatorId ? sql`and log.account_id = ${operatorId}` : sql``}
      ${subjectId ? sql`and log.subject_ids @> array[${subjectId}]::uuid[]` : sql``}
      ${operation ? sql`and log.operation = ${operation}` : sql``}
      ${from ? sql`and log.at >= ${from}::timestamptz` : sql``}
      ${until ? sql`and log.at < ${until}::timestamptz` : sql``}
    order by log.no desc limit ${page.limit}`.execute(db);
  return rows;
}
