-- A report that was sent is corrected by another one, which has only what is new, changed or to be deleted. A report is made
-- by a task, so it begins without `made_at`; `problem` says why it can't be sent.
alter table seller_reports drop constraint seller_reports_year_key;
alter table seller_reports
  alter column made_at drop not null,
  add column corrects uuid unique references seller_reports (id),
  add column problem text check (problem in ('too_long', 'unchanged'));
create unique index seller_reports_original on seller_reports (year) where corrects is null;
create unique index seller_reports_unsent on seller_reports (year) where sent_at is null;

-- `document_no` is part of the id by which the tax office knows a row, and by which a correction names it.
alter table reported_sellers disable trigger guard;
alter table reported_sellers
  add column document_no integer,
  add column change text not null default 'new' check (change in ('new', 'corrected', 'deleted')),
  add column corrects_document text;
update reported_sellers seller set document_no = numbered.no
  from (select report_id, account_id, currency, row_number() over (partition by report_id order by account_id, currency) as no
    from reported_sellers) numbered
  where (numbered.report_id, numbered.account_id, numbered.currency) = (seller.report_id, seller.account_id, seller.currency);
alter table reported_sellers alter column document_no set not null,
  add check ((change = 'new') = (corrects_document is null));
alter table reported_sellers enable trigger guard;

-- People with pay whose details were missing when a report was made.
create table unreported_sellers (
  report_id uuid not null references seller_reports (id) on delete cascade,
  account_id uuid not null references accounts (id),
  primary key (report_id, account_id)
);
create index unreported_sellers_account on unreported_sellers (account_id);
