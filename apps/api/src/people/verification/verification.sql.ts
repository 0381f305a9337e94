import type { Db, Tx } from '../../platform/db.ts';
import { emitRecord } from '../../platform/emit-records.ts';

/** What is known about an account's checks; undefined for no account. */
export async function findChecks(db: Db, accountId: string) {
  return db
    .selectFrom('accounts')
    .leftJoin('profiles', 'profiles.account_id', 'accounts.id')
    .leftJoin('phone_checks', 'phone_checks.account_id', 'accounts.id')
    .leftJoin('payout_identities as payee', 'payee.account_id', 'accounts.id')
    .select(['accounts.email', 'accounts.email_verified', 'profiles.phone'])
    .select(['phone_checks.phone as checked_phone', 'phone_checks.checked_at'])
    .select(['payee.status as payout_status', 'payee.reason as payout_reason', 'payee.decided_at'])
    .where('accounts.id', '=', accountId)
    .executeTakeFirst();
}

/** The other account that has this checked number in its profile. */
export async function findHolder(
  db: Db,
  phone: string,
  exceptAccountId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('phone_checks')
    .innerJoin('profiles', (join) =>
      join
        .onRef('profiles.account_id', '=', 'phone_checks.account_id')
        .onRef('profiles.phone', '=', 'phone_checks.phone'),
    )
    .select('phone_checks.account_id')
    .where('phone_checks.phone', '=', phone)
    .where('phone_checks.account_id', '<>', exceptAccountId)
    .executeTakeFirst();
  return row?.account_id;
}

/** Stores that an account has a number. Anyone who had it checked before and no longer uses it loses that check. */
export async function putPhoneCheck(
  tx: Tx,
  check: { account_id: string; phone: string; checked_at: Date },
): Promise<void> {
  const former = await tx
    .deleteFrom('phone_checks')
    .where('phone', '=', check.phone)
    .where('account_id', '<>', check.account_id)
    .returning('account_id')
    .execute();
  await tx
    .insertInto('phone_checks')
    .values(check)
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet({ phone: check.phone, checked_at: check.checked_at }),
    )
    .execute();
  for (const { account_id: accountId } of [...former, check])
    emitRecord(tx, 'account', { id: accountId, workerId: accountId });
}

/** Deletes an account's check; returns its number. */
export async function deletePhoneCheck(tx: Tx, accountId: string): Promise<string[]> {
  const rows = await tx
    .deleteFrom('phone_checks')
    .where('account_id', '=', accountId)
    .returning('phone')
    .execute();
  return rows.map(({ phone }) => phone);
}
