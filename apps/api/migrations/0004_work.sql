-- Work: engagements from the booking to approved hours, disputes, referrals.

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
    'approved', 'completed', 'disputed', 'cancelled_by_worker', 'cancelled_by_merchant', 'no_show_reported', 'contested', 'given_away')),
  terms jsonb not null,
  funding text not null check (funding in ('not_funded', 'planned', 'partly_funded', 'funded', 'frozen')),
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
  -- What the worker last said about coming late: minutes after the start, a note, or both (product.md, Running late).
  late_minutes smallint check (late_minutes in (15, 30, 60)),
  late_note text,
  late_at timestamptz,
  -- What counts for a worker's reliability, without its text.
  contested boolean not null generated always as (contest is not null) stored,
  check (ends_at > starts_at),
  constraint engagements_late check (
    case when late_at is null then late_minutes is null and late_note is null
      else late_minutes is not null or late_note is not null end),
  constraint engagements_no_overlap
    exclude using gist (worker_id with =, tstzrange(starts_at, ends_at) with &&)
    where (starts_at is not null and contest is null
      and status not in ('cancelled_by_worker', 'cancelled_by_merchant', 'given_away', 'no_show_reported', 'contested'))
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
-- How a business kept its work is counted index-only too, and its newest approvals and who got them are found without its other work (ADR 45).
create index engagements_kept on engagements (business_id, approved_at, id) include (amount_minor, worker_id) where status = 'completed';
create index engagements_dropped on engagements (business_id, updated_at) where status = 'cancelled_by_merchant' and cancelled_late;
create index engagements_contested on engagements (id) where status = 'contested';
-- The reported no-shows of a business, for a case about another one.
create index engagements_no_shows on engagements (business_id, no_show_at desc, id) where no_show_at is not null;
create index engagements_pair on engagements (job_id, worker_id, created_at desc);
create index engagements_reliability on engagements (worker_id)
  include (status, approved_at, amount_minor, cancelled_late, updated_at, no_show_at, contested, checked_in_at, starts_at)
  where status in ('completed', 'cancelled_by_worker', 'no_show_reported');
-- Work that is due or late, without visiting other booked work or work in other states.
create index engagements_business_booked on engagements (business_id, sort_at, id, coalesce(starts_at, 'infinity'))
  where status in ('booked', 'confirmed');

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

create table attendance_events (
  id uuid primary key,
  engagement_id uuid not null references engagements (id) on delete cascade,
  kind text not null check (kind in ('check_in', 'break_start', 'break_end', 'check_out')),
  -- When it happened by the server's clock, and when the server received it.
  at timestamptz not null,
  received_at timestamptz not null,
  device_at timestamptz not null,
  how text not null check (how in ('position', 'code', 'kiosk', 'none', 'manager')),
  lat double precision,
  lng double precision,
  accuracy_m integer,
  distance_m integer,
  flags text[] not null default '{}',
  reason text,
  contest text,
  contested_at timestamptz,
  constraint attendance_events_reason check ((how = 'manager') = (reason is not null)),
  constraint attendance_events_contest check (
    (contest is null) = (contested_at is null) and (contest is null or how = 'manager'))
);
create index attendance_events_engagement on attendance_events (engagement_id, at, id);

-- Wrong codes, so that six digits can't be guessed.
create table site_code_attempts (
  engagement_id uuid not null references engagements (id) on delete cascade,
  at timestamptz not null,
  -- Wrong PINs at a tablet count apart from wrong codes on a phone, so that one doesn't block the other (ADR 42).
  on_kiosk boolean not null default false
);
create index site_code_attempts_engagement on site_code_attempts (engagement_id, at);

create table hours_claims (
  id uuid primary key,
  engagement_id uuid not null references engagements (id) on delete cascade,
  round integer not null,
  by_side text not null check (by_side in ('worker', 'business', 'timer')),
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  break_minutes integer not null check (break_minutes >= 0),
  paid_minutes integer not null check (paid_minutes >= 0),
  amount_minor bigint not null check (amount_minor >= 0),
  note text not null default '',
  flags text[] not null default '{}',
  at timestamptz not null,
  check (ends_at > starts_at)
);
create index hours_claims_engagement on hours_claims (engagement_id, at, id);

