-- What operators may do (ADR 176). Those appointed before there were roles keep everything.
alter table operators add column roles text[] not null default '{owner}'
  check (cardinality(roles) > 0 and roles <@ '{support,trust,finance,owner}'::text[]);
alter table operators alter column roles drop default;

-- The work on cases. The cases themselves are read from the tables of their owners (ADR 175), so a subject is a row of another slice.
create table case_work (
  kind text not null,
  subject_id uuid not null,
  claimed_by uuid references accounts (id),
  claimed_at timestamptz,
  -- Instead of the priority of its kind: 1 urgent to 4 low.
  priority smallint check (priority between 1 and 4),
  primary key (kind, subject_id),
  check ((claimed_by is null) = (claimed_at is null))
);
create index case_work_claimed on case_work (claimed_by) where claimed_by is not null;

-- Operators' notes and what they did with a case.
create table case_notes (
  id uuid primary key,
  kind text not null,
  subject_id uuid not null,
  what text not null check (what in ('note', 'claim', 'release', 'hand-over', 'priority')),
  author_id uuid not null references accounts (id),
  to_id uuid references accounts (id),
  body text not null,
  at timestamptz not null
);
create index case_notes_case on case_notes (kind, subject_id, at desc, id desc);

create index charges_called_back on charges (id) where chargeback = 'open';

-- Every call of an operator, with its case or reason (ADR 176). Each digest covers its row and the one before; the head signs how many there are.
create table operator_log (
  no bigint primary key check (no > 0),
  at timestamptz(3) not null,
  account_id uuid not null references accounts (id),
  operation text not null,
  -- The records that it named, and the people and the business of its case.
  subject_ids uuid[] not null,
  case_kind text,
  case_subject uuid,
  reason text,
  digest bytea not null,
  check ((case_kind is null) = (case_subject is null))
);
create index operator_log_account on operator_log (account_id, no desc);
create index operator_log_subjects on operator_log using gin (subject_ids);

create table operator_log_head (
  single boolean primary key default true check (single),
  no bigint not null,
  digest bytea not null
);

create function operator_log_refuse() returns trigger language plpgsql as $$
begin
  raise exception 'the operators'' log refuses % on %', lower(tg_op), tg_table_name
    using errcode = 'LG004', constraint = 'operator_log_immutable';
end $$;
create trigger immutable before update or delete or truncate on operator_log execute function operator_log_refuse();
create trigger kept before delete or truncate on operator_log_head execute function operator_log_refuse();
