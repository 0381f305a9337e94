-- The key of what is kept for good, such as the ledger's digests: once for each SECRET that opens it, encrypted with that one (ADR 12).
create table lasting_keys (
  secret_id text primary key check (secret_id ~ '^[0-9a-f]{16}$'),
  sealed bytea not null
);
