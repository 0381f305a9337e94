-- How someone who does the job would be engaged, as the business states it; null where it has not.
alter table jobs add column relation text check (relation in ('self_employed', 'employed', 'household'));
