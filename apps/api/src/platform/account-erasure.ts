import { sql } from 'kysely';
import type { Tx } from './db.ts';

/** Deletes a removed account's stored responses, presence and development mail. */
export async function eraseAccount(
  tx: Tx,
  of: { accountId: string; addresses: readonly string[] },
): Promise<void> {
  await sql`delete from idempotency_keys where account_id = ${of.accountId}`.execute(tx);
  await sql`delete from presence where account_id = ${of.accountId}`.execute(tx);
  await sql`delete from mailbox_messages where recipient = any(${[...of.addresses]}::text[])`.execute(tx);
}
