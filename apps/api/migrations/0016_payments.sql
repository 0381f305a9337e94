-- Saved cards of businesses. Only the provider knows the number; `provider_ref` is its name for the card.
create table cards (
  id uuid primary key,
  business_id uuid not null references businesses (id),
  provider_ref text not null unique,
  brand text not null,
  last4 text not null check (last4 ~ '^[0-9]{4}$'),
  -- The provider's name for the number: the same at every business that saves it.
  fingerprint text,
  expires_month smallint not null check (expires_month between 1 and 12),
  expires_year smallint not null,
  is_default boolean not null default false,
  added_by uuid not null references accounts (id),
  added_at timestamptz not null,
  removed_at timestamptz
);
create index cards_fingerprint on cards (fingerprint);
create index cards_business on cards (business_id, added_at desc) where removed_at is null;
create unique index cards_one_default on cards (business_id) where is_default and removed_at is null;

-- Reserved money (product.md: Hold): for one offer, or for a seat of an instant hire that nobody has yet. Amounts in minor units.
create table holds (
  id uuid primary key,
  version integer not null default 1,
  business_id uuid not null references businesses (id),
  job_id uuid not null references jobs (id),
  offer_id uuid unique references offers (id),
  engagement_id uuid unique references engagements (id),
  status text not null check (status in (
    'created', 'authorising', 'expired', 'held', 'partly_released', 'released', 'refunded', 'disputed', 'split')),
  currency text not null,
  pay_minor bigint not null check (pay_minor >= 0),
  fee_minor bigint not null check (fee_minor >= 0),
  -- What was added for overtime or owed pay, including fees.
  added_minor bigint not null default 0 check (added_minor >= 0),
  merchant_fee_basis_points integer not null,
  worker_fee_basis_points integer not null,
  source text check (source in ('balance', 'card')),
  frozen boolean not null default false,
  -- Until when it can be paid while it is unpaid.
  pay_by timestamptz,
  created_by uuid references accounts (id),
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index holds_business on holds (business_id, created_at desc);
create index holds_job on holds (job_id);
-- Open checkouts, for reconciliation.
create index holds_checkout on holds (pay_by) where status = 'authorising';
-- The free seats of an instant hire.
create index holds_free_seats on holds (job_id) where offer_id is null and status = 'held';

create table hold_moves (
  id uuid primary key,
  hold_id uuid not null references holds (id) on delete cascade,
  actor text not null,
  action text not null,
  from_status text,
  to_status text not null,
  reason text,
  at timestamptz not null
);
create index hold_moves_hold on hold_moves (hold_id, at);

-- Attempts to charge a card. `id` is the provider's idempotency key, so that a repeat is no second charge.
create table charges (
  id uuid primary key,
  business_id uuid not null references businesses (id),
  card_id uuid not null references cards (id),
  purpose text not null check (purpose in ('hold', 'top_up', 'cover', 'tip')),
  -- The hold or tip it is for; null for a top-up.
  subject_id uuid,
  status text not null check (status in ('created', 'processing', 'requires_action', 'succeeded', 'failed', 'cancelled')),
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  provider_ref text unique,
  failure text,
  action_url text,
  -- The request's content: it must be the same each time, or the provider rejects the repeat.
  description text not null,
  return_path text not null check (return_path like '/%'),
  -- When the provider was first asked; before that nothing can have been charged.
  asked_at timestamptz,
  -- Since when it is unwanted; a task asks the provider to stop it.
  cancel_at timestamptz,
  -- Where its money went once it succeeded: to its subject, or to the balance for a top-up or if the subject had ended.
  landed text check (landed in ('subject', 'balance')),
  -- Refunded to the card, or being refunded.
  refunded_minor bigint not null default 0 check (refunded_minor between 0 and amount_minor),
  -- Summary of its chargebacks: open if one is, otherwise lost if one was.
  chargeback text check (chargeback in ('open', 'won', 'lost')),
  created_by uuid references accounts (id),
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index charges_business on charges (business_id, created_at desc);
create index charges_subject on charges (subject_id, created_at desc);
create index charges_refundable on charges (business_id, currency, created_at desc) where status = 'succeeded';
create index charges_unsettled on charges (updated_at) where status in ('created', 'processing', 'requires_action');

-- A charge can be charged back again, for example after the first was won. The provider's ref is the key, so that each is booked once.
create table chargebacks (
  ref text primary key,
  charge_id uuid not null references charges (id),
  status text not null check (status in ('open', 'won', 'lost')),
  amount_minor bigint not null check (amount_minor > 0),
  -- The part that the business has borne.
  borne_minor bigint not null check (borne_minor between 0 and amount_minor),
  -- The entry that opened it.
  entry_id uuid not null,
  opened_at timestamptz not null,
  updated_at timestamptz not null
);
create index chargebacks_charge on chargebacks (charge_id, opened_at);

-- Pay agreed for an engagement, gross, in the order agreed (ADR 74). `not_funded`: no hold covered it, so it is owed.
create table releases (
  id uuid primary key,
  engagement_id uuid not null references engagements (id) on delete cascade,
  kind text not null check (kind in ('undisputed', 'rest', 'compensation')),
  amount_minor bigint not null check (amount_minor > 0),
  fee_minor bigint not null default 0 check (fee_minor >= 0),
  worker_fee_minor bigint not null default 0 check (worker_fee_minor >= 0),
  currency text not null,
  state text not null check (state in ('not_funded', 'released')),
  entry_id uuid,
  clears_at timestamptz,
  at timestamptz not null,
  released_at timestamptz
);
create index releases_engagement on releases (engagement_id, at, id);
create index releases_owed on releases (engagement_id) where state = 'not_funded';

create table tips (
  id uuid primary key,
  engagement_id uuid not null references engagements (id),
  business_id uuid not null references businesses (id),
  worker_id uuid not null references accounts (id),
  kind text not null check (kind in ('tip', 'bonus')),
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  note text not null default '',
  status text not null check (status in ('paying', 'paid', 'failed')),
  clears_at timestamptz,
  given_by uuid not null references accounts (id),
  at timestamptz not null
);
create index tips_engagement on tips (engagement_id, at);

-- Refunds from a balance to the card it came from; `id` is the provider's key.
create table card_refunds (
  id uuid primary key,
  business_id uuid not null references businesses (id),
  charge_id uuid not null references charges (id),
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  status text not null check (status in ('created', 'sent', 'failed')),
  created_by uuid not null references accounts (id),
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index card_refunds_unsettled on card_refunds (updated_at) where status = 'created';

-- Events from the provider, each once and forever (product.md, Constants: webhook ids for ever).
create table provider_events (
  id text primary key,
  type text not null,
  ref text not null,
  happened_at timestamptz not null,
  received_at timestamptz not null,
  handled_at timestamptz
);
create index provider_events_unhandled on provider_events (received_at) where handled_at is null;

-- How far reconciliation has read the provider's events.
create table provider_cursors (
  provider text primary key,
  cursor text,
  at timestamptz not null
);
