-- The language of the page on which a guest wrote a request; mails to them and shared answers use it (ADR 379).
alter table tickets add column language text check (language in ('en', 'nl', 'de', 'fr', 'es', 'ar'));
-- Requests that wait for their author, for the operators' list (ADR 175).
create index tickets_waiting on tickets (updated_at) where status = 'waiting' and case_kind is null;
