import { sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';

/**
 * Removes the text of a deleted message from notices that were not sent yet. Locks in the order of notifying, and for
 * the deletion that may follow, to avoid deadlocks.
 */
export async function deleteQuotes(tx: Tx, group: string): Promise<void> {
  await sql`with quoting as (
      select id from notifications where group_key = ${group} and replaceable order by account_id, id for update
    )
    update notifications set data = data - 'reason' - 'variant' from quoting where notifications.id = quoting.id`.execute(
    tx,
  );
}
