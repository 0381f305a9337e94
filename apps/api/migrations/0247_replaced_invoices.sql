-- An invoice may replace one that the worker objected to, or a pro forma from before their agreement. Its payments
-- are then on both; the last document without a replacement counts.
alter table worker_invoices add column replaces uuid references worker_invoices (id),
  add check (replaces is null or kind = 'invoice');
create index worker_invoices_replaces on worker_invoices (replaces) where replaces is not null;
alter table worker_invoiced_entries add column replaces uuid references worker_invoices (id);
alter table worker_invoiced_entries drop constraint worker_invoiced_entries_pkey;
alter table worker_invoiced_entries add primary key (entry_id, invoice_id);
-- Each payment is invoiced once, and each invoice of it replaced once.
alter table worker_invoiced_entries add unique nulls not distinct (entry_id, replaces);
