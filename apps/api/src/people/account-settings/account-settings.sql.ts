import type { AccountSettings } from '@nearhand/contract/people/account-settings';
import type { Db, Tx } from '../../platform/db.ts';
import { emitRecord } from '../../platform/emit-records.ts';

export async function findSettings(db: Db, accountId: string) {
  return db
    .selectFrom('account_settings')
    .select(['appearance', 'units', 'clock', 'start_side as startSide', 'language'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
}

/** Stores the given settings; the others stay. Emits 'account' to the person's other devices. */
export async function upsertSettings(
  tx: Tx,
  accountId: string,
  change: { [Setting in keyof AccountSettings]?: AccountSettings[Setting] | undefined },
  now: Date,
): Promise<void> {
  const { startSide, ...same } = change;
  const columns = { ...same, ...(startSide === undefined ? {} : { start_side: startSide }), updated_at: now };
  await tx
    .insertInto('account_settings')
    .values({ account_id: accountId, ...columns })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(columns))
    .execute();
  emitRecord(tx, 'account', { id: accountId, workerId: accountId });
}

/** The language of the account with this address; undefined if it chose none or there is no such account. */
export async function findLanguageOf(db: Db, email: string): Promise<string | null | undefined> {
  const row = await db
    .selectFrom('accounts')
    .innerJoin('account_settings', 'account_settings.account_id', 'accounts.id')
    .select('account_settings.language')
    .where('accounts.email', '=', email)
    .executeTakeFirst();
  return row?.language;
}

/** For an account that is removed. */
export async function deleteSettings(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('account_settings').where('account_id', '=', accountId).execute();
}
