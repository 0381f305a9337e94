import { sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';

/** Takes what somebody wrote out of the notices of a group, of a worker and of everybody in a business. Locked in the order in which readers are told, so that nobody waits in a circle. */
export async function dropReasons(
  tx: Tx,
  group: string,
  readers: { workerId: string; businessId: string },
): Promise<void> {
  await sql`with quoting as (
      select id from notifications
      where group_key = ${group} and data ? 'reason' and account_id in (
        select ${readers.workerId}::uuid union all select account_id from business_members where business_id = ${readers.businessId})
      order by account_id, id for no key update
    )
    update notifications set data = data - 'reason' from quoting where notifications.id = quoting.id`.execute(
    tx,
  );
}
