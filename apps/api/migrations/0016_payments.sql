-- What was asked of payments for an engagement, in the order asked. Until there is a ledger nothing is funded, so nothing is paid; the rows say so (ADR 0035).
create table releases (
  id uuid primary key,
  engagement_id uuid not null references engagements (id) on delete cascade,
  kind text not null check (kind in ('undisputed', 'rest', 'compensation')),
  amount_minor bigint not null check (amount_minor >= 0),
  currency text not null,
  state text not null check (state in ('not_funded', 'released')),
  at timestamptz not null
);
create index releases_engagement on releases (engagement_id, at, id);
