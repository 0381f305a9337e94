create table attendance_events (
  id uuid primary key,
  engagement_id uuid not null references engagements (id) on delete cascade,
  kind text not null check (kind in ('check_in', 'break_start', 'break_end', 'check_out')),
  -- When it happened by the server's clock, and when the server received it.
  at timestamptz not null,
  received_at timestamptz not null,
  device_at timestamptz not null,
  how text not null check (how in ('position', 'code', 'none')),
  lat double precision,
  lng double precision,
  accuracy_m integer,
  distance_m integer,
  flags text[] not null default '{}'
);
create index attendance_events_engagement on attendance_events (engagement_id, at, id);

-- Wrong codes, so that six digits can't be guessed.
create table site_code_attempts (
  engagement_id uuid not null references engagements (id) on delete cascade,
  at timestamptz not null
);
create index site_code_attempts_engagement on site_code_attempts (engagement_id, at);
