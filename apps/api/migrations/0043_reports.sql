-- Everything reported about one subject until it is decided.
create table report_cases (
  id uuid primary key,
  kind text not null check (kind in ('job', 'business', 'worker')),
  job_id uuid references jobs (id),
  business_id uuid references businesses (id),
  worker_id uuid references accounts (id),
  status text not null check (status in ('open', 'actioned', 'dismissed')),
  opened_at timestamptz not null,
  due_at timestamptz not null,
  -- What its reporters read.
  answer text,
  decided_by uuid references accounts (id),
  decided_at timestamptz,
  check (num_nonnulls(job_id, business_id, worker_id) = 1),
  check ((status = 'open') = (decided_at is null)),
  check (num_nonnulls(answer, decided_by, decided_at) in (0, 3))
);
create unique index report_cases_open on report_cases (coalesce(job_id, business_id, worker_id)) where status = 'open';
create index report_cases_queue on report_cases (opened_at, id) where status = 'open';
create index report_cases_job on report_cases (job_id) where job_id is not null;
create index report_cases_business on report_cases (business_id) where business_id is not null;
create index report_cases_worker on report_cases (worker_id) where worker_id is not null;
create index report_cases_decider on report_cases (decided_by) where decided_by is not null;

create table reports (
  id uuid primary key,
  case_id uuid not null references report_cases (id),
  account_id uuid not null references accounts (id),
  reason text not null,
  note text not null,
  at timestamptz not null,
  unique (case_id, account_id)
);
create index reports_account on reports (account_id, at desc, id desc);

create table report_files (
  file_id uuid primary key references files (id),
  report_id uuid not null references reports (id) on delete cascade,
  place smallint not null
);
create index report_files_of on report_files (report_id, place);

-- A decision with its statement of reasons, addressed to a person or a business (ADR 179).
create table sanctions (
  id uuid primary key,
  measure text not null check (measure in ('warning', 'hidden', 'suspension')),
  account_id uuid references accounts (id),
  business_id uuid references businesses (id),
  -- The job that it is about; its title stays when a draft is deleted.
  job_id uuid references jobs (id) on delete set null,
  job_title text,
  scope text check (scope in ('applying', 'hiring', 'chat', 'everything')),
  rule text not null,
  facts text not null,
  source text not null check (source in ('report', 'screening', 'staff')),
  case_id uuid references report_cases (id),
  decided_by uuid not null references accounts (id),
  decided_at timestamptz not null,
  ends_at timestamptz,
  ended_at timestamptz,
  ending text check (ending in ('expired', 'lifted', 'overturned')),
  end_reason text,
  check (num_nonnulls(account_id, business_id) = 1),
  check ((measure = 'suspension') = (scope is not null)),
  check (measure = 'suspension' or ends_at is null),
  check (business_id is null or scope is null or scope = 'hiring'),
  check ((ended_at is null) = (ending is null)),
  -- An appeal refers to both, to be decided by someone else.
  unique (id, decided_by)
);
create index sanctions_account on sanctions (account_id, decided_at desc, id desc) where account_id is not null;
create index sanctions_business on sanctions (business_id, decided_at desc, id desc) where business_id is not null;
create index sanctions_job on sanctions (job_id) where job_id is not null;
create index sanctions_case on sanctions (case_id) where case_id is not null;
create index sanctions_decider on sanctions (decided_by);
create index sanctions_suspended on sanctions (account_id) where scope is not null and ended_at is null;

create table appeals (
  id uuid primary key,
  sanction_id uuid not null unique,
  sanction_by uuid not null,
  account_id uuid not null references accounts (id),
  words text not null,
  at timestamptz not null,
  due_at timestamptz not null,
  escalated_at timestamptz,
  outcome text check (outcome in ('upheld', 'overturned')),
  reason text,
  decided_by uuid references accounts (id),
  decided_at timestamptz,
  foreign key (sanction_id, sanction_by) references sanctions (id, decided_by),
  constraint appeals_by_another check (decided_by <> sanction_by),
  check (num_nonnulls(outcome, reason, decided_by, decided_at) in (0, 4))
);
create index appeals_queue on appeals (due_at, id) where outcome is null;
create index appeals_account on appeals (account_id);
create index appeals_decider on appeals (decided_by) where decided_by is not null;

alter table files drop constraint files_purpose_check;
alter table files add constraint files_purpose_check check (purpose in ('photo', 'logo', 'cv', 'work', 'chat', 'ticket', 'report', 'business'));
