import type { Currency } from '@nearhand/contract/currencies';
import { sql } from 'kysely';
import type { Db } from '../../platform/db.ts';

/** The balances of all ledger accounts by kind and currency, with their deferred parts, as of one moment. */
export async function sumMoney(db: Db) {
  const { rows } = await sql<{ kind: string; currency: string; amount: number }>`
    select split_part(account, ':', 1) as kind, right(account, 3) as currency, sum(amount)::bigint as amount
    from (
      select id as account, balance::bigint as amount from ledger_accounts
      union all select account_id, amount from ledger_deferred) parts
    group by 1, 2 order by 1, 2`.execute(db);
  return rows;
}

export async function countSignUps(db: Db, since: Date): Promise<number> {
  const { rows } = await sql<{
    count: number;
  }>`select count(*)::int as count from accounts where created_at >= ${since}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Spots of the shifts that started between two moments, and how many of them were filled. */
export async function countSpots(
  db: Db,
  from: Date,
  until: Date,
): Promise<{ spots: number; filled: number }> {
  const { rows } = await sql<{ spots: number; filled: number }>`
    select coalesce(sum(job.head_count), 0)::int as spots,
      coalesce(sum(least(job.head_count, (
        select count(*) from engagements where engagements.job_id = job.id
          and status not in ('cancelled_by_worker', 'cancelled_by_merchant')))), 0)::int as filled
    from jobs job
    where job.starts_at >= ${from} and job.starts_at < ${until}
      and job.status not in ('draft', 'in_review', 'rejected')`.execute(db);
  return rows[0] ?? { spots: 0, filled: 0 };
}

/** Referral rewards paid since a moment, without those taken back, and the referrals that the daily cap keeps from being paid. */
export async function findReferralSpending(db: Db, since: Date) {
  const { rows: rewards } = await sql<{ currency: Currency; amount: number }>`
    select currency, sum(amount_minor)::bigint as amount from referral_rewards
    where at > ${since} and reversed_at is null group by currency`.execute(db);
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from referrals where status = 'checking' and 'day-cap' = any(flags)`.execute(
    db,
  );
  return { rewards, overCap: rows[0]?.count ?? 0 };
}
