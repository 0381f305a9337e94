-- A question that an operator asks one side of a case is a request that staff begins (docs/architecture.md, Cases). The case waits until it is
-- answered or overdue.
alter table tickets add column case_kind text;
alter table tickets add column case_subject uuid;
alter table tickets add column due_at timestamptz;
alter table tickets add constraint tickets_case check (num_nonnulls(case_kind, case_subject, due_at) in (0, 3));
alter table tickets add constraint tickets_case_of_account check (case_kind is null or account_id is not null);
create unique index tickets_of_case on tickets (case_kind, case_subject, account_id) where case_subject is not null;
