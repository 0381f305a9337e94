-- When a session last proved its second factor, and when it last worked as an operator: staff confirm again after a pause (ADR 181).
create table second_factor_checks (
  session_id uuid primary key references sessions (id) on delete cascade,
  method text not null check (method in ('totp', 'recovery_code', 'passkey')),
  confirmed_at timestamptz not null,
  active_at timestamptz not null
);

-- Figures per day for operators.
create index accounts_created on accounts (created_at);
create index disputes_created on disputes (created_at);
create index jobs_starts on jobs (starts_at) where starts_at is not null;
