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

create table dispute_steps (
  id uuid primary key,
  dispute_id uuid not null references disputes (id) on delete cascade,
  actor text not null,
  side text not null check (side in ('worker', 'business', 'timer', 'operator')),
  action text not null,
  to_status text not null,
  amount_minor bigint,
  reason text,
  at timestamptz not null
);
create index dispute_steps_dispute on dispute_steps (dispute_id, at);
