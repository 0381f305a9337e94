-- The applications that an interview covers: its own, and the worker's others for the same series.
create table interview_applications (
  interview_id uuid not null references interviews (id) on delete cascade,
  application_id uuid not null references applications (id),
  primary key (interview_id, application_id)
);
create index interview_applications_application on interview_applications (application_id);
insert into interview_applications (interview_id, application_id) select id, application_id from interviews;
