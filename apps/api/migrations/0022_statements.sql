-- Invoices and receipts, numbered without gaps for each business: the counter is locked, taken and written in one transaction, outside that of the payment.
create table invoice_counters (
  business_id uuid primary key references businesses (id),
  last_number integer not null default 0
);
create table invoices (
  id uuid primary key,
  business_id uuid not null references businesses (id),
  number integer not null,
  kind text not null check (kind in ('invoice', 'receipt')),
  -- The entry of the ledger it is for: one document an entry.
  entry_id uuid not null unique,
  engagement_id uuid references engagements (id),
  -- What it says, frozen: names and addresses as they were.
  content jsonb not null,
  pay_minor bigint not null,
  fee_minor bigint not null,
  total_minor bigint not null,
  currency text not null,
  issued_at timestamptz not null,
  unique (business_id, number)
);
create index invoices_business on invoices (business_id, issued_at desc, id desc);

-- What statements tell, carried on from the ledger (ADR 0108): a line for each entry and holder, with the totals up to and with it, so that a page or the totals of a span
-- cost the same however long the history is. It can be made anew from the ledger at any time; `holder` is `worker:<uuid>:EUR` or `business:<uuid>:EUR`.
create table statement_lines (
  holder text collate "C" not null,
  entry_id uuid not null,
  -- Of an entry that takes another back, the kind of that one.
  kind text not null,
  with_fee boolean not null,
  hold_id uuid,
  moved bigint not null,
  held bigint not null,
  paid bigint not null,
  fees bigint not null,
  -- Up to and with this line: the balance, what came and went, what holds held, and what was paid for work, tipped, charged and withdrawn.
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

-- Entries of older transactions have their lines; whatever reads them adds those of the entries since.
create table statement_carried (
  single boolean primary key default true check (single),
  upto xid8 not null
);
insert into statement_carried (upto) values ('0');

-- The entries since. A function, so that the planner reckons with few of them: from the mark alone, which it does not know, it would expect a third of the ledger.
create function statement_uncarried() returns setof ledger_entries language plpgsql stable rows 100 as $$
begin
  return query select * from ledger_entries where xact >= (select upto from statement_carried);
end $$;
