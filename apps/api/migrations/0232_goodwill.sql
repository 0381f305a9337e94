-- Money that Nearhand gives a person or a business to make up for something (ADR 191). Minor units.
create table goodwill_payments (
  id uuid primary key,
  account_id uuid references accounts (id),
  business_id uuid references businesses (id),
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  reason text not null,
  paid_by uuid not null references accounts (id),
  -- Null within what one operator may give alone.
  approved_by uuid references accounts (id) check (approved_by <> paid_by),
  entry_id uuid not null references ledger_entries (id),
  at timestamptz not null,
  check (num_nonnulls(account_id, business_id) = 1)
);
create index goodwill_payments_account on goodwill_payments (account_id, at) where account_id is not null;
create index goodwill_payments_business on goodwill_payments (business_id, at) where business_id is not null;
create index goodwill_payments_payer on goodwill_payments (paid_by);
create index goodwill_payments_approver on goodwill_payments (approved_by) where approved_by is not null;
create index goodwill_payments_entry on goodwill_payments (entry_id);

alter table second_approvals drop constraint second_approvals_kind_check;
alter table second_approvals add constraint second_approvals_kind_check
  check (kind in ('dispute', 'no_show', 'referral', 'payout_held', 'correction', 'goodwill'));
