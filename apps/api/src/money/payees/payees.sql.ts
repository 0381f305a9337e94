import { sql } from 'kysely';
import type { Db } from '../../platform/db.ts';

/** The legal name that the payment provider verified for an account. */
export async function findProviderName(
  db: Db,
  accountId: string,
): Promise<{ legal_name: string; decided_at: Date } | undefined> {
  const { rows } = await sql<{ legal_name: string; decided_at: Date }>`
    select legal_name, coalesce(decided_at, asked_at) as decided_at
    from payout_identities where account_id = ${accountId} and status = 'verified'`.execute(db);
  return rows[0];
}
