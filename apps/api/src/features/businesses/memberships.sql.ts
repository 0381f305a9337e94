import type { Db } from '../../platform/db.ts';

/** The businesses of which accounts are members, whatever their role. */
export async function findBusinessesOf(
  db: Db,
  accountIds: readonly string[],
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  if (accountIds.length === 0) return found;
  const rows = await db
    .selectFrom('business_members')
    .select(['account_id', 'business_id'])
    .where((eb) => eb('account_id', '=', eb.fn.any(eb.val(accountIds))))
    .execute();
  for (const row of rows) found.set(row.account_id, [...(found.get(row.account_id) ?? []), row.business_id]);
  return found;
}
