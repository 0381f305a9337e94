create table interviews (
  id uuid primary key,
  version integer not null default 1,
  application_id uuid not null references applications (id),
  job_id uuid not null references jobs (id),
  business_id uuid not null references businesses (id),
  worker_id uuid not null references accounts (id),
  status text not null check (status in (
    'proposed', 'scheduled', 'reschedule_requested', 'completed', 'cancelled', 'lapsed', 'no_show_worker', 'no_show_merchant')),
  mode text not null check (mode in ('in_person', 'phone', 'video')),
  where_text text not null,
  minutes integer not null check (minutes between 10 and 240),
  message text not null default '',
  starts_at timestamptz,
  -- The first proposed time.
  first_at timestamptz,
  -- Sort key of lists: the scheduled time, otherwise the first proposed one.
  sort_at timestamptz not null generated always as (coalesce(starts_at, first_at, created_at)) stored,
  -- The zone of the worker's device at their last answer.
  worker_zone text,
  answer_by timestamptz,
  reschedules integer not null default 0,
  reschedule_by text check (reschedule_by in ('worker', 'business')),
  reschedule_reason text,
  outcome text check (outcome in ('advance', 'undecided', 'decline')),
  notes text not null default '',
  no_show_at timestamptz,
  contest text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((status = 'reschedule_requested') = (reschedule_by is not null)),
  check (status not in ('scheduled', 'reschedule_requested', 'completed', 'no_show_worker', 'no_show_merchant') or starts_at is not null)
);
create unique index interviews_one_live on interviews (application_id) where status in ('proposed', 'scheduled', 'reschedule_requested');
create index interviews_application on interviews (application_id, created_at desc);
create index interviews_job on interviews (job_id);
create index interviews_worker on interviews (worker_id, sort_at, id);
create index interviews_business on interviews (business_id, sort_at, id);
-- Pending or upcoming interviews, without scanning past ones.
create index interviews_business_live on interviews (business_id, sort_at, id) where status in ('proposed', 'scheduled', 'reschedule_requested');

-- The proposed times; a new round replaces them.
create table interview_slots (
  id uuid primary key,
  interview_id uuid not null references interviews (id) on delete cascade,
  starts_at timestamptz not null,
  unique (interview_id, starts_at)
);

create table interview_moves (
  id uuid primary key,
  interview_id uuid not null references interviews (id) on delete cascade,
  actor text not null,
  side text not null check (side in ('worker', 'business', 'timer', 'operator')),
  action text not null,
  from_status text,
  to_status text not null,
  reason text,
  at timestamptz not null
);
create index interview_moves_interview on interview_moves (interview_id, at);
