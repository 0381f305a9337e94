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
