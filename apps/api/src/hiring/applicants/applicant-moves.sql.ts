import type { ApplicationStatus } from '@nearhand/contract/hiring/applications';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { emitRows } from '../../platform/emit-records.ts';
import { rowIds } from '../../platform/ids.ts';
import { type BranchLimit, inBranches } from '../../platform/members/job-members.ts';

/** Who changed each application last, by application. Viewing is not a change. */
export async function findLastMovers(
  db: Db,
  applicationIds: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ application_id: string; actor: string }>`
    select distinct on (application_id) application_id, actor from application_moves
    where application_id = any(${[...applicationIds]}::uuid[]) and action <> 'view'
    order by application_id, at desc, id desc`.execute(db);
  return new Map(rows.map(({ application_id, actor }) => [application_id, actor]));
}

type Seen = { id: string; job_id: string; worker_id: string; business_id: string };

type LockedOne = {
  id: string;
  status: ApplicationStatus;
  version: number;
  business_id: string;
  worker_id: string;
};

/** Some applications of a business, locked in a fixed order to avoid deadlocks. */
export async function lockSome(
  tx: Tx,
  of: { businessId: string; limit: BranchLimit },
  applicationIds: readonly string[],
): Promise<LockedOne[]> {
  const { rows } = await sql<LockedOne>`
    select id, status, version, business_id, worker_id from applications where id = any(${[...applicationIds]}::uuid[]) and business_id = ${of.businessId}
      ${inBranches(sql`job_id`, of.limit)}
    order by id for update`.execute(tx);
  return rows;
}

/** Moves several locked applications. */
export async function moveSome(
  tx: Tx,
  applicationIds: readonly string[],
  move: { to: ApplicationStatus; actor: string; action: string; reason: string | null; at: Date },
): Promise<void> {
  const { rows } = await sql<Seen>`
    with before as (select id, status from applications where id = any(${[...applicationIds]}::uuid[])),
    moved as (
      update applications set status = ${move.to}, version = version + 1, updated_at = ${move.at},
        viewed_at = case when ${move.action} = 'shortlist' then coalesce(viewed_at, ${move.at}::timestamptz) else viewed_at end
      from before where applications.id = before.id
      returning applications.id, applications.job_id, applications.worker_id, applications.business_id),
    logged as (
    insert into application_moves (id, application_id, actor, action, from_status, to_status, reason, at)
    select ${rowIds(move.at)}, id, ${move.actor}, ${move.action}, status, ${move.to}, ${move.reason}, ${move.at}::timestamptz
    from before)
    select * from moved`.execute(tx);
  emitRows(tx, 'application', rows);
}
