-- Workers that a business saved in its pools. Their tags and notes belong to the business and outlive a pool (ADR 166).
create table pools (
  id uuid primary key,
  business_id uuid not null references businesses (id),
  name text not null,
  created_by uuid not null references accounts (id),
  created_at timestamptz not null
);
create unique index pools_name on pools (business_id, lower(name));

create table saved_workers (
  business_id uuid not null references businesses (id),
  worker_id uuid not null references accounts (id),
  saved_at timestamptz not null,
  primary key (business_id, worker_id)
);
create index saved_workers_newest on saved_workers (business_id, saved_at desc, worker_id desc);

create table pool_workers (
  pool_id uuid not null references pools (id) on delete cascade,
  business_id uuid not null,
  worker_id uuid not null,
  added_at timestamptz not null,
  primary key (pool_id, worker_id),
  foreign key (business_id, worker_id) references saved_workers (business_id, worker_id)
);
create index pool_workers_of on pool_workers (business_id, worker_id);
-- For a worker who deletes their account.
create index pool_workers_worker on pool_workers (worker_id);

create table saved_worker_tags (
  business_id uuid not null references businesses (id),
  worker_id uuid not null references accounts (id),
  tag text not null,
  primary key (business_id, worker_id, tag)
);

create table saved_worker_notes (
  id uuid primary key,
  business_id uuid not null references businesses (id),
  worker_id uuid not null references accounts (id),
  author_id uuid not null references accounts (id),
  text text not null,
  at timestamptz not null
);
create index saved_worker_notes_of on saved_worker_notes (business_id, worker_id, at desc, id desc);

-- Whether a business knows a worker is asked for each row of its lists.
create index applications_known on applications (business_id, worker_id) where status <> 'withdrawn';

-- An offer to a worker who did not apply (ADR 165): its application is made when it is sent, so an unpaid one leaves no trace for the worker.
alter table applications add column origin text not null default 'applied' check (origin in ('applied', 'rebook'));
alter table offers alter column application_id drop not null;
alter table offers drop constraint offers_source_check;
alter table offers add constraint offers_source_check check (source in ('merchant', 'waitlist', 'instant', 'rebook'));
alter table offers add constraint offers_applied
  check (application_id is not null or source = 'rebook' and status in ('funding', 'expired', 'withdrawn'));
drop index offers_one_live;
create unique index offers_one_live on offers (job_id, worker_id) where status in ('funding', 'sent');
-- A business that offers directly has not answered an application.
drop index applications_answered;
create index applications_answered on applications (business_id, submitted_at, status)
  where origin = 'applied' and status in ('rejected', 'offered', 'hired', 'offer_declined', 'offer_expired', 'offer_withdrawn', 'no_response');
