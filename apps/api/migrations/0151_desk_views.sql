-- How late a case was decided, for the figures of the queue. Not known for what was decided before.
alter table closed_cases add column deadline timestamptz;

-- Filters of the queue that an operator saved under a name.
create table case_views (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  name text not null,
  filters jsonb not null,
  created_at timestamptz not null
);
create unique index case_views_name on case_views (account_id, lower(name));
