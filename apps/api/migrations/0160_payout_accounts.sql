-- What a worker's account at the provider can do and needs, where the provider keeps one; null where it does not (ADR 78).
-- account_due_by: payouts stop then unless the worker gave what is needed. account_reminded: 14 or 3, the days before it that were told.
alter table payout_identities
  add column account_status text check (account_status in ('in_progress', 'more_needed', 'active', 'restricted', 'closed')),
  add column account_needs text[] not null default '{}',
  add column account_due_by timestamptz,
  add column account_since timestamptz,
  add column account_reminded smallint,
  add column account_read_at timestamptz;
create index payout_identities_due on payout_identities (account_id) where account_status = 'more_needed';
create index payout_identities_paused on payout_identities (account_id) where account_status = 'restricted';
