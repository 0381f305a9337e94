-- Keys that sign in without a password (ADR 169): only the public half. Bytes are base64url.
create table passkeys (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  name text not null,
  credential_id text not null,
  public_key text not null,
  -- How often the authenticator says it was used; 0 if it doesn't count.
  counter bigint not null,
  transports text[] not null,
  synced boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create unique index passkeys_credential on passkeys (credential_id);
create index passkeys_account on passkeys (account_id, created_at desc, id desc);

-- An open question to an authenticator, answered once. `holder` is the session, the browser or the pending sign-in that asked.
create table passkey_questions (
  purpose text not null check (purpose in ('add', 'confirm', 'sign-in', 'second-step')),
  holder text not null,
  challenge text not null,
  expires_at timestamptz not null,
  primary key (purpose, holder)
);
create index passkey_questions_age on passkey_questions (expires_at);

-- Codes of an authenticator app that were used or are being checked: each signs in once.
create table second_step_codes (
  account_id uuid not null references accounts (id) on delete cascade,
  code_hash text not null,
  used_at timestamptz not null,
  primary key (account_id, code_hash)
);
