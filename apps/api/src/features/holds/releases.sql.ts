import type { Currency } from '@nearhand/contract/currencies';
import type { EngagementStatus } from '@nearhand/contract/engagements';
import type { Funding } from '@nearhand/contract/terms';
import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import type { Releases } from '../../platform/tables.gen.ts';

export type ReleaseRow = Omit<Selectable<Releases>, 'kind' | 'state' | 'currency'> & {
  kind: 'undisputed' | 'rest' | 'compensation';
  state: 'not_funded' | 'released';
  currency: Currency;
};

export async function insertRelease(tx: Tx, row: Insertable<Releases>): Promise<void> {
  await tx.insertInto('releases').values(row).execute();
}

/** What was agreed to be paid for an engagement, in the order agreed. */
export async function findReleases(db: Db, engagementId: string): Promise<ReleaseRow[]> {
  const rows = await db
    .selectFrom('releases')
    .selectAll()
    .where('engagement_id', '=', engagementId)
    .orderBy('at')
    .orderBy('id')
    .execute();
  return rows as ReleaseRow[];
}

/** Cuts an owed release in two: `part` stays under its id, the rest follows it under another, agreed at the same time. */
export async function cutRelease(tx: Tx, row: ReleaseRow, part: ReleaseRow, restId: string): Promise<void> {
  const { amount_minor, fee_minor, worker_fee_minor } = part;
  await tx
    .updateTable('releases')
    .set({ amount_minor, fee_minor, worker_fee_minor })
    .where('id', '=', row.id)
    .where('state', '=', 'not_funded')
    .execute();
  await insertRelease(tx, {
    ...row,
    id: restId,
    amount_minor: row.amount_minor - amount_minor,
    fee_minor: row.fee_minor - fee_minor,
    worker_fee_minor: row.worker_fee_minor - worker_fee_minor,
  });
}

/** A release that was owed is paid now. */
export async function markReleased(
  tx: Tx,
  releaseId: string,
  paid: { entry_id: string; clears_at: Date | null; released_at: Date },
): Promise<void> {
  await tx
    .updateTable('releases')
    .set({ ...paid, state: 'released' })
    .where('id', '=', releaseId)
    .where('state', '=', 'not_funded')
    .execute();
}

/** Tips that were paid, in the order given, as the list of what an engagement was paid. */
export async function findPaidTips(db: Db, engagementId: string) {
  return db
    .selectFrom('tips')
    .selectAll()
    .where('engagement_id', '=', engagementId)
    .where('status', '=', 'paid')
    .orderBy('at')
    .orderBy('id')
    .execute();
}

/** What of an engagement paying needs; it must be locked by the caller. */
export async function findPayee(db: Db, engagementId: string) {
  const { rows } = await sql<{
    worker_id: string;
    business_id: string;
    status: EngagementStatus;
    no_show_at: Date | null;
    contest: string | null;
    planned_minor: number;
    funding: Funding;
    title: string;
  }>`
    select worker_id, business_id, status, no_show_at, contest, funding, (terms->>'payTotalMinor')::bigint as planned_minor, terms->>'title' as title
    from engagements where id = ${engagementId}`.execute(db);
  const [row] = rows;
  if (!row) throw new Error(`there is no engagement ${engagementId}`);
  return row;
}
