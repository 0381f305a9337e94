import { signAccessToken } from '@nearhand/api/src/people/sign-in/access-tokens.ts';
import { systemClock } from '@nearhand/api/src/platform/clock.ts';
import { type Services, secret } from '../money/services.ts';

/** Thousands of accounts with a session each. @returns their access tokens */
export async function makeManyAccounts({ pool }: Services, count: number): Promise<string[]> {
  const { rows } = await pool.query<{ accountId: string; sessionId: string }>(
    `with made as (
       insert into accounts (id, name, email, email_verified)
       select id, 'Somebody', id || '@example.test', true from (select gen_random_uuid() as id from generate_series(1, $1)) as ids
       returning id
     )
     insert into sessions (id, account_id, token_hash, expires_at)
     select gen_random_uuid(), id, gen_random_uuid(), now() + interval '1 day' from made
     returning account_id as "accountId", id as "sessionId"`,
    [count],
  );
  return Promise.all(rows.map((session) => signAccessToken(secret, systemClock, session)));
}

/** Makes all accounts of `makeManyAccounts` recruiters of a business. */
export async function makeManyRecruiters({ pool }: Services, businessId: string): Promise<void> {
  await pool.query(
    `insert into business_members (business_id, account_id, role, created_at)
     select $1, id, 'recruiter', now() from accounts where name = 'Somebody'`,
    [businessId],
  );
}
