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
