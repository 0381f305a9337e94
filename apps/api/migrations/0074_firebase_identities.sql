-- Accounts of Firebase Authentication, each linked to one of ours (ADR 224).
create table firebase_identities (
  uid text primary key check (length(uid) between 1 and 128),
  account_id uuid not null unique references accounts (id) on delete cascade,
  -- The address that both sides last agreed on: what differs from it was changed on that side.
  email text not null,
  -- Whether it has a password there, as of the last sign-in.
  has_password boolean not null,
  -- Firebase's revocation time after a change of ours, which must not end our own sessions.
  own_change_at timestamptz,
  created_at timestamptz not null
);
