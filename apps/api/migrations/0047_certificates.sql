-- A certificate with an end, decided once by staff (ADR 183).
create table certificates (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  kind text not null check (kind in ('food_hygiene', 'driving_licence', 'first_aid')),
  -- The name in the account when it was sent: what the certificate is compared with.
  name text not null,
  -- Its last day.
  expires_on date not null,
  status text not null check (status in ('submitted', 'checked', 'refused', 'expired', 'replaced')),
  -- The copy, until 30 days after the decision.
  file_id uuid unique references files (id),
  reason text,
  submitted_at timestamptz not null,
  decided_by uuid references accounts (id),
  decided_at timestamptz,
  check ((status = 'submitted') = (decided_at is null)),
  check ((decided_by is null) = (decided_at is null)),
  check (status <> 'submitted' or file_id is not null)
);
create unique index certificates_open on certificates (account_id, kind) where status = 'submitted';
create unique index certificates_shown on certificates (account_id, kind) where status = 'checked';
create index certificates_queue on certificates (submitted_at, id) where status = 'submitted';
create index certificates_account on certificates (account_id, submitted_at desc, id desc);
create index certificates_decider on certificates (decided_by) where decided_by is not null;

alter table files drop constraint files_purpose_check;
alter table files add constraint files_purpose_check
  check (purpose in ('photo', 'logo', 'cv', 'work', 'chat', 'ticket', 'report', 'business', 'identity', 'certificate'));
alter table files drop constraint files_check;
alter table files add constraint files_sealed_check check ((purpose in ('identity', 'certificate')) = (key_id is not null));
