import type { ApplicationStatus } from '@nearhand/contract/hiring/applications';
import { sql } from 'kysely';
import type { Db } from '../../platform/db.ts';
import { type ApplicationRow, columnsFor } from './application.columns.ts';

const mineColumns = columnsFor('worker');
const mineTables = sql`applications application left join files cv on cv.id = application.cv_file_id`;

export type PageQuery = {
  /** Only these statuses; null for all. */
  states: readonly ApplicationStatus[] | null;
  after: readonly [string, string] | null;
  limit: number;
};

/** The applications of a worker, newest first. */
export async function findMine(
  db: Db,
  workerId: string,
  { states, after, limit }: PageQuery,
): Promise<ApplicationRow[]> {
  const { rows } = await sql<ApplicationRow>`
    with page as materialized (select id from applications where worker_id = ${workerId}
      ${states ? sql`and status = any(${[...states]})` : sql``}
      ${after ? sql`and (submitted_at, id) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : sql``}
      order by submitted_at desc, id desc limit ${limit})
    select ${mineColumns} from ${mineTables} where application.id in (select id from page)
    order by application.submitted_at desc, application.id desc`.execute(db);
  return rows;
}

/** One application of this worker. */
export async function findOwn(
  db: Db,
  applicationId: string,
  workerId: string,
): Promise<ApplicationRow | undefined> {
  const { rows } = await sql<ApplicationRow>`
    select ${mineColumns} from ${mineTables}
    where application.id = ${applicationId} and application.worker_id = ${workerId}`.execute(db);
  return rows[0];
}
