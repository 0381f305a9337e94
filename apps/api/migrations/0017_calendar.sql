-- The secret address under which a calendar program reads a person's events; only its hash is kept.
create table calendar_feeds (
  account_id uuid primary key references accounts (id) on delete cascade,
  secret_hash text not null unique,
  since timestamptz not null
);
