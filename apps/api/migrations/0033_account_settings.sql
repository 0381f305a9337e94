-- How the app looks and writes for an account, on all its devices. Null: never chosen.
create table account_settings (
  account_id uuid primary key references accounts (id) on delete cascade,
  appearance text check (appearance in ('system', 'light', 'dark')),
  units text check (units in ('place', 'km', 'miles')),
  clock text check (clock in ('device', '12', '24')),
  start_side text check (start_side in ('last', 'work', 'hire')),
  updated_at timestamptz not null
);

-- What happened to an account's sign-in, shown to its owner for 90 days. Failed tries are counted into one row an hour.
create table sign_in_events (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  kind text not null,
  -- The browser and system in words, as the account's owner reads them; no address, no place.
  device text not null,
  new_device boolean not null default false,
  tries integer not null default 1,
  happened_at timestamptz not null
);
create index sign_in_events_newest on sign_in_events (account_id, happened_at desc, id desc);
create index sign_in_events_age on sign_in_events (happened_at);

-- An email change: pending until both addresses confirm, then undoable for a while. Tokens are hashes.
create table email_changes (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  old_email text not null,
  new_email text not null,
  status text not null check (status in ('open', 'done', 'cancelled', 'undone')),
  old_token_hash text not null,
  new_token_hash text not null,
  undo_token_hash text,
  old_confirmed_at timestamptz,
  new_confirmed_at timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  done_at timestamptz,
  undo_until timestamptz
);
create unique index email_changes_open on email_changes (account_id) where status = 'open';
create unique index email_changes_old_token on email_changes (old_token_hash);
create unique index email_changes_new_token on email_changes (new_token_hash);
create unique index email_changes_undo_token on email_changes (undo_token_hash) where undo_token_hash is not null;
create index email_changes_account on email_changes (account_id, created_at desc);

-- better-auth's two-factor plugin (its compileMigrations output with our names): the secret and the recovery codes are encrypted.
alter table accounts add column two_factor_enabled boolean default false;
create table second_factors (
  id uuid primary key,
  secret text not null,
  backup_codes text not null,
  account_id uuid not null references accounts (id) on delete cascade,
  verified boolean default true,
  failed_verification_count integer default 0,
  locked_until timestamptz,
  -- Ours: when a code confirmed it. What was turned on during an email change that is undone goes with it (ADR 157).
  turned_on_at timestamptz
);
create index second_factors_secret on second_factors (secret);
create unique index second_factors_account on second_factors (account_id);
