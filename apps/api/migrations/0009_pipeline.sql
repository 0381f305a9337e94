create table applicant_notes (
  id uuid primary key,
  application_id uuid not null references applications (id) on delete cascade,
  author_id uuid not null references accounts (id),
  text text not null,
  at timestamptz not null
);
create index applicant_notes_application on applicant_notes (application_id, at desc, id desc);

create table applicant_tags (
  application_id uuid not null references applications (id) on delete cascade,
  business_id uuid not null references businesses (id),
  tag text not null,
  primary key (application_id, tag)
);
create index applicant_tags_business on applicant_tags (business_id, tag);

create table job_invitations (
  id uuid primary key,
  job_id uuid not null references jobs (id),
  worker_id uuid not null references accounts (id),
  invited_by uuid not null references accounts (id),
  message text not null default '',
  status text not null check (status in ('sent', 'applied', 'declined')),
  at timestamptz not null,
  answered_at timestamptz,
  unique (job_id, worker_id)
);
create index job_invitations_worker on job_invitations (worker_id, at desc, id desc);
