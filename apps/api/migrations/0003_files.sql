create table files (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  purpose text not null check (purpose in ('photo', 'logo', 'cv', 'work', 'chat')),
  name text not null,
  media_type text not null,
  bytes integer not null check (bytes > 0),
  created_at timestamptz not null
);
create index files_account on files (account_id, created_at);
