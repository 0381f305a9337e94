-- Businesses whose new jobs someone wants to hear of.
create table business_follows (
  account_id uuid not null references accounts (id),
  business_id uuid not null references businesses (id),
  followed_at timestamptz not null,
  primary key (account_id, business_id)
);
create index business_follows_newest on business_follows (account_id, followed_at desc, business_id desc);
create index business_follows_business on business_follows (business_id, account_id);

-- Searches that someone saved, with the meaning of nearby.search.
create table saved_searches (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  name text not null,
  place text not null,
  lat double precision not null check (lat between -90 and 90),
  lng double precision not null check (lng between -180 and 180),
  radius_km double precision not null check (radius_km > 0),
  -- The point and radius as nearby search passes them, so that both compare the same numbers (ADR 151).
  pos cube not null,
  chord double precision not null,
  category text,
  kind text check (kind in ('shift', 'task')),
  min_pay integer check (min_pay > 0),
  currency text,
  from_day date,
  to_day date,
  -- As typed, and as the query it becomes.
  typed text,
  words tsquery,
  alert text not null check (alert in ('at_once', 'daily', 'weekly', 'off')),
  -- Jobs that opened before are not new to it.
  alerts_since timestamptz not null,
  saved_at timestamptz not null,
  -- Kept for a day, so that the removal can be undone.
  removed_at timestamptz
);
create index saved_searches_account on saved_searches (account_id, saved_at desc, id desc);
create index saved_searches_removed on saved_searches (removed_at) where removed_at is not null;

-- The squares (geo_square) that the circle of a search with alerts touches; '' is any category. A new job reads its square twice.
create table saved_search_squares (
  square text not null,
  category text not null,
  search_id uuid not null references saved_searches (id) on delete cascade,
  primary key (square, category, search_id)
);
create index saved_search_squares_search on saved_search_squares (search_id);

-- One row per person and job, whichever search or followed business (search_id null) found it: nobody is notified of a job twice.
create table job_alerts (
  account_id uuid not null references accounts (id),
  job_id uuid not null references jobs (id) on delete cascade,
  search_id uuid references saved_searches (id) on delete set null,
  by_follow boolean not null,
  due_at timestamptz not null,
  done_at timestamptz,
  primary key (account_id, job_id)
);
create index job_alerts_due on job_alerts (due_at, account_id) where done_at is null;
create index job_alerts_job on job_alerts (job_id);
create index job_alerts_search on job_alerts (search_id) where search_id is not null;
