-- The pay for the whole job, to sort by: a fixed price, or the hourly pay for the planned minutes as `payForMinutes` rounds it. Zero
-- without either, which sorts last.
alter table jobs add column total_rank integer not null generated always as (least(2147483647, coalesce(case pay_unit
  when 'fixed' then pay_minor::bigint
  when 'hour' then (pay_minor::bigint * greatest(0, round(extract(epoch from ends_at - starts_at) / 60)::bigint
    - case when break_paid then 0 else break_minutes end) + 30) / 60
  end, 0))::integer) stored;

create index jobs_open_total on jobs (geo_square(public_lat, public_lng), total_rank desc, id desc)
  include (pos, public_lat, public_lng, category, kind, pay_rank, start_day, instant_hire) where status = 'open';
