import type { Currency } from '@nearhand/contract/currencies';
import { sql } from 'kysely';
import type { Db } from '../../platform/db.ts';

/** A payment of a business to a worker, by the entry that made it. Minor units. */
export type PaymentRow = {
  entry_id: string;
  currency: Currency;
  /** Its release, or its tip. */
  release_id: string | null;
  tip_id: string | null;
  reversed_at: Date | null;
  engagement_id: string;
  job_title: string;
  worker_id: string;
  worker_name: string;
  business_id: string;
  business_name: string;
  /** A tip paid by card: its charge, and whether that was charged back or still may be. */
  charge_id: string | null;
  chargeback: string | null;
  /** What the worker got, and what hold, balance or card paid. */
  gets_minor: number;
  paid_minor: number;
};

/** The payment that an entry made to a worker; undefined for any other entry. */
export async function findPayment(db: Db, entryId: string): Promise<PaymentRow | undefined> {
  const { rows } = await sql<PaymentRow>`
    select entry.id as entry_id, entry.currency, release.id as release_id, tip.id as tip_id,
      coalesce(release.reversed_at, tip.reversed_at) as reversed_at, engagement.id as engagement_id,
      engagement.terms ->> 'title' as job_title, engagement.worker_id, worker.name as worker_name, engagement.business_id,
      business.name as business_name, charge.id as charge_id, charge.chargeback,
      coalesce(release.amount_minor - release.worker_fee_minor, tip.amount_minor) as gets_minor,
      coalesce(release.amount_minor + release.fee_minor, tip.amount_minor) as paid_minor
    from ledger_entries entry
    left join releases release on release.id = entry.about and entry.kind in ('release', 'compensation')
    left join tips tip on tip.id = entry.about and entry.kind in ('tip', 'bonus')
    join engagements engagement on engagement.id = coalesce(release.engagement_id, tip.engagement_id)
    join accounts worker on worker.id = engagement.worker_id
    join businesses business on business.id = engagement.business_id
    left join charges charge on charge.subject_id = tip.id and charge.landed = 'subject'
      and exists (select from unnest(entry.accounts) account where account ^@ 'provider_clearing')
    where entry.id = ${entryId} and entry.reverses is null`.execute(db);
  return rows[0];
}

/** A reward for an invitation, by the entry that paid it. Minor units. */
export type RewardRow = {
  id: string;
  entry_id: string;
  currency: Currency;
  account_id: string;
  account_name: string;
  business_id: string | null;
  business_name: string | null;
  amount_minor: number;
  reversed_at: Date | null;
};

export async function findReward(db: Db, entryId: string): Promise<RewardRow | undefined> {
  const { rows } = await sql<RewardRow>`
    select reward.id, reward.entry_id, reward.currency, reward.account_id, account.name as account_name, reward.business_id,
      business.name as business_name, reward.amount_minor, reward.reversed_at
    from ledger_entries entry
    join referral_rewards reward on reward.id = entry.about and reward.entry_id = entry.id
    join accounts account on account.id = reward.account_id
    left join businesses business on business.id = reward.business_id
    where entry.id = ${entryId} and entry.kind = 'referral' and entry.reverses is null`.execute(db);
  return rows[0];
}

/** Names of the holders of ledger accounts: workers, businesses, and holds by their job. */
export async function findOwners(
  db: Db,
  ids: readonly string[],
): Promise<{ id: string; kind: 'worker' | 'business' | 'hold'; name: string }[]> {
  const { rows } = await sql<{ id: string; kind: 'worker' | 'business' | 'hold'; name: string }>`
    select id, 'worker' as kind, name from accounts where id = any(${[...ids]}::uuid[])
    union all select id, 'business', name from businesses where id = any(${[...ids]}::uuid[])
    union all select hold.id, 'hold', job.title from holds hold join jobs job on job.id = hold.job_id
      where hold.id = any(${[...ids]}::uuid[])`.execute(db);
  return rows;
}
