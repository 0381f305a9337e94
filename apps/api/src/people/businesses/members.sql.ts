import type { MemberRole } from '@nearhand/contract/operation';
import type { Db, Tx } from '../../platform/db.ts';
import { emitRecord } from '../../platform/emit-records.ts';

export async function insertMember(
  tx: Tx,
  row: { business_id: string; account_id: string; role: MemberRole; created_at: Date },
): Promise<void> {
  await tx.insertInto('business_members').values(row).execute();
  // Also emitted to the account: its devices have not joined the business's room yet.
  emitRecord(tx, 'business', {
    ...{ id: row.business_id, businessId: row.business_id, workerId: row.account_id },
  });
}

export async function findRole(db: Db, businessId: string, accountId: string): Promise<MemberRole | null> {
  const row = await db
    .selectFrom('business_members')
    .select('role')
    .where('business_id', '=', businessId)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return (row?.role as MemberRole | undefined) ?? null;
}

export async function findMembers(
  db: Db,
  businessId: string,
): Promise<{ accountId: string; role: MemberRole }[]> {
  const rows = await db
    .selectFrom('business_members')
    .select(['account_id as accountId', 'role'])
    .where('business_id', '=', businessId)
    .orderBy('account_id')
    .execute();
  return rows as { accountId: string; role: MemberRole }[];
}

/** The businesses each account is a member of, in any role. */
export async function findMemberships(db: Db, accountIds: readonly string[]): Promise<Map<string, string[]>> {
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
