create table engagements (
  id uuid primary key,
  version integer not null default 1,
  offer_id uuid not null unique references offers (id),
  application_id uuid not null unique references applications (id),
  job_id uuid not null references jobs (id),
  business_id uuid not null references businesses (id),
  worker_id uuid not null references accounts (id),
  kind text not null check (kind in ('shift', 'task')),
  status text not null check (status in (
    'booked', 'confirmed', 'checked_in', 'checked_out', 'in_progress', 'submitted', 'counter_proposed', 'delivered', 'changes_requested',
    'approved', 'completed', 'disputed', 'cancelled_by_worker', 'cancelled_by_merchant', 'no_show_reported', 'contested')),
  terms jsonb not null,
  funding text not null check (funding in ('not_funded', 'partly_funded', 'funded', 'frozen')),
  -- Copied from the terms for sorting and timers. Null for a task.
  starts_at timestamptz,
  ends_at timestamptz,
  -- The planned end of the work: of the shift, or of a task's due date; null for a task without one.
  work_ends_at timestamptz,
  confirmed_at timestamptz,
  checked_in_at timestamptz,
  checked_out_at timestamptz,
  on_break_since timestamptz,
  -- The pay so far in minor units: claimed, then approved.
  amount_minor bigint not null check (amount_minor >= 0),
  approved_at timestamptz,
  -- The next automatic step; its task checks whether it still applies.
  next_what text,
  next_at timestamptz,
  -- The pay that the step settles, or pays at once if a dispute opens; null for other steps.
  next_minor bigint,
  cancelled_late boolean,
  compensation_minor bigint,
  no_show_at timestamptz,
  contest text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Sort key of lists: a shift's start, a task's due date, or the booking time.
  sort_at timestamptz not null generated always as (coalesce(starts_at, work_ends_at, created_at)) stored,
  check (ends_at > starts_at),
  -- A worker never has two overlapping engagements (product.md, Engagement). A reported no-show frees the worker for other work, even
  -- while contested; an operator who decides that they worked settles pay only (ADR 86).
  constraint engagements_no_overlap exclude using gist (worker_id with =, tstzrange(starts_at, ends_at) with &&)
    where (starts_at is not null and contest is null and status not in ('cancelled_by_worker', 'cancelled_by_merchant', 'no_show_reported', 'contested'))
);
create index engagements_worker on engagements (worker_id, sort_at, id);
-- How often a worker has worked for a business, needed by each match (ADR 143).
create index engagements_together on engagements (worker_id, business_id) where status in ('approved', 'completed');
create index engagements_business on engagements (business_id, sort_at, id);
create index engagements_groups on engagements (business_id, status, starts_at);
-- Upcoming, late, current and pending work, without scanning past work.
create index engagements_business_live on engagements (business_id, sort_at, id) where status in (
  'booked', 'confirmed', 'checked_in', 'checked_out', 'in_progress', 'submitted', 'delivered', 'counter_proposed', 'changes_requested',
  'disputed', 'contested');
create index engagements_job on engagements (job_id, status);

create table engagement_moves (
  id uuid primary key,
  engagement_id uuid not null references engagements (id) on delete cascade,
  actor text not null,
  side text not null check (side in ('worker', 'business', 'timer', 'operator')),
  action text not null,
  from_status text,
  to_status text not null,
  reason text,
  at timestamptz not null
);
create index engagement_moves_engagement on engagement_moves (engagement_id, at);
