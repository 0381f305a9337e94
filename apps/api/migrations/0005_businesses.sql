create table businesses (
  id uuid primary key,
  version integer not null default 1,
  status text not null check (status in ('draft', 'submitted', 'verified', 'needs_info', 'rejected', 'suspended', 'closed')),
  name text not null,
  legal_name text not null,
  registration_number text not null default '',
  category text not null,
  description text not null default '',
  email text,
  phone text,
  website text,
  logo_file_id uuid references files (id),
  address text not null,
  area text not null,
  country_code text not null,
  lat double precision not null check (lat between -90 and 90),
  lng double precision not null check (lng between -180 and 180),
  private_address boolean not null default false,
  time_zone text not null,
  currency text not null,
  -- Secret: decides where private places of this business are shown (ADR 8).
  place_salt uuid not null default gen_random_uuid(),
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create index businesses_logo on businesses (logo_file_id) where logo_file_id is not null;

create table business_members (
  business_id uuid not null references businesses (id),
  account_id uuid not null references accounts (id),
  role text not null check (role in ('owner', 'manager', 'recruiter', 'finance')),
  created_at timestamptz not null,
  primary key (business_id, account_id)
);
create index business_members_account on business_members (account_id);

-- Each move of a business: who, from, to, when, why (product.md, States).
create table business_moves (
  id uuid primary key,
  business_id uuid not null references businesses (id),
  actor text not null,
  action text not null,
  from_status text not null,
  to_status text not null,
  reason text,
  at timestamptz not null
);
create index business_moves_business on business_moves (business_id, at);
