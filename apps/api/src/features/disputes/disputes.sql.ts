import type { DisputeStatus, DisputeWhy } from '@nearhand/contract/engagements';
import type { Side } from '@nearhand/contract/terms';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import type { DisputeSteps, Disputes } from '../../platform/tables.gen.ts';
import { tellRow } from '../../platform/tell-records.ts';

export type DisputeRow = Omit<Selectable<Disputes>, 'status' | 'why' | 'filed_by' | 'proposal_by'> & {
  status: DisputeStatus;
  why: DisputeWhy;
  filed_by: Side | 'timer';
  proposal_by: Side | null;
};

/** Whose a dispute is: its engagement knows. */
const seen = [
  'disputes.id',
  sql<string>`(select worker_id from engagements where id = disputes.engagement_id)`.as('worker_id'),
  sql<string>`(select business_id from engagements where id = disputes.engagement_id)`.as('business_id'),
  sql<string>`(select job_id from engagements where id = disputes.engagement_id)`.as('job_id'),
] as const;

export async function insertDispute(tx: Tx, row: Insertable<Disputes>): Promise<void> {
  tellRow(tx, 'dispute', await tx.insertInto('disputes').values(row).returning(seen).executeTakeFirst());
}

export async function insertStep(tx: Tx, row: Insertable<DisputeSteps>): Promise<void> {
  await tx.insertInto('dispute_steps').values(row).execute();
}

/** To which engagement a dispute belongs, so that the engagement is locked first. */
export async function findEngagementId(db: Db, disputeId: string): Promise<string | null> {
  const row = await db
    .selectFrom('disputes')
    .select('engagement_id')
    .where('id', '=', disputeId)
    .executeTakeFirst();
  return row?.engagement_id ?? null;
}

export async function lockDispute(tx: Tx, disputeId: string): Promise<DisputeRow | undefined> {
  const row = await tx
    .selectFrom('disputes')
    .selectAll()
    .where('id', '=', disputeId)
    .forUpdate()
    .executeTakeFirst();
  return row as DisputeRow | undefined;
}

export async function findDisputeOf(db: Db, engagementId: string): Promise<DisputeRow | undefined> {
  const row = await db
    .selectFrom('disputes')
    .selectAll()
    .where('engagement_id', '=', engagementId)
    .executeTakeFirst();
  return row as DisputeRow | undefined;
}

export async function findSteps(db: Db, disputeId: string) {
  return db
    .selectFrom('dispute_steps')
    .selectAll()
    .where('dispute_id', '=', disputeId)
    .orderBy('at')
    .orderBy('id')
    .execute();
}

/** Who took the last step. */
export async function findLastStepper(db: Db, disputeId: string): Promise<string | undefined> {
  const { rows } = await sql<{ actor: string }>`
    select actor from dispute_steps where dispute_id = ${disputeId} order by at desc, id desc limit 1`.execute(
    db,
  );
  return rows[0]?.actor;
}

/** Writes a step's changes over the version that was read; false where it has changed since. */
export async function updateDispute(
  tx: Tx,
  row: Pick<DisputeRow, 'id' | 'version' | 'status'>,
  changes: Updateable<Disputes>,
): Promise<boolean> {
  const updated = await tx
    .updateTable('disputes')
    .set({ ...changes, version: row.version + 1 })
    .where('id', '=', row.id)
    .where('version', '=', row.version)
    .where('status', '=', row.status)
    .returning(seen)
    .executeTakeFirst();
  tellRow(tx, 'dispute', updated);
  return updated !== undefined;
}
