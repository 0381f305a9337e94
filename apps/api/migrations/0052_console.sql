-- Search of the operators (ADR 175), by trigrams like people's names (ADR 135). People are found by `accounts_name` and their email.
create index businesses_name on businesses using gin (folded_name(name || ' ' || legal_name) gin_trgm_ops);
create index businesses_registration on businesses (registration_number) where registration_number <> '';
create index businesses_email on businesses (lower(email)) where email is not null;
create index jobs_title on jobs using gin (folded_name(title) gin_trgm_ops);

-- The last run of each daily check of the books and of the operators' log; the server's log has all of them.
create table audits (
  name text primary key check (name in ('ledger', 'operators-log', 'statements')),
  at timestamptz not null,
  checked bigint,
  findings integer not null check (findings >= 0),
  first text[] not null
);
