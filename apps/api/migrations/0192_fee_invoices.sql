-- The paper of a payment says what was paid to whom; our fee gets an invoice of its own. No invoice in the sense of the law was issued before.
alter table invoices rename to pay_receipts;
alter table invoice_counters rename to pay_receipt_counters;
alter index invoices_business rename to pay_receipts_business;
alter table pay_receipts drop column kind, drop column fee_minor, drop column total_minor;
alter table pay_receipts rename column pay_minor to amount_minor;
update pay_receipts set content = content - 'merchantFeeBasisPoints' - 'feeVersion';

-- The last number of each year. Its row is locked until the invoice is written, so a number is used once and none is left out.
create table invoice_series (
  year integer primary key,
  last_number integer not null default 0
);

-- Invoices and credit notes for our fee, in one series per year. Amounts are in minor units and never negative; a credit note takes back.
create table invoices (
  id uuid primary key,
  business_id uuid not null references businesses (id),
  kind text not null check (kind in ('invoice', 'credit_note')),
  year integer not null,
  number integer not null check (number > 0),
  corrects uuid references invoices (id),
  currency text not null,
  -- The document: both sides as of then, lines, VAT and sums.
  content jsonb not null,
  net_minor bigint not null check (net_minor > 0),
  vat_minor bigint not null check (vat_minor >= 0),
  issued_at timestamptz not null,
  unique (year, number),
  check ((kind = 'credit_note') = (corrects is not null))
);
create index invoices_business on invoices (business_id, issued_at desc, id desc);
create index invoices_corrects on invoices (corrects) where corrects is not null;

-- The ledger's entries on an invoice, each once: a release on an invoice, its reversal on the credit note.
create table invoiced_entries (
  entry_id uuid primary key,
  invoice_id uuid not null references invoices (id),
  -- The place of its line in the content, from 0.
  line integer not null
);
create index invoiced_entries_invoice on invoiced_entries (invoice_id);

create function invoices_refuse() returns trigger language plpgsql as $$
begin
  raise exception 'an issued invoice refuses % on %', lower(tg_op), tg_table_name
    using errcode = 'LG004', constraint = 'invoices_immutable', hint = 'An invoice is corrected by a credit note.';
end $$;
create trigger immutable before update or delete or truncate on invoices execute function invoices_refuse();
create trigger immutable before update or delete or truncate on invoiced_entries execute function invoices_refuse();
create trigger kept before delete or truncate on invoice_series execute function invoices_refuse();
