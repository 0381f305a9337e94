import type { EngagementStatus } from '@nearhand/contract/engagements';
import type { MemberRole } from '@nearhand/contract/operation';
import type { Funding, Terms } from '@nearhand/contract/terms';
import { type Selectable, sql, type Updateable } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import type { Engagements } from '../../platform/tables.gen.ts';

export type EngagementRow = Omit<Selectable<Engagements>, 'status' | 'kind' | 'terms' | 'funding'> & {
  status: EngagementStatus;
  kind: 'shift' | 'task';
  terms: Terms;
  funding: Funding;
};

/** An engagement, locked, with the role of an account in its business; undefined where there is none. */
export async function lockEngagement(
  tx: Tx,
  engagementId: string,
  accountId: string | null,
): Promise<(EngagementRow & { role: MemberRole | null }) | undefined> {
  const { rows } = await sql<EngagementRow & { role: MemberRole | null }>`
    select engagement.*, (select role from business_members member
      where member.business_id = engagement.business_id and member.account_id = ${accountId}::uuid) as role
    from engagements engagement where engagement.id = ${engagementId} for update of engagement`.execute(tx);
  return rows[0];
}

/** Moves an engagement on from the version that was read, with what the move sets besides; false where it has changed since. */
export async function updateEngagement(
  tx: Tx,
  row: Pick<EngagementRow, 'id' | 'status' | 'version'>,
  changes: Updateable<Engagements>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('engagements')
    .set({ ...changes, version: row.version + 1 })
    .where('id', '=', row.id)
    .where('status', '=', row.status)
    .where('version', '=', row.version)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Logs one move. */
export async function insertEngagementMove(
  tx: Tx,
  move: {
    id: string;
    engagement_id: string;
    actor: string;
    side: 'worker' | 'business' | 'timer' | 'operator';
    action: string;
    from_status: string | null;
    to_status: string;
    reason: string | null;
    at: Date;
  },
): Promise<void> {
  await tx.insertInto('engagement_moves').values(move).execute();
}
