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
