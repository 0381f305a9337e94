-- Shifts that a business posts again and again. `draft` is a `TemplateDraft` of the contract: everything but date and people.
create table job_templates (
  id uuid primary key,
  business_id uuid not null references businesses (id),
  branch_id uuid references branches (id),
  name text not null,
  draft jsonb not null,
  time_zone text not null,
  -- The usual hours by the clock of the place, `HH:MM`.
  from_time text,
  to_time text,
  created_at timestamptz not null,
  check ((from_time is null) = (to_time is null))
);
create unique index job_templates_name on job_templates (business_id, lower(name));
create index job_templates_branch on job_templates (branch_id) where branch_id is not null;
