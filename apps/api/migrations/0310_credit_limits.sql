-- Limits up to which a business hires before it pays (ADR 397). What is drawn and repaid is in the ledger only: `business_credit:{id}` is the unused
-- part, so a business owes its limit minus that. `platform_credit` is the other side of every limit, unlimited like `platform_losses`.
create table credit_limits (
  business_id uuid primary key references businesses (id),
  currency text not null,
  -- What was posted to `business_credit` as the limit. Minor units.
  limit_minor bigint not null check (limit_minor >= 0),
  -- Nothing is drawn any more; what is owed stays due.
  ended_at timestamptz,
  -- The day on which the oldest unpaid month was due, once it has passed.
  overdue_since date,
  -- Nothing new is set aside until what is overdue is paid.
  stopped_at timestamptz,
  updated_at timestamptz not null,
  check (stopped_at is null or overdue_since is not null)
);

create table credit_limit_changes (
  id uuid primary key,
  business_id uuid not null references businesses (id),
  before_minor bigint not null,
  limit_minor bigint not null check (limit_minor >= 0),
  currency text not null,
  reason text not null,
  set_by uuid not null references accounts (id),
  -- Null within what one operator may set alone.
  approved_by uuid references accounts (id) check (approved_by <> set_by),
  at timestamptz not null
);
create index credit_limit_changes_business on credit_limit_changes (business_id, id desc);
create index credit_limit_changes_setter on credit_limit_changes (set_by);
create index credit_limit_changes_approver on credit_limit_changes (approved_by) where approved_by is not null;

create or replace function ledger_is_account(id text) returns boolean language sql immutable as $$
  select right(id, 4) ~ '^:[A-Z]{3}$' and (left(id, -4) in ('provider_clearing', 'provider_fees', 'provider_funds', 'provider_bank', 'bank_unmatched',
      'platform_fees', 'platform_losses', 'platform_marketing', 'platform_credit')
    or id like '%:________-____-____-____-____________:___' and translate(split_part(id, ':', 2), '0123456789abcdef', '') = '----'
      and split_part(id, ':', 1) in ('business_balance', 'business_promo', 'business_credit', 'hold', 'hold_promo', 'worker_pending', 'worker_available',
        'worker_reserved'))
$$;

-- The functions of 0161 with `platform_credit` among the unlimited accounts.
do $$
declare
  name text;
  changed text;
begin
  foreach name in array array['ledger_apply()', 'ledger_fold()'] loop
    changed := regexp_replace(pg_get_functiondef(name::regprocedure), '(\S+) \^@ ''platform_marketing''',
      '\1 ^@ ''platform_marketing'' or \1 ^@ ''platform_credit''');
    if changed !~ 'platform_credit' then
      raise exception '% has no unlimited accounts', name;
    end if;
    execute changed;
  end loop;
end $$;

alter table second_approvals drop constraint second_approvals_kind_check;
alter table second_approvals add constraint second_approvals_kind_check
  check (kind in ('dispute', 'no_show', 'referral', 'payout_held', 'correction', 'goodwill', 'credit_limit'));
