-- Changes of operators asked for in the console, which take effect once another owner approves them (ADR 176).
create table operator_changes (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  previous_roles text[] not null,
  -- Empty ends the appointment.
  roles text[] not null,
  reason text not null,
  requested_by uuid not null references accounts (id),
  requested_at timestamptz not null,
  expires_at timestamptz not null,
  state text not null default 'waiting' check (state in ('waiting', 'approved', 'refused', 'withdrawn', 'expired')),
  decided_by uuid references accounts (id),
  decided_at timestamptz,
  note text,
  check ((decided_by is not null) = (state in ('approved', 'refused'))),
  check ((decided_at is null) = (state = 'waiting')),
  constraint operator_changes_by_another check (decided_by <> requested_by)
);
create unique index operator_changes_waiting on operator_changes (account_id) where state = 'waiting';
create index operator_changes_latest on operator_changes (requested_at, id);
create index operator_changes_account on operator_changes (account_id);
create index operator_changes_requester on operator_changes (requested_by);
create index operator_changes_decider on operator_changes (decided_by) where decided_by is not null;
