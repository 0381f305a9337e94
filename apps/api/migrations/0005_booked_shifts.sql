-- Hiring again for booked work: giveaways and replacements refer to engagements.

create table giveaways (
  id uuid primary key,
  version integer not null default 1,
  engagement_id uuid not null references engagements (id) on delete cascade,
  job_id uuid not null references jobs (id),
  business_id uuid not null references businesses (id),
  worker_id uuid not null references accounts (id),
  audience text not null check (audience in ('colleagues', 'waitlist', 'colleague')),
  -- The rule of the branch when the shift was offered.
  needs_approval boolean not null,
  status text not null check (status in ('open', 'waiting', 'done', 'refused', 'expired', 'withdrawn')),
  taker_id uuid references accounts (id),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- A shift offered to one colleague by name, alone or in exchange for a booked shift of theirs (ADR 385).
  colleague_id uuid references accounts (id),
  swap_engagement_id uuid references engagements (id) on delete cascade,
  check (taker_id is not null or status not in ('waiting', 'done')),
  check (taker_id is distinct from worker_id),
  constraint giveaways_colleague_check check ((audience = 'colleague') = (colleague_id is not null)),
  constraint giveaways_swap_check check (swap_engagement_id is null or colleague_id is not null)
);
create unique index giveaways_live on giveaways (engagement_id) where status in ('open', 'waiting');
create index giveaways_latest on giveaways (engagement_id, created_at desc);
create index giveaways_job on giveaways (job_id);
create index giveaways_business on giveaways (business_id);
create index giveaways_worker on giveaways (worker_id);
create index giveaways_taker on giveaways (taker_id) where taker_id is not null;
create index giveaways_colleague on giveaways (colleague_id) where colleague_id is not null;
create index giveaways_swap on giveaways (swap_engagement_id) where swap_engagement_id is not null;
-- The newest open giveaways of a business, without sorting all of them.
create index giveaways_business_open on giveaways (business_id, created_at desc) where status in ('open', 'waiting');

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

-- The search for someone else after a booking ended without its work: on the same job, or after the start on a
-- copy for the rest of the shift. A hidden search shows its job to invited people only (ADR 385).
create table replacements (
  engagement_id uuid primary key references engagements (id),
  business_id uuid not null references businesses (id),
  job_id uuid not null references jobs (id),
  hidden boolean not null,
  public_at timestamptz not null,
  public_after_minutes integer not null,
  created_at timestamptz not null
);
create index replacements_business on replacements (business_id, created_at desc);
create index replacements_job on replacements (job_id);
