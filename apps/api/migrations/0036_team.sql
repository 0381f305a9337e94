-- Invitations to a business: by email, or by a link that several may use. The token itself is never stored.
create table team_invitations (
  id uuid primary key,
  business_id uuid not null references businesses (id),
  role text not null check (role in ('owner', 'manager', 'recruiter', 'finance')),
  -- Null for a link.
  email text check (email = lower(email)),
  token_hash text not null unique,
  status text not null check (status in ('open', 'accepted', 'declined', 'expired', 'revoked')),
  max_uses integer not null check (max_uses > 0),
  uses integer not null default 0 check (uses between 0 and max_uses),
  sends integer not null default 1,
  undelivered boolean not null default false,
  invited_by uuid not null references accounts (id),
  -- Opened it with another address and asks for an invitation to that one.
  asked_by uuid references accounts (id),
  created_at timestamptz not null,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  check (email is null or max_uses = 1),
  check (email is not null or role <> 'owner')
);
create index team_invitations_newest on team_invitations (business_id, created_at desc, id desc);
create unique index team_invitations_open on team_invitations (business_id, email) where status = 'open' and email is not null;
create index team_invitations_inviter on team_invitations (invited_by) where status = 'open';
create index team_invitations_asker on team_invitations (asked_by) where asked_by is not null;

-- An offer to hand over a business: both its owner and the next one confirm.
create table ownership_offers (
  id uuid primary key,
  business_id uuid not null references businesses (id),
  from_account_id uuid not null references accounts (id),
  to_account_id uuid not null references accounts (id),
  status text not null check (status in ('open', 'accepted', 'declined', 'withdrawn', 'expired')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  check (from_account_id <> to_account_id)
);
create unique index ownership_offers_open on ownership_offers (business_id) where status = 'open';
create index ownership_offers_from on ownership_offers (from_account_id);
create index ownership_offers_to on ownership_offers (to_account_id);

-- Who did what in a team and when; owners read it.
create table team_moves (
  id uuid primary key,
  business_id uuid not null references businesses (id),
  -- Null where a time limit did it.
  actor_id uuid references accounts (id),
  action text not null,
  account_id uuid references accounts (id),
  email text,
  invitation_id uuid references team_invitations (id),
  from_role text,
  -- The branches that a recruiter was limited to before.
  from_branch_ids uuid[],
  to_role text,
  at timestamptz not null,
  -- Of a change of owners: those before it, who can undo it for some days.
  owners_before uuid[],
  undone_at timestamptz
);
create index team_moves_newest on team_moves (business_id, at desc, id desc);
create index team_moves_actor on team_moves (actor_id);
create index team_moves_account on team_moves (account_id);
create index team_moves_invitation on team_moves (invitation_id);

-- When the password of a session was last entered: handing over a business asks for it again.
create table password_checks (
  session_id uuid primary key references sessions (id) on delete cascade,
  at timestamptz not null
);
