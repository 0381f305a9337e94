-- One series of numbers per year and issuer: ours is NHF, a worker's begins with NH for invoices and PF for pro formas.
alter table invoice_series add column series text not null default 'NHF';
alter table invoice_series alter column series drop default;
alter table invoice_series drop constraint invoice_series_pkey;
alter table invoice_series add primary key (series, year);

-- The number in the names of a worker's series.
create table worker_series (
  account_id uuid primary key references accounts (id),
  number integer not null unique generated always as identity (start with 10001)
);

-- What a worker's invoices say about them. Without a VAT id they are in the small-business scheme.
create table tax_details (
  account_id uuid primary key references accounts (id),
  legal_name text not null,
  street text not null,
  postcode text not null,
  town text not null,
  country_code text not null,
  tax_number text not null,
  vat_id text not null,
  -- Work paid before this day has no VAT; null for none.
  vat_since date,
  updated_at timestamptz not null
);

-- Agreements that we issue invoices in a worker's name. At most one is in force.
create table self_billing_agreements (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  version integer not null,
  agreed_at timestamptz not null,
  ended_at timestamptz
);
create unique index self_billing_agreements_in_force on self_billing_agreements (account_id) where ended_at is null;
create index self_billing_agreements_account on self_billing_agreements (account_id, agreed_at desc);

-- Invoices for self-employed work, issued in the worker's name, and pro formas of workers without an agreement. Amounts are in minor
-- units and never negative; a credit note takes back. What was paid is net, VAT and a rounding of a cent together.
create table worker_invoices (
  id uuid primary key,
  worker_id uuid not null references accounts (id),
  business_id uuid not null references businesses (id),
  kind text not null check (kind in ('invoice', 'credit_note', 'pro_forma', 'pro_forma_credit')),
  series text not null,
  year integer not null,
  number integer not null check (number > 0),
  corrects uuid references worker_invoices (id),
  currency text not null,
  -- The document: both sides as of then, lines, VAT and sums.
  content jsonb not null,
  net_minor bigint not null check (net_minor >= 0),
  vat_minor bigint not null check (vat_minor >= 0),
  paid_minor bigint not null check (paid_minor > 0),
  -- The month of its payments, where the business is.
  month text not null,
  issued_at timestamptz not null,
  unique (series, year, number),
  check ((kind in ('credit_note', 'pro_forma_credit')) = (corrects is not null))
);
create index worker_invoices_worker on worker_invoices (worker_id, issued_at desc, id desc);
create index worker_invoices_business on worker_invoices (business_id, month, issued_at desc, id desc);
create index worker_invoices_corrects on worker_invoices (corrects) where corrects is not null;

-- The ledger's entries on a worker's invoice, each once: a payment on an invoice, its reversal on the credit note.
create table worker_invoiced_entries (
  entry_id uuid primary key,
  invoice_id uuid not null references worker_invoices (id),
  line integer not null
);
create index worker_invoiced_entries_invoice on worker_invoiced_entries (invoice_id);

-- A worker's objection to an invoice in their name.
create table invoice_objections (
  invoice_id uuid primary key references worker_invoices (id),
  reason text not null check (reason in ('amount', 'details', 'other')),
  at timestamptz not null
);

create trigger immutable before update or delete or truncate on worker_invoices execute function invoices_refuse();
create trigger immutable before update or delete or truncate on worker_invoiced_entries execute function invoices_refuse();
create trigger immutable before update or delete or truncate on invoice_objections execute function invoices_refuse();

-- Whether a worker's line may be pay that is on no invoice, as fee_open. Pay from before this has none.
alter table statement_lines add column pay_open boolean not null default false;
create index statement_lines_open_pay on statement_lines (holder, entry_id) where pay_open;
