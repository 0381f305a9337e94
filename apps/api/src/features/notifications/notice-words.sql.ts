import { sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';

/** Takes what somebody wrote out of the notices of a group, of a worker and of everybody in a business. */
export async function dropReasons(
  tx: Tx,
  group: string,
  readers: { workerId: string; businessId: string },
): Promise<void> {
  await sql`update notifications set data = data - 'reason'
    where group_key = ${group} and data ? 'reason' and account_id in (
      select ${readers.workerId}::uuid union all select account_id from business_members where business_id = ${readers.businessId})`.execute(
    tx,
  );
}
