-- The secret address of a person's calendar feed; only its hash is stored.
create table calendar_feeds (
  account_id uuid primary key references accounts (id) on delete cascade,
  secret_hash text not null unique,
  since timestamptz not null
);
