-- Where a business has its jobs. A branch that was used is closed, never deleted.
create table branches (
  id uuid primary key,
  business_id uuid not null references businesses (id),
  version integer not null default 1,
  name text not null,
  address text not null,
  area text not null,
  lat double precision not null,
  lng double precision not null,
  private_address boolean not null,
  time_zone text not null,
  contact_name text not null,
  contact_phone text,
  opening_notes text not null,
  closed_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- For keys of rows that must name a branch of their own business.
  unique (business_id, id)
);
create unique index branches_open_name on branches (business_id, lower(name)) where closed_at is null;

-- A job without a branch belongs to the whole business.
alter table jobs add column branch_id uuid,
  add constraint jobs_branch foreign key (business_id, branch_id) references branches (business_id, id);
create index jobs_of_branch on jobs (branch_id, business_id, created_at desc, id desc) where branch_id is not null;

-- The branches that a recruiter is limited to: null is all of them. Never empty, or the last removal would open all of them.
alter table business_members add column branch_ids uuid[]
  check (branch_ids is null or cardinality(branch_ids) > 0 and role = 'recruiter');
alter table team_invitations add column branch_ids uuid[]
  check (branch_ids is null or cardinality(branch_ids) > 0 and role = 'recruiter');

-- Who may see a job and everything that belongs to it: the members of its business, unless they are limited to other branches. Every
-- list and every policy asks this view, or `inBranches` for the lists of one business (ADR 167).
create view job_members as
select job.id as job_id, job.business_id, member.account_id, member.role, member.created_at
from jobs job join business_members member on member.business_id = job.business_id
  and (member.branch_ids is null or job.branch_id = any (member.branch_ids));
