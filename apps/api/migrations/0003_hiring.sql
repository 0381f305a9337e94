-- Hiring: jobs, applications, interviews, offers, pools, saved searches.

-- A job's skills as words of its text: `kitchen-porter` becomes `skillkitchenporter`, which nobody types.
create function skill_words(skills text[]) returns text[] language sql immutable strict parallel safe
begin atomic
  select array(select 'skill' || replace(skill, '-', '') from unnest(skills) as skill);
end;

-- Words are looked up together with the square of their job, so that the beginning of a word reads what begins so around a place, not in
-- the whole world (ADR 256). `@104.371/barista` for each word of a job in that square. It takes an array apart and builds another: at the
-- usual cost of a function, PostgreSQL preferred to call it for every open job over reading the index where a search has several spellings
-- or words in a row (68,600 pages for six jobs).
create function words_by_square(words tsvector) returns tsvector language plpgsql immutable strict parallel safe cost 1000 as $$
declare
  lexemes constant text[] := tsvector_to_array(words);
  square text;
begin
  select lexeme into square from unnest(lexemes) as lexeme where lexeme ^@ '@';
  return array_to_tsvector(array(select square || '/' || lexeme from unnest(lexemes) as lexeme where not lexeme ^@ '@'));
end $$;

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
  -- Spots with an open offer.
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
    setweight(to_tsvector('nearhand', searchable(title)), 'A')
    || setweight(to_tsvector('nearhand', searchable(business_name || ' ' || area)), 'B')
    || setweight(to_tsvector('nearhand', case when private_address then '' else postcodes(address) end), 'B')
    || setweight(to_tsvector('nearhand', searchable(description)), 'C')
    || array_to_tsvector(array['@' || geo_square(public_lat, public_lng)])
    || array_to_tsvector(skill_words(skills))
    || array_to_tsvector(case when private_address then '{}' else street_words(address) end)) stored,
  cv_required boolean not null default false,
  business_fee_basis_points integer not null,
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
  short_id text not null generated always as (short_id(id)) stored,
  -- The town is the last part of the area: "Jordaan, Amsterdam" is in Amsterdam.
  town text not null generated always as (btrim(regexp_replace(area, '^.*,', ''))) stored,
  town_slug text not null generated always as (slug_of(regexp_replace(area, '^.*,', ''))) stored,
  -- A job without a branch belongs to the whole business.
  branch_id uuid,
  -- Sorts the soonest first when descending: minutes before the epoch that work starts, or a task is due; last without either.
  start_rank integer not null generated always as (coalesce(
    -(extract(epoch from (starts_at at time zone 'UTC')) / 60)::integer,
    -(extract(epoch from due_on + 1) / 60)::integer,
    -2147483648)) stored,
  -- Why a job pays less than the statutory minimum wage, or is shorter than 15 minutes (product.md, Unusual terms).
  pay_reason text check (length(pay_reason) between 1 and 500),
  short_reason text check (length(short_reason) between 1 and 500),
  -- The pay for the whole job, to sort by: a fixed price, or the hourly pay for the planned minutes as `payForMinutes` rounds it. Zero
  -- without either, which sorts last.
  total_rank integer not null generated always as (least(2147483647, coalesce(case pay_unit
    when 'fixed' then pay_minor::bigint
    when 'hour' then (pay_minor::bigint * greatest(0, round(extract(epoch from ends_at - starts_at) / 60)::bigint
      - case when break_paid then 0 else break_minutes end) + 30) / 60
    end, 0))::integer) stored,
  -- Shifts posted together, each a job of its own. The series has the id of the job that was repeated.
  series_id uuid,
  -- Hired only together with the other dates of its series that have it (ADR 414). A date whose spot is freed loses it.
  as_block boolean not null default false,
  -- How someone who does the job would be engaged, as the business states it; null where it has not.
  relation text check (relation in ('self_employed', 'employed', 'household')),
  -- Parts of a job that were changed on this date of its series alone: an edit of several dates leaves them as they are.
  changed_alone text[] not null default '{}',
  -- Who learns that a job opened: what the roster's planner chose on publishing (ADR 402).
  alert_audience text not null default 'subscribers'
    check (alert_audience in ('subscribers', 'everyone', 'colleagues', 'nobody')),
  -- A shift that is hidden because all its spots were offered opens by itself once one of them is free (ADR 407).
  opens_when_freed boolean not null default false,
  -- The free spot is offered to the next person of the business's pools first.
  offers_to_pools boolean not null default false,
  check (ends_at > starts_at),
  -- Open offers plus hires never exceed the head count (product.md, Application).
  constraint jobs_spots check (hired_count + offered_count <= head_count),
  constraint jobs_branch foreign key (business_id, branch_id) references branches (business_id, id)
);
create index jobs_business_newest on jobs (business_id, created_at desc, id desc);
-- The place and order indexes include what nearby filters and sorts by, so that a walk past other jobs is index-only.
create index jobs_open_near on jobs using gist (pos)
  include (id, category, kind, pay_rank, start_day, published_at) where status = 'open';
