-- Reports of reviews, and decisions about reviews, messages, conversations and jobs in review (ADR 178, 179).
alter table report_cases drop constraint report_cases_kind_check;
alter table report_cases add constraint report_cases_kind_check check (kind in ('job', 'business', 'worker', 'review'));
alter table report_cases add column review_id uuid references reviews (id);
alter table report_cases drop constraint report_cases_check;
alter table report_cases add constraint report_cases_subject check (num_nonnulls(job_id, business_id, worker_id, review_id) = 1);
drop index report_cases_open;
create unique index report_cases_open on report_cases (coalesce(job_id, business_id, worker_id, review_id)) where status = 'open';
create index report_cases_review on report_cases (review_id) where review_id is not null;

alter table sanctions drop constraint sanctions_measure_check;
alter table sanctions add constraint sanctions_measure_check
  check (measure in ('warning', 'hidden', 'suspension', 'removed', 'redacted', 'frozen', 'refused'));
alter table sanctions add column review_id uuid references reviews (id);
alter table sanctions add column conversation_id uuid references conversations (id);
-- Of the removed message.
alter table sanctions add column seq integer;
alter table sanctions add constraint sanctions_subject check (
  (measure = 'removed') = (review_id is not null) and (measure in ('redacted', 'frozen')) = (conversation_id is not null)
  and (measure = 'redacted') = (seq is not null));
-- One running decision about the same review, message or side of a conversation.
create unique index sanctions_review on sanctions (review_id) where review_id is not null and ended_at is null;
create unique index sanctions_message on sanctions (conversation_id, seq) where seq is not null and ended_at is null;
create unique index sanctions_conversation on sanctions (conversation_id, coalesce(account_id, business_id))
  where conversation_id is not null and seq is null and ended_at is null;
create index sanctions_about_review on sanctions (review_id) where review_id is not null;
create index sanctions_about_conversation on sanctions (conversation_id) where conversation_id is not null;

-- How many of the last characters are the text that the message had when it was removed; null where it can't be given back.
alter table redacted_words add column last_length integer;
