-- How the app looks and writes for an account, on all its devices. Null: never chosen.
create table account_settings (
  account_id uuid primary key references accounts (id) on delete cascade,
  appearance text check (appearance in ('system', 'light', 'dark')),
  units text check (units in ('place', 'km', 'miles')),
  clock text check (clock in ('device', '12', '24')),
  start_side text check (start_side in ('last', 'work', 'hire')),
  updated_at timestamptz not null
);
