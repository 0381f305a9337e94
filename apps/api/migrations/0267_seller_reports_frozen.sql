-- Tax numbers go to the tax office without the separators of their typing.
update seller_details set tax_number = upper(regexp_replace(tax_number, '[\s./–-]', '', 'g'));

-- The time of the last reminder. Each step waits as long after the one before as the law has us wait.
alter table seller_requests add column reminded_at timestamptz;
update seller_requests set reminded_at = asked_at + make_interval(days => case when reminders = 1 then 14 else 35 end)
  where reminders > 0;
drop index seller_requests_open;
create index seller_requests_open on seller_requests (reminders, coalesce(reminded_at, asked_at)) where answered_at is null;

-- The people of a report that was sent never change. The purge deletes the report, which takes them with it.
create function reported_sellers_guard() returns trigger language plpgsql as $$
begin
  if exists (select from seller_reports where id in (old.report_id, new.report_id) and sent_at is not null) then
    raise exception 'a report that was sent never changes';
  end if;
  return coalesce(new, old);
end $$;
create trigger guard before insert or update or delete on reported_sellers
  for each row execute function reported_sellers_guard();
