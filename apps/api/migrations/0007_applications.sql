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
  -- The questions as answered: editing the job must not change an answer's meaning.
  questions jsonb not null default '[]',
  cv_file_id uuid references files (id),
  submitted_at timestamptz not null,
  viewed_at timestamptz,
  decide_by timestamptz not null,
  -- The pipeline lane of the status.
  stage text not null generated always as (case
    when status in ('submitted', 'viewed') then 'new'
    when status in ('shortlisted', 'interviewing', 'offered', 'hired') then status
    else 'ended' end) stored,
  -- How well the worker matches the job, 0 to 100, with reasons; recalculated when its inputs change (ADR 34).
  match_score smallint not null default 0 check (match_score between 0 and 100),
  match_reasons jsonb not null default '[]',
  distance_m integer,
  waitlisted_at timestamptz,
  updated_at timestamptz not null,
  check (waitlisted_at is null or status = 'position_filled')
);
-- One application per worker and job, unless the earlier one was withdrawn (product.md: apply again only after withdrawing).
create unique index applications_one_each on applications (job_id, worker_id) where status <> 'withdrawn';
create index applications_job on applications (job_id, submitted_at desc, id desc);
create index applications_business on applications (business_id, submitted_at desc, id desc);
-- Lanes in display order. A job's lanes are counted index-only, with the first deadline (ADR 34).
create index applications_job_stage on applications (job_id, stage, match_score desc, id desc) include (decide_by);
create index applications_business_stage on applications (business_id, stage, match_score desc, id desc) include (decide_by);
-- What a business has not viewed yet, counted on every view of the business.
create index applications_unseen on applications (business_id) where status = 'submitted';
create index applications_waitlist on applications (job_id, waitlisted_at, id) where waitlisted_at is not null;
create index applications_worker on applications (worker_id, submitted_at desc, id desc);
-- Who may read a CV is checked on each read, and what references a file for each one that is purged.
create index applications_cv on applications (cv_file_id) where cv_file_id is not null;

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