create index jobs_open_near_category on jobs using gist (category, pos)
  include (id, kind, pay_rank, start_day, published_at) where status = 'open';
create index jobs_open_words on jobs using gin (words) where status = 'open';
create unique index jobs_source on jobs (business_id, source, source_id) where source is not null;
create unique index jobs_short_id on jobs (short_id);
create index jobs_open_town on jobs (town_slug, published_at desc, id desc) where status = 'open';
create index jobs_open_town_category on jobs (town_slug, category, published_at desc, id desc) where status = 'open';
-- Sitemaps list open jobs by id, so that a new one changes only the last file.
create index jobs_open_id on jobs (id) where status = 'open';
create index jobs_of_branch on jobs (branch_id, business_id, created_at desc, id desc) where branch_id is not null;
create index jobs_starts on jobs (starts_at) where starts_at is not null;
create index jobs_in_review on jobs (id) where status = 'in_review';
create index jobs_title on jobs using gin (folded_name(title) gin_trgm_ops);
create index jobs_open_near_instant on jobs using gist (pos)
  include (id, category, kind, pay_rank, start_day) where status = 'open' and instant_hire;
-- The orders of a business's own list of jobs.
create index jobs_business_start on jobs (business_id, start_rank, id);
create index jobs_business_title on jobs (business_id, folded_name(title), id);
create index jobs_business_gap on jobs
  (business_id, (case when status in ('in_review', 'open') then head_count - hired_count else 0 end), id);
create index jobs_business_branch on jobs
  (business_id, (coalesce(branch_id::text, 'none') || lpad((2147483647 - start_rank::bigint)::text, 10, '0')), id);
create index jobs_open_square_words on jobs using gin (words_by_square(words)) where status = 'open';
create index jobs_open_newest on jobs (geo_square(public_lat, public_lng), published_at desc, id desc)
  include (pos, public_lat, public_lng, category, kind, pay_rank, start_day, instant_hire) where status = 'open';
create index jobs_open_pay on jobs (geo_square(public_lat, public_lng), pay_rank desc, id desc)
  include (pos, public_lat, public_lng, category, kind, start_day, instant_hire) where status = 'open';
create index jobs_open_soonest on jobs (geo_square(public_lat, public_lng), start_rank desc, id desc)
  include (pos, public_lat, public_lng, category, kind, pay_rank, start_day, instant_hire) where status = 'open';
create index jobs_open_kind_day on jobs (geo_square(public_lat, public_lng), kind, start_day)
  include (id, pos, public_lat, public_lng, category, pay_rank, instant_hire, published_at, start_rank) where status = 'open';
create index jobs_open_total on jobs (geo_square(public_lat, public_lng), total_rank desc, id desc)
  include (pos, public_lat, public_lng, category, kind, pay_rank, start_day, instant_hire) where status = 'open';
