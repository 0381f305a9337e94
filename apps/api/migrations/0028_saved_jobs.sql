-- Jobs that someone saved to come back to.
create table saved_jobs (
  account_id uuid not null references accounts (id),
  job_id uuid not null references jobs (id) on delete cascade,
  saved_at timestamptz not null,
  primary key (account_id, job_id)
);
create index saved_jobs_newest on saved_jobs (account_id, saved_at desc, job_id desc);
create index saved_jobs_job on saved_jobs (job_id, account_id);
