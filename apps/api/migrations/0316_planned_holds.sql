-- The pay of a shift of a series is set aside some days before it starts (ADR 399). A planned hold is `created` until then.
alter table holds
  add column fund_at timestamptz,
  add column fund_by timestamptz,
  add constraint holds_planned check ((fund_at is null) = (fund_by is null) and fund_at <= fund_by);
create index holds_planned on holds (fund_at) where status = 'created';

alter table offers drop constraint offers_funding_check,
  add constraint offers_funding_check check (funding in ('not_funded', 'planned', 'partly_funded', 'funded', 'frozen'));
alter table engagements drop constraint engagements_funding_check,
  add constraint engagements_funding_check check (funding in ('not_funded', 'planned', 'partly_funded', 'funded', 'frozen'));
