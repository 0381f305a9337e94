-- Reports to an authority about a case, for a suspected crime against life or safety (ADR 178). Another operator confirms each.
create table authority_reports (
  id uuid primary key,
  case_kind text not null check (case_kind in ('report', 'chat_report', 'frozen_chat', 'flagged_review', 'job_review')),
  case_subject uuid not null,
  authority text not null,
  reported_at timestamptz not null,
  reference text,
  -- What was passed on.
  facts text[] not null check (cardinality(facts) > 0),
  reason text not null,
  account_ids uuid[] not null,
  business_id uuid references businesses (id),
  recorded_by uuid not null references accounts (id),
  recorded_at timestamptz not null,
  state text not null check (state in ('waiting', 'confirmed', 'refused')),
  decided_by uuid references accounts (id),
  decided_at timestamptz,
  note text,
  constraint authority_reports_by_another check (decided_by <> recorded_by),
  check ((state = 'waiting') = (decided_at is null)),
  check ((decided_by is null) = (decided_at is null))
);
create index authority_reports_queue on authority_reports (recorded_at, id) where state = 'waiting';
create index authority_reports_case on authority_reports (case_subject, recorded_at);
create index authority_reports_recorder on authority_reports (recorded_by);
create index authority_reports_decider on authority_reports (decided_by) where decided_by is not null;
create index authority_reports_business on authority_reports (business_id) where business_id is not null;
create index authority_reports_accounts on authority_reports using gin (account_ids);