-- The rules by which businesses approve hours near the plan automatically (ADR 43): the last row of each is in force,
-- and earlier ones say who set what. Null minutes turn the rule off.
create table approval_rules (
  id uuid primary key,
  business_id uuid not null references businesses (id),
  minutes integer check (minutes between 0 and 30),
  set_by uuid not null references accounts (id),
  set_at timestamptz not null
);
create index approval_rules_business on approval_rules (business_id, id desc);
create index approval_rules_setter on approval_rules (set_by);

create table deliveries (
  id uuid primary key,
  engagement_id uuid not null references engagements (id) on delete cascade,
  round integer not null,
  note text not null default '',
  changes_note text,
  changes_at timestamptz,
  at timestamptz not null,
  unique (engagement_id, round)
);

create table delivery_files (
  delivery_id uuid not null references deliveries (id) on delete cascade,
  file_id uuid not null references files (id),
  position integer not null,
  primary key (delivery_id, file_id)
);
create index delivery_files_file on delivery_files (file_id);

create table disputes (
  id uuid primary key,
  version integer not null default 1,
  engagement_id uuid not null unique references engagements (id),
  status text not null check (status in ('open', 'answered', 'proposed', 'with_operator', 'settled')),
  filed_by text not null check (filed_by in ('worker', 'business', 'timer')),
  why text not null check (why in ('filed', 'rounds', 'no-check-in', 'beyond-plan', 'counter')),
  reason text not null,
  worker_amount_minor bigint check (worker_amount_minor >= 0),
  business_amount_minor bigint check (business_amount_minor >= 0),
  proposal_by text check (proposal_by in ('worker', 'business')),
  proposal_amount_minor bigint check (proposal_amount_minor >= 0),
  proposal_note text,
  proposal_at timestamptz,
  due_at timestamptz,
  stop_at timestamptz not null,
  settled_minor bigint check (settled_minor >= 0),
  created_at timestamptz not null,
  updated_at timestamptz not null
);
-- Cases pending a decision.
create index disputes_with_operator on disputes (engagement_id) where status = 'with_operator';
create index disputes_created on disputes (created_at);

create table dispute_steps (
  id uuid primary key,
  dispute_id uuid not null references disputes (id) on delete cascade,
  actor text not null,
  side text not null check (side in ('worker', 'business', 'timer', 'operator')),
  action text not null,
  -- Null for the step that opened it.
  from_status text,
  to_status text not null,
  amount_minor bigint,
  reason text,
  at timestamptz not null
);
create index dispute_steps_dispute on dispute_steps (dispute_id, at);
-- Disputes that ended while they were with an operator, but not by one.
create index dispute_steps_ended on dispute_steps (at desc)
  where to_status = 'settled' and from_status = 'with_operator' and side <> 'operator';

-- Who joined by whose code (ADR 155).
create table referrals (
  id uuid primary key,
  invited_id uuid not null unique references accounts (id),
  inviter_id uuid not null references accounts (id) check (inviter_id <> invited_id),
  status text not null check (status in ('joined', 'qualified', 'checking', 'rewarded', 'unpaid')),
  -- Why nothing was paid to the inviter.
  unpaid_reason text check (unpaid_reason in ('limit', 'refused', 'paused')),
  -- What makes it a case for an operator.
  flags text[] not null default '{}',
  -- Signed hash of the device that joined; identifies nobody.
  device_hash bytea,
  joined_at timestamptz not null,
  -- The latest of the work whose pay earned the reward: as its worker, or as an owner of its business.
  side text check (side in ('worker', 'business')),
  engagement_id uuid references engagements (id),
  currency text,
  qualified_at timestamptz,
  decided_at timestamptz,
  decided_by uuid references accounts (id),
  decision_note text
);
create index referrals_inviter on referrals (inviter_id, joined_at desc, id desc);
create index referrals_rewarded on referrals (inviter_id, decided_at) where status = 'rewarded';
create index referrals_to_check on referrals (qualified_at, id) where status = 'checking';
create index referrals_waiting on referrals (invited_id) where status = 'joined';
create index referrals_engagement on referrals (engagement_id) where engagement_id is not null;
create index referrals_decider on referrals (decided_by) where decided_by is not null;

