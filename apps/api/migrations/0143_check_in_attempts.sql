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