create index jobs_series on jobs (series_id, starts_at, id) where series_id is not null;
create index jobs_business on jobs (business_id, status, created_at desc, id desc)
  include (branch_id, kind, starts_at, ends_at, due_on, time_zone, hired_count, title, series_id);

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
create index job_moves_ended_review on job_moves (at desc) where from_status = 'in_review' and action in ('close', 'suspend');

create table applications (
  id uuid primary key,
  version integer not null default 1,
  job_id uuid not null references jobs (id),
  business_id uuid not null references businesses (id),
  worker_id uuid not null references accounts (id),
  status text not null check (status in (
    'submitted', 'viewed', 'shortlisted', 'interviewing', 'offered', 'hired',
    'withdrawn', 'rejected', 'offer_declined', 'offer_expired', 'offer_withdrawn', 'no_response', 'position_filled', 'job_closed')),
  cover_note text not null default '',
  answers jsonb not null default '[]',
  -- The questions as answered: editing the job must not change an answer's meaning.
  questions jsonb not null default '[]',
  cv_file_id uuid references files (id),
  submitted_at timestamptz not null,
  viewed_at timestamptz,
  decide_by timestamptz not null,
  -- The pipeline lane of the status.
  stage text not null generated always as (case
    when status in ('submitted', 'viewed') then 'new'
    when work_ending = 'done' then 'done'
    when work_ending is not null then 'ended'
    when status in ('shortlisted', 'interviewing', 'offered', 'hired') then status
    else 'ended' end) stored,
  -- How well the worker matches the job, 0 to 100, with reasons; recalculated when its inputs change (ADR 34).
  match_score smallint not null default 0 check (match_score between 0 and 100),
  match_reasons jsonb not null default '[]',
  distance_m integer,
  waitlisted_at timestamptz,
  updated_at timestamptz not null,
  -- Where the applicant found the job; null for the app, search and anything unknown.
  channel text check (channel in ('link', 'qr', 'poster', 'embed', 'share', 'directory')),
  -- An offer to a worker who did not apply (ADR 165): its application is made when it is sent, so an unpaid one leaves no trace for the worker.
  origin text not null default 'applied' check (origin in ('applied', 'rebook')),
  -- How the work of a hire ended, copied from its engagement so that lanes stay one index scan: a completed hire is done, and one that was
  -- cancelled or did not come leaves the lane of hires.
  work_ending text check (work_ending in ('done', 'cancelled', 'no_show')),
  check (waitlisted_at is null or status = 'position_filled'),
  constraint applications_work_of_hires check (work_ending is null or status = 'hired')
);
-- One application per worker and job, unless the earlier one was withdrawn (product.md: apply again only after withdrawing).
create unique index applications_one_each on applications (job_id, worker_id) where status <> 'withdrawn';
create index applications_waitlist on applications (job_id, waitlisted_at, id) where waitlisted_at is not null;
-- Who may read a CV is checked on each read, and what references a file for each one that is purged.
create index applications_cv on applications (cv_file_id) where cv_file_id is not null;
-- The application and engagement of a conversation.
create index applications_pair on applications (job_id, worker_id, submitted_at desc);
-- Whether a business knows a worker is asked for each row of its lists.
create index applications_known on applications (business_id, worker_id) where status <> 'withdrawn';
create index applications_answered on applications (business_id, submitted_at, status)
  where origin = 'applied' and status in ('rejected', 'offered', 'hired', 'offer_declined', 'offer_expired', 'offer_withdrawn', 'no_response');
create index applications_job_stage on applications (job_id, stage, match_score desc, id desc)
  include (decide_by, worker_id, status, distance_m);
create index applications_business_stage on applications (business_id, stage, match_score desc, id desc)
  include (decide_by, worker_id, status, distance_m);
