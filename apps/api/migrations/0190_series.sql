-- Shifts posted together, each a job of its own. The series has the id of the job that was repeated.
alter table jobs add column series_id uuid;
create index jobs_series on jobs (series_id, starts_at, id) where series_id is not null;
