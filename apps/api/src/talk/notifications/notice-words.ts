import { sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';

/** For other slices: a message was deleted, so notices of this group no longer quote it. What was mailed or pushed is out of reach. */
export const forgetQuotes = (tx: Tx, group: string): Promise<void> => dropReasons(tx, group);

/**
 * Removes message text and file mentions from a group's notices, including those of former members. Locks in the order of notifying, to
 * avoid deadlocks.
 */
async function dropReasons(tx: Tx, group: string): Promise<void> {
  await sql`with quoting as (
      select id from notifications where group_key = ${group} and replaceable and data ?| array['reason', 'what'] order by account_id, id for no key update
    )
    update notifications set data = data - 'reason' - 'what' from quoting where notifications.id = quoting.id`.execute(
    tx,
  );
}
