-- What an operator sends to a bank about a chargeback (ADR 192). The text is deleted once it was sent or refused.
create table chargeback_answers (
  ref text primary key references chargebacks (ref),
  charge_id uuid not null references charges (id),
  status text not null check (status in ('created', 'sent', 'refused')),
  text text not null,
  created_by uuid not null references accounts (id),
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index chargeback_answers_charge on chargeback_answers (charge_id);
create index chargeback_answers_by on chargeback_answers (created_by);
create index chargeback_answers_waiting on chargeback_answers (updated_at) where status = 'created';
