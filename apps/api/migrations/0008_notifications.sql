create table notifications (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  topic text not null,
  data jsonb not null,
  path text not null,
  dedupe_key text not null,
  created_at timestamptz not null,
  read_at timestamptz,
  unique (account_id, dedupe_key)
);
create index notifications_inbox on notifications (account_id, created_at desc, id desc);
create index notifications_unread on notifications (account_id) where read_at is null;
