-- Operators list refunds that failed, the newest first.
create index card_refunds_failed on card_refunds (updated_at, id) where status = 'failed';
