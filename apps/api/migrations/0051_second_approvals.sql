-- Decisions that move much money and reversals of payments, which take effect once a second operator approves them (ADR 191, 192).
create table second_approvals (
  id uuid primary key,
  kind text not null check (kind in ('dispute', 'no_show', 'referral', 'correction')),
  -- The dispute, engagement, referral or ledger entry; a row of another slice.
  subject_id uuid not null,
  -- The decision as it will be made, by its kind.
  decision jsonb not null,
  reason text not null,
  -- What moves, in minor units.
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  -- Whom it is about: they never see or approve it.
  account_ids uuid[] not null,
  business_id uuid references businesses (id),
  requested_by uuid not null references accounts (id),
  requested_at timestamptz not null,
  expires_at timestamptz not null,
  state text not null default 'waiting' check (state in ('waiting', 'approved', 'refused', 'withdrawn', 'expired')),
  decided_by uuid references accounts (id),
  decided_at timestamptz,
  note text,
  check (num_nonnulls(decided_by) = case when state in ('approved', 'refused') then 1 else 0 end),
  check ((decided_at is null) = (state = 'waiting')),
  constraint second_approvals_by_another check (decided_by <> requested_by)
);
create unique index second_approvals_waiting on second_approvals (kind, subject_id) where state = 'waiting';
create index second_approvals_queue on second_approvals (requested_at, id) where state = 'waiting';
create index second_approvals_subject on second_approvals (subject_id, requested_at desc);
create index second_approvals_requester on second_approvals (requested_by);
create index second_approvals_decider on second_approvals (decided_by) where decided_by is not null;
create index second_approvals_business on second_approvals (business_id) where business_id is not null;

-- When an operator's correction took a payment back.
alter table releases add column reversed_at timestamptz check (reversed_at is null or state = 'released');
alter table tips add column reversed_at timestamptz check (reversed_at is null or status = 'paid');
