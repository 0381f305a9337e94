-- Saved searches keep the day of the week and the pay for the whole job, as Explore filters by them (ADR 151).
alter table saved_searches
  add column min_total integer check (min_total > 0),
  add column weekday text check (weekday in ('mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'));
