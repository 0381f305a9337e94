-- The platform's own tables: responses by idempotency key, and development mail.

create table idempotency_keys (
  account_id uuid not null,
  key text not null,
  operation text not null,
  request_hash bytea not null,
  response json not null,
  created_at timestamptz not null,
  primary key (account_id, key)
);
create index idempotency_keys_created on idempotency_keys (created_at);

create table mailbox_messages (
  id uuid primary key,
  recipient text not null,
  subject text not null,
  text text not null,
  html text not null,
  dedupe_key text not null unique,
  created_at timestamptz not null
);
