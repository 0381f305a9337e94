import type { EngagementStatus } from '@nearhand/contract/engagement-statuses';
import type { Funding } from '@nearhand/contract/money/funding';
import type { Side } from '@nearhand/contract/sides';
import type { OperatorCase } from '@nearhand/contract/trust/operators';
import type { Terms } from '@nearhand/contract/work/terms';
import { type Insertable, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import type { Operators } from '../../platform/tables.gen.ts';

/** The account of an address, with what appointing checks. */
export async function findAppointee(db: Db, email: string) {
  return db
    .selectFrom('accounts')
    .select(['id', 'email_verified', 'disabled_at'])
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst();
}

/** False if the account already is one. */
export async function insertOperator(tx: Tx, row: Insertable<Operators>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('operators')
    .values(row)
    .onConflict((conflict) => conflict.column('account_id').where('removed_at', 'is', null).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** False if the account isn't one. */
export async function endOperator(tx: Tx, accountId: string, by: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('operators')
    .set({ removed_by: by, removed_at: now })
    .where('account_id', '=', accountId)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** All current operators, oldest appointment first. */
export async function findOperators(db: Db) {
  return db
    .selectFrom('operators')
    .innerJoin('accounts', 'accounts.id', 'operators.account_id')
    .select(['accounts.email', 'accounts.name', 'operators.added_by', 'operators.added_at'])
    .where('operators.removed_at', 'is', null)
    .orderBy('operators.added_at')
    .orderBy('operators.id')
    .execute();
}

export type CaseRow = {
  engagement_id: string;
  what: OperatorCase['what'];
  dispute_id: string | null;
  version: number;
  since: Date;
  stop_at: Date | null;
  reason: string;
  worker_amount_minor: number | null;
  business_amount_minor: number | null;
  proposal_by: Side | null;
  proposal_amount_minor: number | null;
  proposal_note: string | null;
  proposal_at: Date | null;
  status: EngagementStatus;
  terms: Terms;
  funding: Funding;
  starts_at: Date | null;
  ends_at: Date | null;
  worker_id: string;
  worker_name: string;
  business_id: string;
  business_name: string;
  steps: OperatorCase['steps'];
};

const instantOf = sql`to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Cases that need a decision and don't involve this account or its businesses, oldest first. */
export async function findCases(
  db: Db,
  accountId: string,
  page: { after: readonly [string, string] | null; limit: number },
): Promise<CaseRow[]> {
  const { after, limit } = page;
  const { rows } = await sql<CaseRow>`
    select waiting.*, engagement.status, engagement.terms, engagement.funding, engagement.starts_at, engagement.ends_at,
      engagement.worker_id, worker.name as worker_name, engagement.business_id, business.name as business_name,
      (select coalesce(jsonb_agg(jsonb_build_object('action', action, 'status', to_status, 'by', side, 'at', ${instantOf},
          'reason', reason, 'amountMinor', amount_minor) order by at, id), '[]')
        from (select id, action, to_status, side, at, reason, null::bigint as amount_minor from engagement_moves
            where engagement_id = engagement.id
          union all select id, action, to_status, side, at, reason, amount_minor from dispute_steps
            where dispute_id = waiting.dispute_id) step) as steps
    from (
      select 'dispute' as what, dispute.engagement_id, dispute.id as dispute_id, dispute.version, dispute.stop_at, dispute.reason,
        dispute.worker_amount_minor, dispute.business_amount_minor, dispute.proposal_by, dispute.proposal_amount_minor,
        dispute.proposal_note, dispute.proposal_at,
        coalesce((select max(at) from dispute_steps where dispute_id = dispute.id and action = 'escalate'), dispute.created_at) as since
      from disputes dispute where dispute.status = 'with_operator'
      union all
      select 'no_show', missed.id, null, missed.version, null, coalesce(missed.contest, ''),
        (missed.terms->>'payTotalMinor')::bigint, 0, null, null, null, null,
        coalesce((select max(at) from engagement_moves where engagement_id = missed.id and action = 'contest'), missed.updated_at)
      from engagements missed where missed.status = 'contested') waiting
    join engagements engagement on engagement.id = waiting.engagement_id
    join accounts worker on worker.id = engagement.worker_id
    join businesses business on business.id = engagement.business_id
    where engagement.worker_id <> ${accountId}
      and not exists (select from business_members member
        where member.business_id = engagement.business_id and member.account_id = ${accountId})
      ${after ? sql`and (waiting.since, engagement.id) > (${after[0]}::timestamptz, ${after[1]}::uuid)` : sql``}
    order by waiting.since, engagement.id limit ${limit}`.execute(db);
  return rows;
}

/** Whether an account is an operator now. */
export async function findIsOperator(db: Db, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('operators')
    .select('id')
    .where('account_id', '=', accountId)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}
