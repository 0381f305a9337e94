import { sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';

/**
 * Takes what somebody wrote, or that they sent files, out of the notices of a group, whoever has them: also of those who left the business since. Locked in the order in which readers are told, so that
 * nobody waits in a circle.
 */
export async function dropReasons(tx: Tx, group: string): Promise<void> {
  await sql`with quoting as (
      select id from notifications where group_key = ${group} and replaceable and data ?| array['reason', 'what'] order by account_id, id for no key update
    )
    update notifications set data = data - 'reason' - 'what' from quoting where notifications.id = quoting.id`.execute(
    tx,
  );
}
