-- Our keys and what Stripe made under them (ADR 370). Stripe forgets a key after a day; these rows stay.
-- attempt: Stripe answers a repeat with the refusal that it stored, so a call that may be repeated takes another key.
-- place: the customer that a charge is listed under, to find it when its answer was lost.
create table stripe_calls (
  key text primary key,
  operation text not null,
  content bytea not null,
  attempt integer not null default 1 check (attempt > 0),
  place text,
  ref text,
  at timestamptz not null
);
create index stripe_calls_ref on stripe_calls (ref) where ref is not null;
