import type { Tx } from '../../platform/db.ts';

export async function insertAcceptance(tx: Tx, accountId: string, version: string, now: Date): Promise<void> {
  await tx
    .insertInto('terms_acceptances')
    .values({ account_id: accountId, version, accepted_at: now })
    .onConflict((conflict) => conflict.columns(['account_id', 'version']).doNothing())
    .execute();
}