create index applications_business on applications (business_id, submitted_at desc, id desc) include (worker_id, job_id, status);
create index applications_unseen on applications (business_id, job_id) where status = 'submitted';
create index applications_worker on applications (worker_id, submitted_at desc, id desc) include (status);
create index applications_job on applications (job_id, submitted_at desc, id desc) include (channel);

create table application_moves (
  id uuid primary key,
  application_id uuid not null references applications (id) on delete cascade,
  actor text not null,
  action text not null,
  from_status text,
  to_status text not null,
  reason text,
  at timestamptz not null
);
create index application_moves_application on application_moves (application_id, at);

create table applicant_notes (
  id uuid primary key,
  application_id uuid not null references applications (id) on delete cascade,
  author_id uuid not null references accounts (id),
  text text not null,
  at timestamptz not null
);
create index applicant_notes_application on applicant_notes (application_id, at desc, id desc);

create table applicant_tags (
  application_id uuid not null references applications (id) on delete cascade,
  business_id uuid not null references businesses (id),
  tag text not null,
  primary key (application_id, tag)
);
create index applicant_tags_business on applicant_tags (business_id, tag);

create table job_invitations (
  id uuid primary key,
  job_id uuid not null references jobs (id),
  worker_id uuid not null references accounts (id),
  invited_by uuid not null references accounts (id),
  message text not null default '',
  status text not null check (status in ('sent', 'applied', 'declined')),
  at timestamptz not null,
  answered_at timestamptz,
  -- True if the worker's name stays hidden until they apply or write.
  unnamed boolean not null default false,
  unique (job_id, worker_id)
);
create index job_invitations_worker on job_invitations (worker_id, at desc, id desc);

create table interviews (
  id uuid primary key,
  version integer not null default 1,
  application_id uuid not null references applications (id),
  job_id uuid not null references jobs (id),
  business_id uuid not null references businesses (id),
  worker_id uuid not null references accounts (id),
  status text not null check (status in (
    'proposed', 'scheduled', 'reschedule_requested', 'completed', 'cancelled', 'lapsed', 'no_show_worker', 'no_show_business')),
  mode text not null check (mode in ('in_person', 'phone', 'video')),
  where_text text not null,
  minutes integer not null check (minutes between 10 and 240),
  message text not null default '',
  starts_at timestamptz,
  -- The first proposed time.
  first_at timestamptz,
  -- Sort key of lists: the scheduled time, otherwise the first proposed one.
  sort_at timestamptz not null generated always as (coalesce(starts_at, first_at, created_at)) stored,
  -- The zone of the worker's device at their last answer.
  worker_zone text,
  answer_by timestamptz,
  reschedules integer not null default 0,
  reschedule_by text check (reschedule_by in ('worker', 'business')),
  reschedule_reason text,
  outcome text check (outcome in ('advance', 'undecided', 'decline')),
  notes text not null default '',
  no_show_at timestamptz,
  contest text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- While an interview is proposed: the side whose times are open, and how often a side answered with other times.
  proposed_by text not null default 'business' check (proposed_by in ('worker', 'business')),
  suggestions integer not null default 0,
  check ((status = 'reschedule_requested') = (reschedule_by is not null)),
  check (status not in ('scheduled', 'reschedule_requested', 'completed', 'no_show_worker', 'no_show_business') or starts_at is not null)
);
create unique index interviews_one_live on interviews (application_id) where status in ('proposed', 'scheduled', 'reschedule_requested');
create index interviews_application on interviews (application_id, created_at desc);
create index interviews_job on interviews (job_id);
create index interviews_worker on interviews (worker_id, sort_at, id);
create index interviews_business on interviews (business_id, sort_at, id);
-- Pending or upcoming interviews, without scanning past ones.
create index interviews_business_live on interviews (business_id, sort_at, id) where status in ('proposed', 'scheduled', 'reschedule_requested');
create index interviews_missed on interviews (worker_id, no_show_at) where status = 'no_show_worker' and contest is null;

