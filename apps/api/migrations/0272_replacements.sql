-- The search for someone else after a booking ended without its work: on the same job, or after the start on a
-- copy for the rest of the shift. A hidden search shows its job to invited people only (ADR 385).
create table replacements (
  engagement_id uuid primary key references engagements (id),
  business_id uuid not null references businesses (id),
  job_id uuid not null references jobs (id),
  hidden boolean not null,
  public_at timestamptz not null,
  public_after_minutes integer not null,
  created_at timestamptz not null
);
create index replacements_business on replacements (business_id, created_at desc);
create index replacements_job on replacements (job_id);
