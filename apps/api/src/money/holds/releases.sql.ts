import type { Currency } from '@nearhand/contract/currencies';
import type { Insertable, Selectable } from 'kysely';
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

/** Releases of an engagement, in the order agreed. */
export async function findReleases(db: Db, engagementId: string): Promise<ReleaseRow[]> {
  const rows = await db
    .selectFrom('releases')
    .selectAll()
    .where('engagementId', '=', engagementId)
    .orderBy('at')
    .orderBy('id')
    .execute();
  return rows as ReleaseRow[];
}

/** Splits an owed release: `part` keeps the id, the rest gets a new one with the same time. */
export async function cutRelease(tx: Tx, row: ReleaseRow, part: ReleaseRow, restId: string): Promise<void> {
  const { amountMinor, feeMinor, workerFeeMinor } = part;
  await tx
    .updateTable('releases')
    .set({ amountMinor, feeMinor, workerFeeMinor })
    .where('id', '=', row.id)
    .where('state', '=', 'not_funded')
    .execute();
  await insertRelease(tx, {
    ...row,
    id: restId,
    amountMinor: row.amountMinor - amountMinor,
    feeMinor: row.feeMinor - feeMinor,
    workerFeeMinor: row.workerFeeMinor - workerFeeMinor,
  });
}

/** Marks an owed release as paid. */
export async function markReleased(
  tx: Tx,
  releaseId: string,
  paid: { entryId: string; clearsAt: Date | null; releasedAt: Date },
): Promise<void> {
  await tx
    .updateTable('releases')
    .set({ ...paid, state: 'released' })
    .where('id', '=', releaseId)
    .where('state', '=', 'not_funded')
    .execute();
}

/** Marks a paid release as reversed; false if it already was. */
export async function markReversed(tx: Tx, releaseId: string, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('releases')
    .set({ reversedAt: at })
    .where('id', '=', releaseId)
    .where('state', '=', 'released')
    .where('reversedAt', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Paid tips, in the order given. */
export async function findPaidTips(db: Db, engagementId: string) {
  return db
    .selectFrom('tips')
    .selectAll()
    .where('engagementId', '=', engagementId)
    .where('status', '=', 'paid')
    .orderBy('at')
    .orderBy('id')
    .execute();
}
