-- Facts of invoices: the VAT id with its prefix, and the address of the legal seat in the business's country. Empty until given.
alter table businesses
  add column vat_id text not null default '',
  add column seat_street text not null default '',
  add column seat_postcode text not null default '',
  add column seat_town text not null default '';
