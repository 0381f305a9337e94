-- Platform staff (ADR 86). Appointed and removed on the command line only; a removal stays as a row, and a later appointment is a new
-- one.
create table operators (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  -- Who did it, by the machine's user name.
  added_by text not null,
  added_at timestamptz not null,
  removed_by text,
  removed_at timestamptz
);
create unique index operators_one on operators (account_id) where removed_at is null;

-- Cases pending a decision.
create index disputes_with_operator on disputes (engagement_id) where status = 'with_operator';
create index engagements_contested on engagements (id) where status = 'contested';
