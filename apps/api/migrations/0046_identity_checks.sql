-- An identity document that someone sent, decided once by staff (ADR 183).
create table identity_checks (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  document text not null check (document in ('passport', 'id_card', 'residence_permit', 'driving_licence')),
  -- The name in the account when it was sent: what the document is compared with.
  name text not null,
  -- Who looks at it; a provider would be another one.
  checker text not null check (checker in ('staff')),
  status text not null check (status in ('submitted', 'needs_info', 'verified', 'refused')),
  reason text,
  submitted_at timestamptz not null,
  decided_by uuid references accounts (id),
  decided_at timestamptz,
  check ((status = 'submitted') = (decided_at is null)),
  check (decided_by is null or decided_at is not null)
);
create unique index identity_checks_open on identity_checks (account_id) where status = 'submitted';
create index identity_checks_queue on identity_checks (submitted_at, id) where status = 'submitted';
create index identity_checks_account on identity_checks (account_id, submitted_at desc, id desc);
create index identity_checks_verified on identity_checks (account_id, name) where status = 'verified';
create index identity_checks_decider on identity_checks (decided_by) where decided_by is not null;

-- Its photos, until 30 days after the decision.
create table identity_photos (
  file_id uuid primary key references files (id),
  check_id uuid not null references identity_checks (id) on delete cascade,
  side text not null check (side in ('front', 'back', 'selfie')),
  unique (check_id, side)
);

alter table files drop constraint files_purpose_check;
alter table files add constraint files_purpose_check
  check (purpose in ('photo', 'logo', 'cv', 'work', 'chat', 'ticket', 'report', 'business', 'identity'));
-- The key that encrypts its bytes, which name it too; null for bytes that are stored as they are.
alter table files add column key_id text;
alter table files add check ((purpose = 'identity') = (key_id is not null));
create index files_sealed on files (key_id, id) where key_id is not null;