-- The proposed times; a new round replaces them.
create table interview_slots (
  id uuid primary key,
  interview_id uuid not null references interviews (id) on delete cascade,
  starts_at timestamptz not null,
  -- The other side's times before this side suggested others. They can still be picked until the suggestion is answered.
  earlier boolean not null default false,
  unique (interview_id, starts_at)
);

create table interview_moves (
  id uuid primary key,
  interview_id uuid not null references interviews (id) on delete cascade,
  actor text not null,
  side text not null check (side in ('worker', 'business', 'timer', 'operator')),
  action text not null,
  from_status text,
  to_status text not null,
  reason text,
  at timestamptz not null
);
create index interview_moves_interview on interview_moves (interview_id, at);

create table offers (
  id uuid primary key,
  version integer not null default 1,
  application_id uuid references applications (id),
  job_id uuid not null references jobs (id),
  business_id uuid not null references businesses (id),
  worker_id uuid not null references accounts (id),
  status text not null check (status in ('funding', 'sent', 'accepted', 'declined', 'expired', 'withdrawn')),
  source text not null check (source in ('business', 'waitlist', 'instant', 'rebook')),
  -- The terms as in `contract/terms.ts`: frozen, never updated.
  terms jsonb not null,
  funding text not null check (funding in ('not_funded', 'planned', 'partly_funded', 'funded', 'frozen')),
  message text not null default '',
  sent_at timestamptz,
  expires_at timestamptz not null,
  decided_at timestamptz,
  reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint offers_applied
    check (application_id is not null or source = 'rebook' and status in ('funding', 'expired', 'withdrawn'))
);
create index offers_application on offers (application_id, created_at desc);
create index offers_worker on offers (worker_id, created_at desc, id desc);
create index offers_job on offers (job_id, status);
create unique index offers_one_live on offers (job_id, worker_id) where status in ('funding', 'sent');
create index offers_open on offers (worker_id, expires_at) where status = 'sent';

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

-- The secret address of a person's calendar feed; only its hash is stored.
create table calendar_feeds (
  account_id uuid primary key references accounts (id) on delete cascade,
  secret_hash text not null unique,
  since timestamptz not null
);

-- Every fee schedule ever in force, numbered by first use (ADR 141). Never changed or deleted: offers reference it forever.
create table fee_schedules (
  version integer primary key,
  business_fee_basis_points integer not null,
  worker_fee_basis_points integer not null,
  since timestamptz not null,
  unique (business_fee_basis_points, worker_fee_basis_points)
);

create function fee_schedules_stay() returns trigger language plpgsql as $$
begin
  raise exception 'a fee schedule is never changed: other fees are the next version';
end $$;

create trigger fee_schedules_stay before update or delete on fee_schedules for each row execute function fee_schedules_stay();

-- The version of a fee schedule; the next one for a new schedule. Of two concurrent calls with the same new one, one numbers it and the
-- other waits.
create function fee_version(business_fee integer, worker_fee integer, at timestamptz) returns integer language plpgsql as $$
declare
  known integer;
begin
  select version into known from fee_schedules where business_fee_basis_points = business_fee and worker_fee_basis_points = worker_fee;
  if found then return known; end if;
  lock table fee_schedules in share row exclusive mode;
  insert into fee_schedules (version, business_fee_basis_points, worker_fee_basis_points, since)
    select coalesce(max(version), 0) + 1, business_fee, worker_fee, at from fee_schedules
    on conflict (business_fee_basis_points, worker_fee_basis_points) do nothing;
  select version into known from fee_schedules where business_fee_basis_points = business_fee and worker_fee_basis_points = worker_fee;
  return known;
end $$;

-- Jobs that someone saved to come back to.
create table saved_jobs (
  account_id uuid not null references accounts (id),
  job_id uuid not null references jobs (id) on delete cascade,
  saved_at timestamptz not null,
  primary key (account_id, job_id)
);
create index saved_jobs_newest on saved_jobs (account_id, saved_at desc, job_id desc);
create index saved_jobs_job on saved_jobs (job_id, account_id);

