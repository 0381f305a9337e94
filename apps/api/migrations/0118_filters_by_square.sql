-- Jobs by what they filter on, around a place (ADR 256): by square, kind and day. jobs_open_pay has square and pay. Includes the
-- columns that searches read; otherwise PostgreSQL picks a covering index without kind.
drop index jobs_open_day;
create index jobs_open_kind_day on jobs (geo_square(public_lat, public_lng), kind, start_day)
  include (id, pos, public_lat, public_lng, category, pay_rank, instant_hire, published_at, start_rank) where status = 'open';

-- Which kinds and categories are open at all: the columns alone suggest that a share of every kind is.
create statistics jobs_open_kinds (mcv) on status, kind, category from jobs;
