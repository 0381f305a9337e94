-- Counts of jobs by title and of applications by channel read their index alone, and a calendar finds offers by their end (ADR 143).
drop index jobs_business;
create index jobs_business on jobs (business_id, status, created_at desc, id desc)
  include (branch_id, kind, starts_at, ends_at, due_on, time_zone, hired_count, title, series_id);
drop index applications_job;
create index applications_job on applications (job_id, submitted_at desc, id desc) include (channel);
drop index offers_open;
create index offers_open on offers (worker_id, expires_at) where status = 'sent';
