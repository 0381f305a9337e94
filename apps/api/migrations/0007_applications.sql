create table applications (
  id uuid primary key,
  version integer not null default 1,
  job_id uuid not null references jobs (id),
  business_id uuid not null references businesses (id),
  worker_id uuid not null references accounts (id),
  status text not null check (status in (
    'submitted', 'viewed', 'shortlisted', 'interviewing', 'offered', 'hired',
    'withdrawn', 'rejected', 'offer_declined', 'offer_expired', 'offer_withdrawn', 'no_response', 'position_filled', 'job_closed')),
  cover_note text not null default '',
  answers jsonb not null default '[]',
  -- The questions as they were when they were answered: an answer must not change its meaning when the job is edited.
  questions jsonb not null default '[]',
  cv_file_id uuid references files (id),
  submitted_at timestamptz not null,
  viewed_at timestamptz,
  decide_by timestamptz not null,
  updated_at timestamptz not null
);
-- One application per worker and job, unless the earlier one was withdrawn (product.md: apply again only after withdrawing).
create unique index applications_one_each on applications (job_id, worker_id) where status <> 'withdrawn';
create index applications_job on applications (job_id, submitted_at desc, id desc);
create index applications_business on applications (business_id, submitted_at desc, id desc);
create index applications_worker on applications (worker_id, submitted_at desc, id desc);

create table application_moves (
  id uuid primary key,
  application_id uuid not null references applications (id) on delete cascade,
  actor text not null,
  action text not null,
  from_status text,
  to_status text not null,
  reason text,
  at timestamptz not null
);
create index application_moves_application on application_moves (application_id, at);
