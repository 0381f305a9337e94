-- A worker's answer about VAT. Details from before the question name a VAT id, which is an answer. Workers without
-- one who have agreed to invoices in their names got invoices without VAT, and keep them as exempt. For all others
-- an empty field was no answer.
alter table tax_details add column vat_status text not null default 'unsure' check (vat_status in ('registered', 'exempt', 'unsure'));
update tax_details set vat_status = case when vat_id <> '' then 'registered' else 'exempt' end
  where vat_id <> '' or exists (select from self_billing_agreements agreement
    where agreement.account_id = tax_details.account_id and agreement.ended_at is null);
alter table tax_details alter column vat_status drop default;
alter table tax_details add check ((vat_status = 'registered') = (vat_id <> ''));
