-- The yearly reports to the tax office (DAC7), at most one of each year. A report is made again until it is sent, then frozen.
create table seller_reports (
  id uuid primary key,
  year integer not null unique,
  country_code text not null,
  made_at timestamptz not null,
  sellers integer not null,
  missing integer not null,
  sent_at timestamptz
);

-- The people of a report with what it says about them. Stored for as long as the law asks, also after an account is removed.
create table reported_sellers (
  report_id uuid not null references seller_reports (id) on delete cascade,
  account_id uuid not null references accounts (id),
  currency text not null,
  content jsonb not null,
  primary key (report_id, account_id, currency)
);
create index reported_sellers_account on reported_sellers (account_id);

create function seller_reports_guard() returns trigger language plpgsql as $$
begin
  if old.sent_at is not null then
    raise exception 'a report that was sent never changes';
  end if;
  return coalesce(new, old);
end $$;
create trigger guard before update on seller_reports for each row execute function seller_reports_guard();
