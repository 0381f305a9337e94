-- Booked shifts that their worker hands on to a colleague or the waitlist (ADR 385).
alter table branches add column hand_ons text not null default 'approval' check (hand_ons in ('off', 'approval', 'free'));

alter table engagements drop constraint engagements_status_check;
alter table engagements add constraint engagements_status_check check (status in (
  'booked', 'confirmed', 'checked_in', 'checked_out', 'in_progress', 'submitted', 'counter_proposed', 'delivered', 'changes_requested',
  'approved', 'completed', 'disputed', 'cancelled_by_worker', 'cancelled_by_merchant', 'no_show_reported', 'contested', 'handed_on'));
-- A shift that was handed on no longer takes its first worker's time.
alter table engagements drop constraint engagements_no_overlap;
alter table engagements add constraint engagements_no_overlap
  exclude using gist (worker_id with =, tstzrange(starts_at, ends_at) with &&)
  where (starts_at is not null and contest is null
    and status not in ('cancelled_by_worker', 'cancelled_by_merchant', 'handed_on', 'no_show_reported', 'contested'));

create table hand_ons (
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
create unique index hand_ons_live on hand_ons (engagement_id) where status in ('open', 'waiting');
create index hand_ons_latest on hand_ons (engagement_id, created_at desc);
create index hand_ons_job on hand_ons (job_id);
create index hand_ons_business on hand_ons (business_id);
create index hand_ons_worker on hand_ons (worker_id);
create index hand_ons_taker on hand_ons (taker_id) where taker_id is not null;

create table hand_on_moves (
  id uuid primary key,
  hand_on_id uuid not null references hand_ons (id) on delete cascade,
  actor text not null,
  action text not null,
  from_status text,
  to_status text not null,
  at timestamptz not null
);
create index hand_on_moves_hand_on on hand_on_moves (hand_on_id, at);
