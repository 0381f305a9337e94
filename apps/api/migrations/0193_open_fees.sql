-- Whether a business's line may have a fee that is on no invoice: those are found without reading its history. False only for what is
-- settled, since a line may be written while its invoice is.
alter table statement_lines add column fee_open boolean not null default false;
update statement_lines set fee_open = true
  where holder ^@ 'business:' and with_fee and fees <> 0 and entry_id not in (select entry_id from invoiced_entries);
create index statement_lines_open_fee on statement_lines (holder, entry_id) where fee_open;
