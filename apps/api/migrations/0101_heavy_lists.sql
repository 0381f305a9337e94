-- What lists of the heaviest people and businesses read, answered from the indexes alone (ADR 143).

-- Lanes are walked with their filters, and a job's applicants counted by status.
drop index applications_job_stage, applications_business_stage, applications_unseen, applications_worker, applications_business;
create index applications_job_stage on applications (job_id, stage, match_score desc, id desc)
  include (decide_by, worker_id, status, distance_m);
create index applications_business_stage on applications (business_id, stage, match_score desc, id desc)
  include (decide_by, worker_id, status, distance_m);
create index applications_business on applications (business_id, submitted_at desc, id desc) include (worker_id, job_id, status);
create index applications_unseen on applications (business_id, job_id) where status = 'submitted';
create index applications_worker on applications (worker_id, submitted_at desc, id desc) include (status);

-- What `standingOf` reads, to count a business's jobs by it.
drop index jobs_business;
create index jobs_business on jobs (business_id, status, created_at desc, id desc)
  include (branch_id, kind, starts_at, ends_at, due_on, time_zone, hired_count);

-- What counts for a worker's reliability, without its text.
alter table engagements add column contested boolean not null generated always as (contest is not null) stored;
create index engagements_reliability on engagements (worker_id)
  include (status, approved_at, amount_minor, cancelled_late, updated_at, no_show_at, contested, checked_in_at, starts_at)
  where status in ('completed', 'cancelled_by_worker', 'no_show_reported');
create index interviews_missed on interviews (worker_id, no_show_at) where status = 'no_show_worker' and contest is null;

create index offers_open on offers (worker_id, id) where status = 'sent';
