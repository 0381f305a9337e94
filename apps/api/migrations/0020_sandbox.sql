-- The built-in payment provider (ADR 67). Separate from our own data, as a real one would be: no references in either direction.

-- What was done under a caller's key: the same key again is a no-op and returns the same object.
create table sandbox_keys (
  key text primary key,
  operation text not null,
  content bytea not null,
  ref text,
  failure text,
  at timestamptz not null,
  check ((ref is null) <> (failure is null))
);

-- Secret form input: never a number, only its last four digits, a keyed fingerprint and its behaviour.
create table sandbox_tokens (
  token text primary key,
  kind text not null check (kind in ('card', 'bank')),
  details jsonb not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index sandbox_tokens_expires on sandbox_tokens (expires_at);

create table sandbox_cards (
  ref text primary key,
  owner_id text not null,
  brand text not null,
  last4 text not null,
  expires_month integer not null,
  expires_year integer not null,
  fingerprint text not null,
  behaviour text not null,
  created_at timestamptz not null
);

create table sandbox_banks (
  ref text primary key,
  owner_id text not null,
  bank_name text not null,
  last4 text not null,
  holder_name text not null,
  country text not null,
  currency text not null,
  instant boolean not null,
  fingerprint text not null,
  behaviour text not null,
  created_at timestamptz not null
);

create table sandbox_identities (
  owner_id text primary key,
  status text not null check (status in ('pending', 'verified', 'refused')),
  reason text,
  asked_at timestamptz not null
);

create table sandbox_charges (
  ref text primary key,
  card_ref text not null references sandbox_cards (ref),
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  description text not null,
  return_url text not null,
  behaviour text not null,
  status text not null check (status in ('processing', 'requires_action', 'succeeded', 'failed', 'cancelled')),
  failure text,
  refunded_minor bigint not null default 0 check (refunded_minor between 0 and amount_minor),
  chargeback_ref text,
  chargeback_minor bigint check (chargeback_minor between 1 and amount_minor),
  chargeback_status text check (chargeback_status in ('open', 'won', 'lost')),
  created_at timestamptz not null,
  succeeded_at timestamptz,
  chargeback_at timestamptz,
  check ((status = 'failed') = (failure is not null)),
  check (num_nulls(chargeback_ref, chargeback_minor, chargeback_status, chargeback_at) in (0, 4))
);

create table sandbox_refunds (
  ref text primary key,
  charge_ref text not null references sandbox_charges (ref),
  amount_minor bigint not null check (amount_minor > 0),
  created_at timestamptz not null
);
create index sandbox_refunds_charge on sandbox_refunds (charge_ref);

create table sandbox_payouts (
  ref text primary key,
  bank_ref text not null references sandbox_banks (ref),
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  speed text not null check (speed in ('standard', 'instant')),
  behaviour text not null,
  status text not null check (status in ('processing', 'in_transit', 'paid', 'failed', 'returned')),
  failure text,
  arrives_on date,
  created_at timestamptz not null,
  paid_at timestamptz,
  check ((status in ('failed', 'returned')) = (failure is not null))
);

-- The platform's own money at the provider. A lost chargeback may take it below zero.
create table sandbox_balances (
  currency text primary key,
  amount_minor bigint not null
);

-- Every change of an object, in commit order: the counter's row is locked until its transaction ends, so no number appears after a higher
-- one.
create table sandbox_event_counter (
  one boolean primary key default true check (one),
  last_seq bigint not null
);
insert into sandbox_event_counter (last_seq) values (0);

create table sandbox_events (
  seq bigint primary key,
  id text not null unique,
  type text not null check (type in ('charge', 'payout', 'identity')),
  ref text not null,
  at timestamptz not null
);

create table sandbox_deliveries (
  id uuid primary key,
  event_id text not null references sandbox_events (id),
  state text not null check (state in ('waiting', 'delivered', 'given_up')),
  attempts integer not null default 0,
  last_answer text,
  created_at timestamptz not null,
  ended_at timestamptz
);
create index sandbox_deliveries_event on sandbox_deliveries (event_id);
