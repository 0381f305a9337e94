-- Who new cases of a kind, a language or both are for (ADR 175). The most exact rule counts, a kind before a language.
create table case_assignments (
  id uuid primary key,
  kind text,
  language text,
  account_id uuid not null references accounts (id),
  created_at timestamptz not null,
  check (num_nonnulls(kind, language) > 0),
  unique nulls not distinct (kind, language)
);
create index case_assignments_account on case_assignments (account_id);
