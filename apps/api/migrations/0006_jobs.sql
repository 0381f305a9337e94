create extension if not exists btree_gist;
create extension if not exists cube;
create extension if not exists unaccent;

-- Words as written, without accents and without stemming: towns here mix languages.
create text search configuration nearhand (copy = simple);
alter text search configuration nearhand alter mapping for hword, hword_part, word with unaccent, simple;

-- The square of a point: a band of half a degree of latitude, cut into pieces about as wide as high.
create function geo_square(lat double precision, lng double precision) returns text language sql immutable parallel safe
  return least(359, floor((lat + 90) * 2)) || '.' || mod(floor((lng + 180) / 360
    * greatest(1, round(720 * cos(radians(least(359, floor((lat + 90) * 2)) / 2 - 89.75)))))::integer,
    greatest(1, round(720 * cos(radians(least(359, floor((lat + 90) * 2)) / 2 - 89.75))))::integer);

create table jobs (
  id uuid primary key,
  version integer not null default 1,
  business_id uuid not null references businesses (id),
  -- Copied from the business, so that a job's words are in one row.
  business_name text not null,
  kind text not null check (kind in ('shift', 'task')),
  status text not null check (status in ('draft', 'in_review', 'open', 'paused', 'filled', 'expired', 'closed', 'archived', 'suspended', 'rejected')),
  title text not null,
  category text not null,
  description text not null default '',
  requirements text[] not null default '{}',
  skills text[] not null default '{}',
  pay_minor integer check (pay_minor > 0),
  pay_max_minor integer check (pay_max_minor >= pay_minor),
  pay_unit text not null check (pay_unit in ('hour', 'day', 'week', 'month', 'year', 'fixed')),
  currency text not null,
  -- Pay per hour in minor units, to compare different units (ADR 7); null for a fixed price.
  pay_hour_minor integer,
  -- The same for sorting and filtering: a fixed price has no hours and counts as zero per hour.
  pay_rank integer not null generated always as (coalesce(pay_hour_minor, 0)) stored,
  head_count integer not null default 1 check (head_count between 1 and 500),
  hired_count integer not null default 0 check (hired_count >= 0),
  -- Seats with an open offer.
  offered_count integer not null default 0 check (offered_count >= 0),
  instant_hire boolean not null default false,
  starts_at timestamptz,
  ends_at timestamptz,
  break_minutes integer not null default 0,
  break_paid boolean not null default false,
  due_on date,
  hours_note text,
  time_zone text not null,
  -- The exact place, for the business and hired workers.
  address text not null,
  area text not null,
  lat double precision not null check (lat between -90 and 90),
  lng double precision not null check (lng between -180 and 180),
  private_address boolean not null default false,
  -- The place shown to everyone else, to which all distances are measured: the exact one, or for a private address a blurred one.
  public_lat double precision not null,
  public_lng double precision not null,
  -- The public place as metres from the centre of the earth: chords grow with the great-circle distance, so the index returns exact order,
  -- across the date line and at the poles (ADR 6).
  pos cube not null generated always as (cube(array[
    6371008.8 * cos(radians(public_lat)) * cos(radians(public_lng)),
    6371008.8 * cos(radians(public_lat)) * sin(radians(public_lng)),
    6371008.8 * sin(radians(public_lat))])) stored,
  -- The day a shift starts, in the job's zone.
  start_day date generated always as ((starts_at at time zone time_zone)::date) stored,
  -- The job's words, plus the square of about 55 km containing its public place as a word of its own (as calculated in
  -- `search-terms.ts`).
  words tsvector not null generated always as (
    setweight(to_tsvector('nearhand', title), 'A')
    || setweight(to_tsvector('nearhand', business_name || ' ' || area), 'B')
    || setweight(to_tsvector('nearhand', description), 'C')
    || array_to_tsvector(array['@' || geo_square(public_lat, public_lng)])) stored,
  cv_required boolean not null default false,
  merchant_fee_basis_points integer not null,
  worker_fee_basis_points integer not null,
  published_at timestamptz,
  expires_at timestamptz,
  warned_at timestamptz,
  -- Where an imported posting came from: a repeated import finds it again.
  source text,
  source_id text,
  source_url text,
  -- The posting's content at the last import: an unchanged one leaves the business's edits (ADR 26).
  source_digest text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (ends_at > starts_at),
  -- Open offers plus hires never exceed the head count (product.md, Application).
  constraint jobs_seats check (hired_count + offered_count <= head_count)
);
create index jobs_business on jobs (business_id, status, created_at desc, id desc);
create index jobs_business_newest on jobs (business_id, created_at desc, id desc);
-- The place and order indexes include what nearby filters and sorts by, so that a walk past other jobs is index-only.
create index jobs_open_near on jobs using gist (pos)
  include (id, category, kind, pay_rank, start_day, published_at) where status = 'open';
create index jobs_open_near_category on jobs using gist (category, pos)
  include (id, kind, pay_rank, start_day, published_at) where status = 'open';
create index jobs_open_newest on jobs (published_at desc, id desc)
  include (pos, category, kind, pay_rank, start_day) where status = 'open';
create index jobs_open_pay on jobs (pay_rank desc, id desc)
  include (pos, category, kind, start_day) where status = 'open';
create index jobs_open_words on jobs using gin (words) where status = 'open';
create index jobs_open_day on jobs (start_day) where status = 'open';
create unique index jobs_source on jobs (business_id, source, source_id) where source is not null;

create table job_questions (
  id uuid primary key,
  job_id uuid not null references jobs (id) on delete cascade,
  position integer not null,
  prompt text not null,
  kind text not null check (kind in ('text', 'yes_no', 'number', 'choice')),
  choices text[] not null default '{}',
  required boolean not null,
  unique (job_id, position)
);

create table job_moves (
  id uuid primary key,
  job_id uuid not null references jobs (id) on delete cascade,
  actor text not null,
  action text not null,
  from_status text not null,
  to_status text not null,
  reason text,
  at timestamptz not null
);
create index job_moves_job on job_moves (job_id, at);
