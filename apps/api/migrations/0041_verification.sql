-- Codes texted to check a phone number. The code itself is not stored: it follows from the id and the server's secret (ADR 173).
create table phone_codes (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  phone text not null,
  -- Hashes of the caller's network and the wider ones around it, to limit how many codes each asks for.
  networks text[] not null,
  status text not null check (status in ('open', 'used', 'replaced', 'undelivered')),
  tries integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create unique index phone_codes_open on phone_codes (account_id) where status = 'open';
create index phone_codes_account on phone_codes (account_id, created_at);
create index phone_codes_phone on phone_codes (phone, created_at);
create index phone_codes_networks on phone_codes using gin (networks);
create index phone_codes_old on phone_codes (created_at);

-- The number that each account proved to have.
create table phone_checks (
  account_id uuid primary key references accounts (id),
  phone text not null unique,
  checked_at timestamptz not null
);

-- When a business was submitted to staff.
alter table businesses add column submitted_at timestamptz;
create index businesses_pending on businesses (submitted_at, id) where status = 'submitted';

-- What a business shows staff.
create table business_documents (
  id uuid primary key,
  business_id uuid not null references businesses (id),
  kind text not null check (kind in ('registration', 'tax', 'licence', 'ownership', 'other')),
  file_id uuid not null unique references files (id),
  added_by uuid not null references accounts (id),
  added_at timestamptz not null
);
create index business_documents_of on business_documents (business_id, id);
create index business_documents_by on business_documents (added_by);

-- The domain of a business's website, and what to publish there.
create table business_domains (
  business_id uuid primary key references businesses (id),
  domain text not null,
  token text not null,
  created_at timestamptz not null,
  tried_at timestamptz,
  problem text check (problem in ('not-found', 'unreachable', 'private', 'elsewhere', 'too-large')),
  method text check (method in ('dns', 'page')),
  checked_at timestamptz,
  check ((method is null) = (checked_at is null))
);

alter table files drop constraint files_purpose_check;
alter table files add constraint files_purpose_check
  check (purpose in ('photo', 'logo', 'cv', 'work', 'chat', 'ticket', 'business'));
