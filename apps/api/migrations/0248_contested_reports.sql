-- A reporter contests a dismissal once. Another operator decides the new case about the same subject.
alter table report_cases add column contested_id uuid unique, add column contested_by uuid,
  add constraint report_cases_decision unique (id, decided_by),
  add constraint report_cases_contested foreign key (contested_id, contested_by) references report_cases (id, decided_by),
  add constraint report_cases_by_another check (decided_by <> contested_by),
  add check (num_nonnulls(contested_id, contested_by) in (0, 2));
drop index report_cases_open;
create unique index report_cases_open on report_cases (coalesce(job_id, business_id, worker_id, review_id))
  where status = 'open' and contested_id is null;

alter table chat_reports add column contested_id uuid unique, add column contested_by uuid,
  add constraint chat_reports_decision unique (id, decided_by),
  add constraint chat_reports_contested foreign key (contested_id, contested_by) references chat_reports (id, decided_by),
  add constraint chat_reports_by_another check (decided_by <> contested_by),
  add check (num_nonnulls(contested_id, contested_by) in (0, 2));
drop index chat_reports_once;
create unique index chat_reports_once on chat_reports (conversation_id, account_id, coalesce(seq, 0))
  where decided_at is null and contested_id is null;
