-- Booked shifts that their worker gives away to a colleague or the waitlist (ADR 385).
alter table branches add column giveaways text not null default 'approval' check (giveaways in ('off', 'approval', 'free'));

alter table engagements drop constraint engagements_status_check;
alter table engagements add constraint engagements_status_check check (status in (
  'booked', 'confirmed', 'checked_in', 'checked_out', 'in_progress', 'submitted', 'counter_proposed', 'delivered', 'changes_requested',
  'approved', 'completed', 'disputed', 'cancelled_by_worker', 'cancelled_by_merchant', 'no_show_reported', 'contested', 'given_away'));
-- A shift that was given away no longer takes its first worker's time.
alter table engagements drop constraint engagements_no_overlap;
alter table engagements add constraint engagements_no_overlap
  exclude using gist (worker_id with =, tstzrange(starts_at, ends_at) with &&)
  where (starts_at is not null and contest is null
    and status not in ('cancelled_by_worker', 'cancelled_by_merchant', 'given_away', 'no_show_reported', 'contested'));

create table giveaways (
  id uuid primary key,
  version integer not null default 1,
  engagement_id uuid not null references engagements (id) on delete cascade,
  job_id uuid not null references jobs (id),
  business_id uuid not null references businesses (id),
  worker_id uuid not null references accounts (id),
  audience text not null check (audience in ('colleagues', 'waitlist')),
  -- The rule of the branch when the shift was offered.
  needs_approval boolean not null,
  status text not null check (status in ('open', 'waiting', 'done', 'refused', 'expired', 'withdrawn')),
  taker_id uuid references accounts (id),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (taker_id is not null or status not in ('waiting', 'done')),
  check (taker_id is distinct from worker_id)
);
create unique index giveaways_live on giveaways (engagement_id) where status in ('open', 'waiting');
create index giveaways_latest on giveaways (engagement_id, created_at desc);
create index giveaways_job on giveaways (job_id);
create index giveaways_business on giveaways (business_id);
create index giveaways_worker on giveaways (worker_id);
create index giveaways_taker on giveaways (taker_id) where taker_id is not null;

create table giveaway_moves (
  id uuid primary key,
  giveaway_id uuid not null references giveaways (id) on delete cascade,
  actor text not null,
  action text not null,
  from_status text,
  to_status text not null,
  at timestamptz not null
);
create index giveaway_moves_giveaway on giveaway_moves (giveaway_id, at);
