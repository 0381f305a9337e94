-- Views of a job's public page: one row per day and channel, not per view, and nothing about who looked (ADR 153).
create table job_views (
  job_id uuid not null references jobs (id) on delete cascade,
  -- In UTC.
  day date not null,
  channel text not null check (channel in ('link', 'qr', 'poster', 'embed', 'share', 'directory')),
  views integer not null check (views > 0),
  primary key (job_id, day, channel)
);

-- Where the applicant found the job; null for the app, search and anything unknown.
alter table applications add column channel text check (channel in ('link', 'qr', 'poster', 'embed', 'share', 'directory'));
