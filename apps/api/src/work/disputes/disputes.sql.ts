import type { Side } from '@nearhand/contract/sides';
import type { DisputeStatus } from '@nearhand/contract/work/disputes.rules';
import type { DisputeWhy } from '@nearhand/contract/work/engagements';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { emitRow } from '../../platform/emit-records.ts';
import { type FormerMember, withoutWords } from '../../platform/former-member.ts';
import type { DisputeSteps, Disputes } from '../../platform/tables.gen.ts';

export type DisputeRow = Omit<Selectable<Disputes>, 'status' | 'why' | 'filed_by' | 'proposal_by'> & {
  status: DisputeStatus;
  why: DisputeWhy;
  filed_by: Side | 'timer';
  proposal_by: Side | null;
};

/** Ids taken from the engagement, for the signals. */
const seen = [
  'disputes.id',
  sql<string>`(select worker_id from engagements where id = disputes.engagement_id)`.as('worker_id'),
  sql<string>`(select business_id from engagements where id = disputes.engagement_id)`.as('business_id'),
  sql<string>`(select job_id from engagements where id = disputes.engagement_id)`.as('job_id'),
] as const;

export async function insertDispute(tx: Tx, row: Insertable<Disputes>): Promise<void> {
  emitRow(tx, 'dispute', await tx.insertInto('disputes').values(row).returning(seen).executeTakeFirst());
}

export async function insertStep(tx: Tx, row: Insertable<DisputeSteps>): Promise<void> {
  await tx.insertInto('dispute_steps').values(row).execute();
}

export async function insertDisputeFiles(tx: Tx, stepId: string, fileIds: readonly string[]): Promise<void> {
  if (fileIds.length === 0) return;
  await tx
    .insertInto('dispute_files')
    .values(fileIds.map((file_id, position) => ({ step_id: stepId, file_id, position })))
    .execute();
}

/** The engagement of a dispute, which is locked first. */
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

/** The actor of the last step. */
export async function findLastStepper(db: Db, disputeId: string): Promise<string | undefined> {
  const { rows } = await sql<{ actor: string }>`
    select actor from dispute_steps where dispute_id = ${disputeId} order by at desc, id desc limit 1`.execute(
    db,
  );
  return rows[0]?.actor;
}

/** Updates a dispute if its version is unchanged; false if it changed in the meantime. */
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
  emitRow(tx, 'dispute', updated);
  return updated !== undefined;
}

/** For a removed account: what was written in its disputes loses its name. */
export async function forgetDisputes(tx: Tx, member: FormerMember): Promise<void> {
  await sql`update disputes set reason = ${withoutWords('reason', member)}, proposal_note = ${withoutWords('proposal_note', member)}
    where engagement_id in (select id from engagements where worker_id = ${member.accountId})`.execute(tx);
  await sql`update dispute_steps set reason = ${withoutWords('reason', member)} where reason is not null and dispute_id in (
    select dispute.id from disputes dispute join engagements work on work.id = dispute.engagement_id
    where work.worker_id = ${member.accountId})`.execute(tx);
}
