-- What operators decided, since a case is only a query of what is open (docs/architecture.md, Cases). Written with the decision.
create table closed_cases (
  id uuid primary key,
  kind text not null,
  subject_id uuid not null,
  title text not null,
  tag text,
  business_id uuid references businesses (id),
  account_ids uuid[] not null,
  opened_at timestamptz not null,
  decision text not null,
  reason text not null,
  decided_by uuid not null references accounts (id),
  decided_at timestamptz not null
);
create index closed_cases_newest on closed_cases (decided_at desc, id desc);
create index closed_cases_subject on closed_cases (kind, subject_id, decided_at desc);
create index closed_cases_accounts on closed_cases using gin (account_ids);
create index closed_cases_business on closed_cases (business_id) where business_id is not null;
create index closed_cases_decider on closed_cases (decided_by);
