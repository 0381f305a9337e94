-- Word for word, what an operator passed on to an authority (ADR 178); null in reports recorded before.
alter table authority_reports add column passed_on text;
