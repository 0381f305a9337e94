import type { Db } from '../../../platform/db.ts';

export type SealedFactor = { id: string; secret: string; backup_codes: string };

/** Second steps with ids above this one, in their order. */
export const listFactors = (db: Db, after: string, most: number): Promise<SealedFactor[]> =>
  db
    .selectFrom('second_factors')
    .select(['id', 'secret', 'backup_codes'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(most)
    .execute();

/** Unless it changed in the meantime. */
export async function replaceFactor(db: Db, from: SealedFactor, to: SealedFactor): Promise<void> {
  await db
    .updateTable('second_factors')
    .set({ secret: to.secret, backup_codes: to.backup_codes })
    .where('id', '=', from.id)
    .where('secret', '=', from.secret)
    .where('backup_codes', '=', from.backup_codes)
    .execute();
}
