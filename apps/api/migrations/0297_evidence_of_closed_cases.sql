-- The facts of a case as they were when it was decided, for a year or until someone in them removed their account.
alter table closed_cases add column facts jsonb;
alter table closed_cases add column facts_gone text check (facts_gone in ('expired', 'removed'));
alter table closed_cases add constraint closed_cases_facts check (facts is null or facts_gone is null);
create index closed_cases_with_facts on closed_cases (decided_at) where facts is not null;
