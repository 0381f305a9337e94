-- Tablets at the door of a branch, where workers without a phone check in by a PIN (ADR 42). The code that pairs
-- one is stored as a signature, and forgotten once the paired tablet was heard of.
create table kiosks (
  id uuid primary key,
  business_id uuid not null references businesses (id),
  branch_id uuid not null references branches (id) on delete cascade,
  name text not null,
  pairing_code text unique,
  pairing_until timestamptz not null,
  paired_at timestamptz,
  seen_at timestamptz,
  created_at timestamptz not null
);
create index kiosks_branch on kiosks (branch_id);
create index kiosks_business on kiosks (business_id);

alter table attendance_events drop constraint attendance_events_how_check;
alter table attendance_events
  add constraint attendance_events_how_check check (how in ('position', 'code', 'kiosk', 'none', 'manager'));
