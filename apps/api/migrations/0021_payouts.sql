-- Payees, as verified by the provider.
create table payout_identities (
  account_id uuid primary key references accounts (id),
  status text not null check (status in ('pending', 'verified', 'refused')),
  reason text,
  legal_name text not null,
  country_code text not null,
  asked_at timestamptz not null,
  decided_at timestamptz
);
create index payout_identities_pending on payout_identities (account_id) where status = 'pending';

-- Workers' bank accounts. Only the provider knows the number.
create table payout_methods (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  provider_ref text not null unique,
  bank_name text not null,
  last4 text not null,
  holder_name text not null,
  -- The provider's name for the account: the same for everyone who saves it.
  fingerprint text,
  country text not null,
  currency text not null,
  instant boolean not null,
  is_default boolean not null default false,
  usable_from timestamptz not null,
  added_at timestamptz not null,
  removed_at timestamptz
);
create index payout_methods_fingerprint on payout_methods (fingerprint);
create index payout_methods_account on payout_methods (account_id, added_at desc) where removed_at is null;
create unique index payout_methods_one_default on payout_methods (account_id) where is_default and removed_at is null;

-- Pay that becomes available later (product.md, Constants: clearing after release). `id` is that of the release or tip.
create table clearings (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  clears_at timestamptz not null,
  cleared_at timestamptz
);
create index clearings_waiting on clearings (account_id, currency, clears_at) where cleared_at is null;

-- Withdrawals (product.md: Withdrawal). `id` is the provider's key.
create table withdrawals (
  id uuid primary key,
  version integer not null default 1,
  account_id uuid not null references accounts (id),
  method_id uuid not null references payout_methods (id),
  status text not null check (status in ('requested', 'processing', 'in_transit', 'paid', 'cancelled', 'failed', 'returned')),
  amount_minor bigint not null check (amount_minor > 0),
  fee_minor bigint not null check (fee_minor >= 0 and fee_minor < amount_minor),
  currency text not null,
  speed text not null check (speed in ('standard', 'instant')),
  provider_ref text unique,
  failure text,
  cancel_by timestamptz,
  arrives_on date,
  requested_at timestamptz not null,
  updated_at timestamptz not null,
  -- The ledger entries that reserved and paid it, so that they can be reversed.
  reserve_entry uuid not null,
  paid_entry uuid
);
create index withdrawals_account on withdrawals (account_id, requested_at desc, id desc);
create index withdrawals_unsettled on withdrawals (updated_at) where status in ('requested', 'processing', 'in_transit');
create index withdrawals_under_way on withdrawals (account_id) where status in ('requested', 'processing', 'in_transit');

create table withdrawal_moves (
  id uuid primary key,
  withdrawal_id uuid not null references withdrawals (id) on delete cascade,
  actor text not null,
  action text not null,
  from_status text,
  to_status text not null,
  failure text,
  at timestamptz not null
);
create index withdrawal_moves_withdrawal on withdrawal_moves (withdrawal_id, at);