-- Businesses whose new jobs someone wants to hear of.
create table business_follows (
  account_id uuid not null references accounts (id),
  business_id uuid not null references businesses (id),
  followed_at timestamptz not null,
  primary key (account_id, business_id)
);
create index business_follows_newest on business_follows (account_id, followed_at desc, business_id desc);
create index business_follows_business on business_follows (business_id, account_id);

-- Searches that someone saved, with the meaning of nearby.search.
create table saved_searches (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  name text not null,
  place text not null,
  lat double precision not null check (lat between -90 and 90),
  lng double precision not null check (lng between -180 and 180),
  radius_km double precision not null check (radius_km > 0),
  -- The point and radius as nearby search passes them, so that both compare the same numbers (ADR 151).
  pos cube not null,
  chord double precision not null,
  category text,
  kind text check (kind in ('shift', 'task')),
  min_pay integer check (min_pay > 0),
  currency text,
  from_day date,
  to_day date,
  -- As typed, and as the query it becomes.
  typed text,
  words tsquery,
  alert text not null check (alert in ('at_once', 'daily', 'weekly', 'off')),
  -- Jobs that opened before are not new to it.
  alerts_since timestamptz not null,
  saved_at timestamptz not null,
  -- Kept for a day, so that the removal can be undone.
  removed_at timestamptz,
  -- Saved searches keep the day of the week and the pay for the whole job, as Explore filters by them (ADR 151).
  min_total integer check (min_total > 0),
  -- Several days of the week, hours in the job's zone and the length of a shift, in minutes.
  weekdays text[] not null default '{}'
    check (weekdays <@ array['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']),
  starts_from smallint check (starts_from between 0 and 1439),
  ends_by smallint check (ends_by between 1 and 1440),
  max_minutes integer check (max_minutes > 0)
);
create index saved_searches_account on saved_searches (account_id, saved_at desc, id desc);
create index saved_searches_removed on saved_searches (removed_at) where removed_at is not null;

-- The squares (geo_square) that the circle of a search with alerts touches; '' is any category. A new job reads its square twice.
create table saved_search_squares (
  square text not null,
  category text not null,
  search_id uuid not null references saved_searches (id) on delete cascade,
  primary key (square, category, search_id)
);
create index saved_search_squares_search on saved_search_squares (search_id);

-- One row per person and job, whichever search or followed business (search_id null) found it: nobody is notified of a job twice.
create table job_alerts (
  account_id uuid not null references accounts (id),
  job_id uuid not null references jobs (id) on delete cascade,
  search_id uuid references saved_searches (id) on delete set null,
  by_follow boolean not null,
  due_at timestamptz not null,
  done_at timestamptz,
  by_work boolean not null default false,
  primary key (account_id, job_id)
);
create index job_alerts_due on job_alerts (due_at, account_id) where done_at is null;
create index job_alerts_job on job_alerts (job_id);
create index job_alerts_search on job_alerts (search_id) where search_id is not null;

-- Views of a job's public page: one row per day and channel, not per view, and nothing about who looked (ADR 153).
create table job_views (
  job_id uuid not null references jobs (id) on delete cascade,
  -- In UTC.
  day date not null,
  channel text not null check (channel in ('link', 'qr', 'poster', 'embed', 'share', 'directory')),
  views integer not null check (views > 0),
  primary key (job_id, day, channel)
);

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

-- Who may see a job and everything that belongs to it: the members of its business, unless they are limited to other branches. Every
-- list and every policy asks this view, or `inBranches` for the lists of one business (ADR 167).
create view job_members as
select job.id as job_id, job.business_id, member.account_id, member.role, member.created_at
from jobs job join business_members member on member.business_id = job.business_id
  and (member.branch_ids is null or job.branch_id = any (member.branch_ids));

