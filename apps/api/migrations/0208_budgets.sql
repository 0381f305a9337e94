-- The month of the work that money is set aside for, where the work is; a task without a due date counts when it is set aside.
alter table holds add column month text;
update holds set month = to_char(coalesce(job.starts_at at time zone job.time_zone, job.due_on, holds.created_at at time zone job.time_zone), 'YYYY-MM')
from jobs job where job.id = holds.job_id;
alter table holds alter column month set not null, add check (month ~ '^\d{4}-\d{2}$');
create index holds_month on holds (business_id, month);

-- Monthly limits of what is set aside: for one branch, by one member, or neither for the whole business. Minor units, fees included.
create table budgets (
  id uuid primary key,
  business_id uuid not null references businesses (id),
  branch_id uuid references branches (id) on delete cascade,
  account_id uuid,
  currency text not null,
  limit_minor bigint not null check (limit_minor > 0),
  updated_at timestamptz not null,
  check (branch_id is null or account_id is null),
  unique nulls not distinct (business_id, account_id, branch_id),
  foreign key (business_id, account_id) references business_members (business_id, account_id) on delete cascade
);
create index budgets_branch on budgets (branch_id) where branch_id is not null;

create table budget_requests (
  id uuid primary key,
  business_id uuid not null references businesses (id),
  job_id uuid not null references jobs (id),
  account_id uuid not null references accounts (id),
  month text not null,
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  status text not null check (status in ('open', 'approved', 'refused')),
  decided_by uuid references accounts (id),
  created_at timestamptz not null,
  decided_at timestamptz,
  check ((status = 'open') = (decided_at is null))
);
create unique index budget_requests_open on budget_requests (job_id, account_id) where status = 'open';
create index budget_requests_waiting on budget_requests (business_id, created_at) where status = 'open';
create index budget_requests_job on budget_requests (job_id, account_id, created_at desc);

-- What an approved request adds to a budget, for its month only.
create table budget_raises (
  budget_id uuid not null references budgets (id) on delete cascade,
  request_id uuid not null references budget_requests (id),
  month text not null,
  amount_minor bigint not null check (amount_minor > 0),
  primary key (budget_id, month, request_id)
);