-- What was paid for a referral: to each side once.
create table referral_rewards (
  id uuid primary key,
  referral_id uuid not null references referrals (id),
  side text not null check (side in ('inviter', 'invited')),
  account_id uuid not null references accounts (id),
  -- Paid to the balance of this business instead of the account's own.
  business_id uuid references businesses (id),
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  entry_id uuid not null,
  at timestamptz not null,
  -- When an operator's correction took a reward back (ADR 192).
  reversed_at timestamptz,
  unique (referral_id, side)
);
create index referral_rewards_account on referral_rewards (account_id, side);
create index referral_rewards_recent on referral_rewards (at);
create index referral_rewards_business on referral_rewards (business_id) where business_id is not null;

-- Photos and PDFs that a side adds to a step of a pay dispute (ADR 44).
create table dispute_files (
  step_id uuid not null references dispute_steps (id) on delete cascade,
  file_id uuid not null references files (id),
  position integer not null,
  primary key (step_id, file_id)
);
create index dispute_files_file on dispute_files (file_id);

-- Check-ins that were refused as too far away, which a contested no-show is decided by. Without the position itself.
create table check_in_attempts (
  id uuid primary key,
  engagement_id uuid not null references engagements (id) on delete cascade,
  at timestamptz not null,
  received_at timestamptz not null,
  distance_m integer not null,
  accuracy_m integer not null,
  allowed_m integer not null
);
create index check_in_attempts_engagement on check_in_attempts (engagement_id, at, id);

-- Changes of time, place or pay that a business proposes to the worker of a booked shift (ADR 389).
create table shift_changes (
  id uuid primary key,
  engagement_id uuid not null references engagements (id) on delete cascade,
  job_id uuid not null references jobs (id),
  business_id uuid not null references businesses (id),
  worker_id uuid not null references accounts (id),
  -- The edit of the job that proposed it, whose changes can be answered together.
  edit text not null,
  status text not null check (status in ('open', 'accepted', 'declined', 'cancelled', 'expired', 'withdrawn')),
  -- The agreed terms at that time, and the proposed ones.
  before jsonb not null,
  after jsonb not null,
  answer_by timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index shift_changes_open on shift_changes (engagement_id) where status = 'open';
create index shift_changes_latest on shift_changes (engagement_id, created_at desc);
create index shift_changes_job on shift_changes (job_id);
create index shift_changes_business on shift_changes (business_id);
create index shift_changes_worker on shift_changes (worker_id, edit);

-- Tablets at the door of a branch, where workers without a phone check in by a PIN (ADR 42). The code that pairs
-- one is stored as a signature, and forgotten once the paired tablet was heard of.
create table kiosks (
  id uuid primary key,
  business_id uuid not null references businesses (id),
  branch_id uuid not null references branches (id) on delete cascade,
  name text not null,
  pairing_code text unique,
  pairing_until timestamptz not null,
  paired_at timestamptz,
  seen_at timestamptz,
  created_at timestamptz not null
);
create index kiosks_branch on kiosks (branch_id);
create index kiosks_business on kiosks (business_id);

-- A worker's request for a day off one date of a series, which silence grants (ADR 406).
create table days_off (
  id uuid primary key,
  engagement_id uuid not null references engagements (id) on delete cascade,
  job_id uuid not null references jobs (id),
  business_id uuid not null references businesses (id),
  worker_id uuid not null references accounts (id),
  status text not null check (status in ('open', 'granted', 'refused', 'withdrawn')),
  reason text not null,
  answer_by timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index days_off_once on days_off (engagement_id) where status <> 'withdrawn';
create index days_off_latest on days_off (engagement_id, created_at desc);
create index days_off_job on days_off (job_id);
create index days_off_business on days_off (business_id);
create index days_off_worker on days_off (worker_id);
