-- Who learns that a job opened: what the roster's planner chose on publishing (ADR 402).
alter table jobs add column alert_audience text not null default 'subscribers'
  check (alert_audience in ('subscribers', 'everyone', 'colleagues', 'nobody'));
alter table job_alerts add column by_work boolean not null default false;
