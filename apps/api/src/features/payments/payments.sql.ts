import type { Insertable } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import type { Releases } from '../../platform/tables.gen.ts';

export async function insertRelease(tx: Tx, row: Insertable<Releases>): Promise<void> {
  await tx.insertInto('releases').values(row).execute();
}

export async function findReleases(db: Db, engagementId: string) {
  return db
    .selectFrom('releases')
    .selectAll()
    .where('engagement_id', '=', engagementId)
    .orderBy('at')
    .orderBy('id')
    .execute();
}
