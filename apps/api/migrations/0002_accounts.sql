-- Accounts and their sessions. The first four tables are better-auth's (its compileMigrations output with our names, ADR 10); only the
-- accounts slice and its provider write them.

create table accounts (
  id uuid primary key,
  name text not null,
  email text not null unique,
  email_verified boolean not null default false,
  image text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  intent text check (intent in ('work', 'hire', 'both')),
  disabled_at timestamptz
);

create table sessions (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index sessions_account on sessions (account_id);

-- A way to sign in: a password, or a subject at an external provider.
create table credentials (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  provider_id text not null,
  subject text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider_id, subject)
);
create index credentials_account on credentials (account_id);

create table verifications (
  id uuid primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index verifications_identifier on verifications (identifier);

-- Sign-in and similar attempts within a minute, by account and by address (ADR 12). Keys are hashes, so the table identifies nobody.
create table sign_in_limits (
  key text primary key,
  count integer not null,
  window_start timestamptz not null
);
create index sign_in_limits_window on sign_in_limits (window_start);

create table terms_acceptances (
  account_id uuid not null references accounts (id) on delete cascade,
  version text not null,
  accepted_at timestamptz not null,
  primary key (account_id, version)
);
