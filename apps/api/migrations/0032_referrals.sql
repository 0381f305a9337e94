-- Everyone has a code to invite others with: ten random characters without I, L, O and U.
create function new_referral_code() returns text language sql volatile as $$
  select string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (get_byte(bytes, part) & 31), 1), '')
  from (select uuid_send(gen_random_uuid()) as bytes) random, unnest('{0,1,2,3,4,5,10,11,12,13}'::int[]) as part
$$;
alter table accounts add column referral_code text not null default new_referral_code() unique;

-- Who joined by whose code (ADR 155).
create table referrals (
  id uuid primary key,
  invited_id uuid not null unique references accounts (id),
  inviter_id uuid not null references accounts (id) check (inviter_id <> invited_id),
  status text not null check (status in ('joined', 'qualified', 'checking', 'rewarded', 'unpaid')),
  -- Why nothing was paid to the inviter.
  unpaid_reason text check (unpaid_reason in ('limit', 'refused', 'paused')),
  -- What makes it a case for an operator.
  flags text[] not null default '{}',
  -- Signed hash of the device that joined; identifies nobody.
  device_hash bytea,
  joined_at timestamptz not null,
  -- The latest of the work whose pay earned the reward: as its worker, or as an owner of its business.
  side text check (side in ('worker', 'business')),
  engagement_id uuid references engagements (id),
  currency text,
  qualified_at timestamptz,
  decided_at timestamptz,
  decided_by uuid references accounts (id),
  decision_note text
);
create index referrals_inviter on referrals (inviter_id, joined_at desc, id desc);
create index referrals_rewarded on referrals (inviter_id, decided_at) where status = 'rewarded';
create index referrals_to_check on referrals (qualified_at, id) where status = 'checking';
create index referrals_waiting on referrals (invited_id) where status = 'joined';
create index referrals_engagement on referrals (engagement_id) where engagement_id is not null;
create index referrals_decider on referrals (decided_by) where decided_by is not null;

-- What was paid for a referral: to each side once.
create table referral_rewards (
  id uuid primary key,
  referral_id uuid not null references referrals (id),
  side text not null check (side in ('inviter', 'invited')),
  account_id uuid not null references accounts (id),
  -- Paid to the balance of this business instead of the account's own.
  business_id uuid references businesses (id),
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  entry_id uuid not null,
  at timestamptz not null,
  unique (referral_id, side)
);
create index referral_rewards_account on referral_rewards (account_id, side);
create index referral_rewards_recent on referral_rewards (at);
create index referral_rewards_business on referral_rewards (business_id) where business_id is not null;
