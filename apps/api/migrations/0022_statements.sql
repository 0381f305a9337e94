-- Invoices and receipts, numbered without gaps per business: the counter is locked and the number taken and written in one transaction,
-- separate from the payment's.
create table invoice_counters (
  business_id uuid primary key references businesses (id),
  last_number integer not null default 0
);
create table invoices (
  id uuid primary key,
  business_id uuid not null references businesses (id),
  number integer not null,
  kind text not null check (kind in ('invoice', 'receipt')),
  -- The ledger entry it is for: one document per entry.
  entry_id uuid not null unique,
  engagement_id uuid references engagements (id),
  -- Its content, frozen: names and addresses as of then.
  content jsonb not null,
  pay_minor bigint not null,
  fee_minor bigint not null,
  total_minor bigint not null,
  currency text not null,
  issued_at timestamptz not null,
  unique (business_id, number)
);
create index invoices_business on invoices (business_id, issued_at desc, id desc);

-- Statement lines, materialized from the ledger (ADR 64): one per entry and holder with running totals, so that a page or a period's
-- totals cost the same however long the history. They can be rebuilt from the ledger at any time; `holder` is `worker:<uuid>:EUR` or
-- `business:<uuid>:EUR`.
create table statement_lines (
  holder text collate "C" not null,
  entry_id uuid not null,
  -- For a reversal, the kind of the reversed entry.
  kind text not null,
  with_fee boolean not null,
  hold_id uuid,
  moved bigint not null,
  held bigint not null,
  paid bigint not null,
  fees bigint not null,
  -- Running totals including this line: balance, credits and debits, holds, and amounts paid for work, tipped, charged and withdrawn.
  balance bigint not null,
  came bigint not null,
  went bigint not null,
  holding bigint not null,
  earned bigint not null,
  tips bigint not null,
  charged bigint not null,
  withdrawn bigint not null,
  primary key (holder, entry_id)
);
create index statement_lines_kind on statement_lines (holder, kind, entry_id);
create index statement_lines_fee on statement_lines (holder, entry_id) where with_fee;

-- Entries of older transactions have their lines; readers add the entries since then.
create table statement_carried (
  single boolean primary key default true check (single),
  upto xid8 not null
);
insert into statement_carried (upto) values ('0');

-- The entries since then. A function, so that the planner expects few rows: from the mark alone, unknown to it, it would expect a third of
-- the ledger.
create function statement_uncarried() returns setof ledger_entries language plpgsql stable rows 100 as $$
begin
  return query select * from ledger_entries where xact >= (select upto from statement_carried);
end $$;
