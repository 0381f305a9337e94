-- Photos of the place or the task, on the job page and for everyone hired (product.md, Photos of a job).
create table job_photos (
  job_id uuid not null references jobs (id) on delete cascade,
  file_id uuid not null references files (id),
  position integer not null,
  primary key (job_id, file_id)
);
create index job_photos_file on job_photos (file_id);
