-- Jobs in sort order are read around a place, not in the whole world (ADR 256): by the square of about 55 km that contains the public place, which is
-- included, or reading the square would visit the rows.
drop index jobs_open_newest;
drop index jobs_open_pay;
drop index jobs_open_soonest;
create index jobs_open_newest on jobs (geo_square(public_lat, public_lng), published_at desc, id desc)
  include (pos, public_lat, public_lng, category, kind, pay_rank, start_day, instant_hire) where status = 'open';
create index jobs_open_pay on jobs (geo_square(public_lat, public_lng), pay_rank desc, id desc)
  include (pos, public_lat, public_lng, category, kind, start_day, instant_hire) where status = 'open';
create index jobs_open_soonest on jobs (geo_square(public_lat, public_lng), start_rank desc, id desc)
  include (pos, public_lat, public_lng, category, kind, pay_rank, start_day, instant_hire) where status = 'open';

-- How many jobs are in the 300 largest squares, for the planner: it takes no statistics from an index of open jobs only.
create statistics jobs_by_square on (geo_square(public_lat, public_lng)) from jobs;
alter statistics jobs_by_square set statistics 300;
