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
