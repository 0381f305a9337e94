import type { Db, Tx } from '../../platform/db.ts';

export async function insertAcceptance(tx: Tx, accountId: string, version: string, now: Date): Promise<void> {
  await tx
    .insertInto('terms_acceptances')
    .values({ account_id: accountId, version, accepted_at: now })
    .onConflict((conflict) => conflict.columns(['account_id', 'version']).doNothing())
    .execute();
}

const versionsMost = 100;

export async function findAcceptances(db: Db, accountId: string) {
  return db
    .selectFrom('terms_acceptances')
    .select(['version', 'accepted_at'])
    .where('account_id', '=', accountId)
    .orderBy('accepted_at', 'desc')
    .limit(versionsMost)
    .execute();
}
