-- What the automatic check of a job found, until an operator decides (ADR 178).
create table job_screenings (
  id uuid primary key,
  job_id uuid not null references jobs (id) on delete cascade,
  -- `[{ "rule", "evidence" }]`; those of an opened job are cleared for it.
  found jsonb not null,
  at timestamptz not null,
  outcome text check (outcome in ('opened', 'refused')),
  decided_by uuid references accounts (id),
  decided_at timestamptz,
  check (num_nonnulls(outcome, decided_by, decided_at) in (0, 3))
);
create unique index job_screenings_open on job_screenings (job_id) where outcome is null;
create index job_screenings_job on job_screenings (job_id);
create index job_screenings_decider on job_screenings (decided_by) where decided_by is not null;
create index jobs_in_review on jobs (id) where status = 'in_review';
