-- A worker's answer about VAT. Details from before the question name a VAT id or leave the status open: an empty
-- field was no answer.
alter table tax_details add column vat_status text not null default 'unsure' check (vat_status in ('registered', 'exempt', 'unsure'));
update tax_details set vat_status = 'registered' where vat_id <> '';
alter table tax_details alter column vat_status drop default;
alter table tax_details add check ((vat_status = 'registered') = (vat_id <> ''));