-- What the automatic check of a job found, until an operator decides (ADR 178).
create table job_screenings (
  id uuid primary key,
  job_id uuid not null references jobs (id) on delete cascade,
  -- `[{ "rule", "evidence" }]`; those of an opened job are cleared for it.
  found jsonb not null,
  at timestamptz not null,
  outcome text check (outcome in ('opened', 'refused')),
  decided_by uuid references accounts (id),
  decided_at timestamptz,
  check (num_nonnulls(outcome, decided_by, decided_at) in (0, 3))
);
create unique index job_screenings_open on job_screenings (job_id) where outcome is null;
create index job_screenings_job on job_screenings (job_id);
create index job_screenings_decider on job_screenings (decided_by) where decided_by is not null;

-- Every string that is left of a word's first seven letters after up to two of them are removed (one in a short word): two words that
-- differ by as many typing errors share one (ADR 6).
create function near_spellings(word text) returns text[] language sql immutable strict parallel safe
begin atomic
  with whole as (select left(word, 7) as part),
    one_less as (select overlay(part placing '' from at for 1) as part from whole, generate_series(1, length(part)) as at),
    two_less as (select overlay(part placing '' from at for 1) as part from one_less, generate_series(1, length(part)) as at
      where length(word) >= 6)
  select array(select part from whole union select part from one_less union select part from two_less);
end;

-- The words of jobs that have opened, to correct misspelt searches. `jobs` is about how many: a task that runs twice counts twice.
create table search_words (
  word text collate "C" primary key,
  jobs integer not null,
  near text[] not null generated always as (near_spellings(word)) stored
);
create index search_words_near on search_words using gin (near);
create index search_words_similar on search_words using gin (word gin_trgm_ops);

-- Photos of the place or the task, on the job page and for everyone hired (product.md, Photos of a job).
create table job_photos (
  job_id uuid not null references jobs (id) on delete cascade,
  file_id uuid not null references files (id),
  position integer not null,
  primary key (job_id, file_id)
);
create index job_photos_file on job_photos (file_id);

-- The same query for the words of jobs in any of these squares. Words in a row become words anywhere: the whole query decides.
create function query_by_square(query tsquery, squares text[]) returns tsquery language plpgsql immutable strict parallel safe as $$
declare
  anywhere constant text := regexp_replace(query::text, '<(-|\d+)>', '&', 'g');
begin
  return (select string_agg('(' || regexp_replace(anywhere, '''((?:[^'']|'''')*)''', '''@' || square || '/\1''', 'g') || ')', ' | ')
    from unnest(squares) as square)::tsquery;
end $$;

-- How many jobs are in the 300 largest squares, for the planner: it takes no statistics from an index of open jobs only.
create statistics jobs_by_square on (geo_square(public_lat, public_lng)) from jobs;
alter statistics jobs_by_square set statistics 300;
-- Which kinds and categories are open at all: the columns alone suggest that a share of every kind is.
create statistics jobs_open_kinds (mcv) on status, kind, category from jobs;

-- Shifts that a business posts again and again. `draft` is a `TemplateDraft` of the contract: everything but date and people.
create table job_templates (
  id uuid primary key,
  business_id uuid not null references businesses (id),
  branch_id uuid references branches (id),
  name text not null,
  draft jsonb not null,
  time_zone text not null,
  -- The usual hours by the clock of the place, `HH:MM`.
  from_time text,
  to_time text,
  created_at timestamptz not null,
  check ((from_time is null) = (to_time is null))
);
create unique index job_templates_name on job_templates (business_id, lower(name));
create index job_templates_branch on job_templates (branch_id) where branch_id is not null;

-- The applications that an interview covers: its own, and the worker's others for the same series.
create table interview_applications (
  interview_id uuid not null references interviews (id) on delete cascade,
  application_id uuid not null references applications (id),
  primary key (interview_id, application_id)
);
create index interview_applications_application on interview_applications (application_id);
