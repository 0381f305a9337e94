create table profiles (
  account_id uuid primary key references accounts (id) on delete cascade,
  version integer not null default 1,
  phone text,
  bio text not null default '',
  home_label text,
  home_lat double precision,
  home_lng double precision,
  -- ISO 3166-1, for the time zone of a home at a border; null where not known.
  home_country text,
  languages jsonb not null default '[]',
  availability jsonb not null default '[]',
  skills jsonb not null default '[]',
  photo_file_id uuid references files (id),
  cv_file_id uuid references files (id),
  updated_at timestamptz not null,
  check ((home_label is null) = (home_lat is null) and (home_lat is null) = (home_lng is null))
);
-- What references a file, checked for each one that is purged (ADR 143).
create index profiles_photo on profiles (photo_file_id) where photo_file_id is not null;
create index profiles_cv on profiles (cv_file_id) where cv_file_id is not null;
