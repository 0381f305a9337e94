import { type RawBuilder, sql } from 'kysely';
import type { Tx } from './db.ts';

/** A removed account with its name, email and phone, for finding them in texts. */
export type FormerMember = { accountId: string; words: readonly string[] };

/** Replaces the person's words in text or JSON with "Former member" (SQL function `without_words`). */
export const withoutWords = <Value = string>(
  column: string,
  { words }: Pick<FormerMember, 'words'>,
): RawBuilder<Value> => sql<Value>`without_words(${sql.ref(column)}, ${[...words]}::text[])`;

/** Deletes a removed account's stored responses, presence and development mail. */
export async function eraseAccount(
  tx: Tx,
  account: { accountId: string; addresses: readonly string[] },
): Promise<void> {
  await sql`delete from idempotency_keys where account_id = ${account.accountId}`.execute(tx);
  await sql`delete from presence where account_id = ${account.accountId}`.execute(tx);
  await sql`delete from mailbox_messages where recipient = any(${[...account.addresses]}::text[])`.execute(
    tx,
  );
}
