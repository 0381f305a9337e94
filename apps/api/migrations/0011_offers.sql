create table offers (
  id uuid primary key,
  version integer not null default 1,
  application_id uuid not null references applications (id),
  job_id uuid not null references jobs (id),
  business_id uuid not null references businesses (id),
  worker_id uuid not null references accounts (id),
  status text not null check (status in ('funding', 'sent', 'accepted', 'declined', 'expired', 'withdrawn')),
  source text not null check (source in ('merchant', 'waitlist', 'instant')),
  -- The terms as in `contract/terms.ts`: frozen, never updated.
  terms jsonb not null,
  funding text not null check (funding in ('not_funded', 'partly_funded', 'funded', 'frozen')),
  message text not null default '',
  sent_at timestamptz,
  expires_at timestamptz not null,
  decided_at timestamptz,
  reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index offers_one_live on offers (application_id) where status in ('funding', 'sent');
create index offers_application on offers (application_id, created_at desc);
create index offers_worker on offers (worker_id, created_at desc, id desc);
create index offers_job on offers (job_id, status);

create table offer_moves (
  id uuid primary key,
  offer_id uuid not null references offers (id) on delete cascade,
  actor text not null,
  side text not null check (side in ('worker', 'business', 'timer', 'operator')),
  action text not null,
  from_status text,
  to_status text not null,
  reason text,
  at timestamptz not null
);
create index offer_moves_offer on offer_moves (offer_id, at);
