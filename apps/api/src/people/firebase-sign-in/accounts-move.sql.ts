import { sql } from 'kysely';
import type { Db } from '../../platform/db.ts';

export type MovedAccount = {
  id: string;
  email: string;
  name: string;
  emailVerified: boolean;
  disabled: boolean;
  createdAt: Date;
  password: string | null;
  uid: string | null;
  social: { provider: string; subject: string }[];
};

/** A page of accounts by id, without those that were removed. */
export async function findAccountsToMove(
  db: Db,
  after: string | null,
  limit: number,
): Promise<MovedAccount[]> {
  return db
    .selectFrom('accounts')
    .leftJoin('firebase_identities', 'firebase_identities.account_id', 'accounts.id')
    .select(['accounts.id', 'accounts.email', 'accounts.name', 'firebase_identities.uid'])
    .select(['accounts.email_verified as emailVerified', 'accounts.created_at as createdAt'])
    .select(sql<boolean>`accounts.disabled_at is not null`.as('disabled'))
    .select((eb) => [
      eb
        .selectFrom('credentials')
        .select('password')
        .whereRef('credentials.account_id', '=', 'accounts.id')
        .where('provider_id', '=', 'credential')
        .as('password'),
      sql<{ provider: string; subject: string }[]>`coalesce((
        select json_agg(json_build_object('provider', provider_id, 'subject', subject) order by provider_id)
        from credentials where account_id = accounts.id and provider_id in ('google', 'facebook', 'apple')
      ), '[]')`.as('social'),
    ])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('account_deletions')
            .select('account_deletions.id')
            .whereRef('account_deletions.account_id', '=', 'accounts.id')
            .where('status', '=', 'removed'),
        ),
      ),
    )
    .$if(after !== null, (query) => query.where('accounts.id', '>', after ?? ''))
    .orderBy('accounts.id')
    .limit(limit)
    .execute();
}
