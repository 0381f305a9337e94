-- People: accounts, sign-in, profiles, businesses and their teams.

-- Everyone has a code to invite others with: ten random characters without I, L, O and U.
create function new_referral_code() returns text language sql volatile as $$
  select string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (get_byte(bytes, part) & 31), 1), '')
  from (select uuid_send(gen_random_uuid()) as bytes) random, unnest('{0,1,2,3,4,5,10,11,12,13}'::int[]) as part
$$;

-- Accounts and their sessions. The first four tables are better-auth's (its compileMigrations output with our names, ADR 10); only the
-- accounts slice and its provider write them.
create table accounts (
  id uuid primary key,
  name text not null,
  email text not null unique,
  email_verified boolean not null default false,
  image text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  intent text check (intent in ('work', 'hire', 'both')),
  disabled_at timestamptz,
  referral_code text not null default new_referral_code() unique,
  -- better-auth's two-factor plugin (its compileMigrations output with our names): the secret and the recovery codes are encrypted.
  two_factor_enabled boolean default false,
  -- Where someone was going when they signed up: the mailed link may open in another tab or on another device (ADR 194).
  return_to text check (length(return_to) between 1 and 1000)
);
create index accounts_name on accounts using gin (folded_name(name) gin_trgm_ops);
-- Figures per day for operators.
create index accounts_created on accounts (created_at);
-- Operators find records by what people say or paste (ADR 175): part of an email, a phone number in national form (its last eight
-- digits), registration and VAT numbers however they are spaced, and requests of people with and without an account.
create index accounts_email_part on accounts using gin (email gin_trgm_ops);

create table sessions (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  token_hash text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index sessions_account on sessions (account_id);

-- A way to sign in: a password, or a subject at an external provider.
create table credentials (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  provider_id text not null,
  subject text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider_id, subject)
);
create index credentials_account on credentials (account_id);

create table verifications (
  id uuid primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index verifications_identifier on verifications (identifier);

-- Sign-in and similar attempts within a minute, by account and by address (ADR 12). Keys are hashes, so the table identifies nobody.
create table sign_in_limits (
  key text primary key,
  count integer not null,
  window_start timestamptz not null
);
create index sign_in_limits_window on sign_in_limits (window_start);

create table terms_acceptances (
  account_id uuid not null references accounts (id) on delete cascade,
  version text not null,
  accepted_at timestamptz not null,
  primary key (account_id, version)
);

create table files (
  id uuid primary key,
  account_id uuid references accounts (id) on delete cascade,
  purpose text not null,
  name text not null,
  media_type text not null,
  bytes integer not null check (bytes > 0),
  created_at timestamptz not null,
  -- The key that encrypts its bytes, which name it too; null for bytes that are stored as they are.
  key_id text,
  constraint files_purpose_check
    check (purpose in ('photo', 'logo', 'cv', 'work', 'chat', 'ticket', 'report', 'business', 'identity', 'certificate')),
  constraint files_sealed_check check ((purpose in ('identity', 'certificate')) = (key_id is not null))
);
create index files_account on files (account_id, created_at);
create index files_sealed on files (key_id, id) where key_id is not null;

create table profiles (
  account_id uuid primary key references accounts (id) on delete cascade,
  version integer not null default 1,
  phone text,
  bio text not null default '',
  home_label text,
  home_lat double precision,
  home_lng double precision,
  -- ISO 3166-1, for the time zone of a home at a border; null where not known.
  home_country text,
  languages jsonb not null default '[]',
  availability jsonb not null default '[]',
  -- The hours a week that the worker wants at most; null for no limit (ADR 409).
  week_hours_max smallint check (week_hours_max between 1 and 60),
  skills jsonb not null default '[]',
  photo_file_id uuid references files (id),
  cv_file_id uuid references files (id),
  updated_at timestamptz not null,
  review_stars integer[] not null default '{0,0,0,0,0}'
    check (array_length(review_stars, 1) = 5 and 0 <= all (review_stars)),
  -- Workers whom businesses may find without an application (ADR 381).
  findable text not null default 'off' check (findable in ('off', 'unnamed', 'named')),
  find_pos cube generated always as (
    case when findable <> 'off' and home_lat is not null and home_lng is not null then cube(array[
      6371008.8 * cos(radians(((floor(home_lat / 0.009) + 0.5) * 0.009)))
        * cos(radians(((floor(home_lng / (0.009 / greatest(cos(radians(((floor(home_lat / 0.009) + 0.5) * 0.009))), 0.01))) + 0.5) * (0.009 / greatest(cos(radians(((floor(home_lat / 0.009) + 0.5) * 0.009))), 0.01))))),
      6371008.8 * cos(radians(((floor(home_lat / 0.009) + 0.5) * 0.009)))
        * sin(radians(((floor(home_lng / (0.009 / greatest(cos(radians(((floor(home_lat / 0.009) + 0.5) * 0.009))), 0.01))) + 0.5) * (0.009 / greatest(cos(radians(((floor(home_lat / 0.009) + 0.5) * 0.009))), 0.01))))),
      6371008.8 * sin(radians(((floor(home_lat / 0.009) + 0.5) * 0.009)))]) end) stored,
  check ((home_label is null) = (home_lat is null) and (home_lat is null) = (home_lng is null))
);
-- What references a file, checked for each one that is purged (ADR 143).
create index profiles_photo on profiles (photo_file_id) where photo_file_id is not null;
create index profiles_cv on profiles (cv_file_id) where cv_file_id is not null;
create index profiles_findable on profiles using gist (find_pos) where find_pos is not null;
create index profiles_phone_end on profiles (phone_end(phone)) where phone is not null;

create table businesses (
  id uuid primary key,
  version integer not null default 1,
  status text not null,
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
  updated_at timestamptz not null,
  short_id text not null generated always as (short_id(id)) stored,
  -- How many published reviews gave one star, two stars, and so on; written on publication and removal only.
  review_stars integer[] not null default '{0,0,0,0,0}'
    check (array_length(review_stars, 1) = 5 and 0 <= all (review_stars)),
  -- When a business was submitted to staff.
  submitted_at timestamptz,
  -- A wide photo of the place, on the job page and the business's profile (ADR 15).
  cover_file_id uuid references files (id),
  -- Facts of invoices: the VAT id with its prefix, and the address of the legal seat in the business's country. Empty until given.
  vat_id text not null default '',
  registered_street text not null default '',
  registered_postcode text not null default '',
  registered_town text not null default '',
  -- The number in the reference by which a business pays by bank transfer (ADR 391).
  transfer_number bigint not null generated by default as identity (start with 10000001) unique,
  constraint businesses_status_check
    check (status in ('draft', 'submitted', 'verified', 'needs_info', 'rejected', 'resubmitted', 'suspended', 'closed'))
);
create index businesses_logo on businesses (logo_file_id) where logo_file_id is not null;
create unique index businesses_short_id on businesses (short_id);
create index businesses_verified_id on businesses (id) where status = 'verified';
-- Search of the operators (ADR 175), by trigrams like people's names (ADR 135). People are found by `accounts_name` and their email.
create index businesses_name on businesses using gin (folded_name(name || ' ' || legal_name) gin_trgm_ops);
create index businesses_email on businesses (lower(email)) where email is not null;
create index businesses_cover on businesses (cover_file_id) where cover_file_id is not null;
create index businesses_closed on businesses (id) where status = 'closed';
create index businesses_pending on businesses (submitted_at, id) where status in ('submitted', 'resubmitted');
create index businesses_vat_id on businesses (vat_id) where vat_id <> '';
-- Other businesses of a country with a typed registration number, whatever its separators (`findSharedRegistrations`).
create index businesses_bare_registration on businesses (country_code, translate(upper(registration_number), ' .-–/', ''))
  where registration_number <> '';
-- Businesses and people whom an operator asked for more: their cases wait for the answer.
create index businesses_asked on businesses (id) where status = 'needs_info';
create index businesses_email_part on businesses using gin (lower(email) gin_trgm_ops) where email is not null;
create index businesses_phone_end on businesses (phone_end(phone)) where phone is not null;
create index businesses_registration on businesses (bare_number(registration_number)) where registration_number <> '';
create index businesses_bare_vat_id on businesses (bare_number(vat_id)) where vat_id <> '';

create table business_members (
  business_id uuid not null references businesses (id),
  account_id uuid not null references accounts (id),
  role text not null check (role in ('owner', 'manager', 'recruiter', 'coordinator', 'finance')),
  created_at timestamptz not null,
  -- The branches that a recruiter or coordinator is limited to: null is all of them. Never empty, or the last removal would open all of them.
  branch_ids uuid[]
    check (branch_ids is null or cardinality(branch_ids) > 0 and role in ('recruiter', 'coordinator')),
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
create index business_moves_ended_review on business_moves (at desc) where from_status in ('submitted', 'resubmitted') and action in ('close', 'suspend');

-- How the app looks and writes for an account, on all its devices. Null: never chosen.
create table account_settings (
  account_id uuid primary key references accounts (id) on delete cascade,
  appearance text check (appearance in ('system', 'light', 'dark')),
  units text check (units in ('place', 'km', 'miles')),
  clock text check (clock in ('device', '12', '24')),
  start_side text check (start_side in ('last', 'work', 'hire')),
  updated_at timestamptz not null,
  -- The language of screens, mails and pushes. Null: never chosen, so each device has its own and mail is in English.
  language text check (language in ('en', 'nl', 'de', 'fr', 'es', 'ar'))
);

-- What happened to an account's sign-in, shown to its owner for 90 days. Failed tries are counted into one row an hour.
create table sign_in_events (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  kind text not null,
  -- The browser and system in words, as the account's owner reads them; no address, no place.
  device text not null,
  new_device boolean not null default false,
  tries integer not null default 1,
  happened_at timestamptz not null
);
create index sign_in_events_newest on sign_in_events (account_id, happened_at desc, id desc);
create index sign_in_events_age on sign_in_events (happened_at);

-- An email change: pending until both addresses confirm, then undoable for a while. Tokens are hashes.
create table email_changes (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  old_email text not null,
  new_email text not null,
  status text not null check (status in ('open', 'done', 'cancelled', 'undone')),
  old_token_hash text not null,
  new_token_hash text not null,
  undo_token_hash text,
  old_confirmed_at timestamptz,
  new_confirmed_at timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  done_at timestamptz,
  undo_until timestamptz
);
create unique index email_changes_open on email_changes (account_id) where status = 'open';
create unique index email_changes_old_token on email_changes (old_token_hash);
create unique index email_changes_new_token on email_changes (new_token_hash);
create unique index email_changes_undo_token on email_changes (undo_token_hash) where undo_token_hash is not null;
create index email_changes_account on email_changes (account_id, created_at desc);

create table second_factors (
  id uuid primary key,
  secret text not null,
  backup_codes text not null,
  account_id uuid not null references accounts (id) on delete cascade,
  verified boolean default true,
  failed_verification_count integer default 0,
  locked_until timestamptz,
  -- Ours: when a code confirmed it. What was turned on during an email change that is undone goes with it (ADR 157).
  turned_on_at timestamptz
);
create index second_factors_secret on second_factors (secret);
create unique index second_factors_account on second_factors (account_id);

-- Copies of an account's data, made on request (ADR 159). The file is in the file store under the key `export-<id>` until it expires.
create table data_exports (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  status text not null check (status in ('running', 'ready', 'failed', 'expired')),
  bytes bigint,
  requested_at timestamptz not null,
  ready_at timestamptz,
  expires_at timestamptz,
  check ((status in ('ready', 'expired')) = (bytes is not null and ready_at is not null and expires_at is not null))
);
create index data_exports_account on data_exports (account_id, requested_at desc);
create unique index data_exports_one on data_exports (account_id) where status = 'running';
create index data_exports_kept on data_exports (expires_at) where status = 'ready';
create index data_exports_running on data_exports (requested_at) where status = 'running';

-- Requests to delete an account (ADR 160). `postponed`: it was due, and something kept the account from being removed.
create table account_deletions (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  status text not null check (status in ('scheduled', 'postponed', 'undone', 'removed')),
  requested_at timestamptz not null,
  delete_at timestamptz not null,
  ended_at timestamptz,
  check ((status in ('undone', 'removed')) = (ended_at is not null))
);
create index account_deletions_account on account_deletions (account_id);
create unique index account_deletions_one on account_deletions (account_id) where status in ('scheduled', 'postponed');
-- Money that reaches a removed account or a closed business is a case (ADR 160). Its source looks up the balances of these owners only.
create index account_deletions_removed on account_deletions (account_id) where status = 'removed';

-- Mailed codes that confirm a deletion where there is no password; only the hash.
create table account_deletion_codes (
  account_id uuid primary key references accounts (id) on delete cascade,
  code_hash bytea not null,
  tries integer not null default 0,
  sent_at timestamptz not null,
  -- How many were sent since `first_at`, within a day.
  sent_count integer not null,
  first_at timestamptz not null,
  expires_at timestamptz not null
);

-- Invitations to a business: by email, or by a link that several may use. The token itself is never stored.
create table team_invitations (
  id uuid primary key,
  business_id uuid not null references businesses (id),
  role text not null check (role in ('owner', 'manager', 'recruiter', 'coordinator', 'finance')),
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
  branch_ids uuid[]
    check (branch_ids is null or cardinality(branch_ids) > 0 and role in ('recruiter', 'coordinator')),
  check (email is null or max_uses = 1),
  check (email is not null or role <> 'owner')
);
create index team_invitations_newest on team_invitations (business_id, created_at desc, id desc);
create unique index team_invitations_open on team_invitations (business_id, email) where status = 'open' and email is not null;
create index team_invitations_inviter on team_invitations (invited_by) where status = 'open';
create index team_invitations_asker on team_invitations (asked_by) where asked_by is not null;
-- Invitations that someone has received, by their address.
create index team_invitations_received on team_invitations (email, created_at desc) where status = 'open' and email is not null;

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
  -- Booked shifts that their worker gives away to a colleague or the waitlist (ADR 385).
  giveaways text not null default 'approval' check (giveaways in ('off', 'approval', 'free')),
  -- For keys of rows that must name a branch of their own business.
  unique (business_id, id)
);
create unique index branches_open_name on branches (business_id, lower(name)) where closed_at is null;

-- Keys that sign in without a password (ADR 169): only the public half. Bytes are base64url.
create table passkeys (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  name text not null,
  credential_id text not null,
  public_key text not null,
  -- How often the authenticator says it was used; 0 if it doesn't count.
  counter bigint not null,
  transports text[] not null,
  synced boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create unique index passkeys_credential on passkeys (credential_id);
create index passkeys_account on passkeys (account_id, created_at desc, id desc);

-- An open question to an authenticator, answered once. `holder` is the session, the browser or the pending sign-in that asked.
create table passkey_questions (
  purpose text not null check (purpose in ('add', 'confirm', 'sign-in', 'second-step')),
  holder text not null,
  challenge text not null,
  expires_at timestamptz not null,
  primary key (purpose, holder)
);
create index passkey_questions_age on passkey_questions (expires_at);

-- Codes of an authenticator app that were used or are being checked: each signs in once.
create table second_step_codes (
  account_id uuid not null references accounts (id) on delete cascade,
  code_hash text not null,
  used_at timestamptz not null,
  primary key (account_id, code_hash)
);

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

-- When a session last proved its second factor, and when it last worked as an operator: staff confirm again after a pause (ADR 181).
create table second_factor_checks (
  session_id uuid primary key references sessions (id) on delete cascade,
  method text not null check (method in ('totp', 'recovery_code', 'passkey')),
  confirmed_at timestamptz not null,
  active_at timestamptz not null
);

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
create index identity_checks_asked on identity_checks (id) where status = 'needs_info';

-- Its photos, until 30 days after the decision.
create table identity_photos (
  file_id uuid primary key references files (id),
  check_id uuid not null references identity_checks (id) on delete cascade,
  side text not null check (side in ('front', 'back', 'selfie')),
  unique (check_id, side)
);

-- A certificate with an end, decided once by staff (ADR 183).
create table certificates (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  kind text not null check (kind in ('food_hygiene', 'driving_licence', 'first_aid')),
  -- The name in the account when it was sent: what the certificate is compared with.
  name text not null,
  -- Its last day.
  expires_on date not null,
  -- `needs_copy`: the refusal was reversed after the copy was deleted, so its owner sends another one.
  status text not null check (status in ('submitted', 'checked', 'refused', 'needs_copy', 'expired', 'replaced')),
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

-- Everything that happened to a sign-in, for investigations (ADR 12). Written by triggers, so no code path can leave it out, and never
-- changed: rows can only be deleted once they are a year old. Accounts are named by a hash, which says nothing once they are gone.
create table sign_in_log (
  no bigint generated always as identity primary key,
  at timestamptz(3) not null default clock_timestamp(),
  subject bytea not null check (octet_length(subject) = 32),
  kind text not null,
  device text not null
);
create index sign_in_log_subject on sign_in_log (subject, no desc);
create index sign_in_log_age on sign_in_log (at);

create function sign_in_subject(account uuid) returns bytea language sql immutable as $$
  select sha256(convert_to('sign-in ' || account::text, 'UTF8'))
$$;

create function sign_in_log_refuse() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and tg_level = 'ROW' then
    if old.at < clock_timestamp() - interval '1 year' then
      return old;
    end if;
  end if;
  raise exception 'the sign-in log refuses % on %', lower(tg_op), tg_table_name
    using errcode = 'LG005', constraint = 'sign_in_log_immutable';
end $$;

create trigger immutable before update or delete on sign_in_log for each row execute function sign_in_log_refuse();
create trigger kept before truncate on sign_in_log execute function sign_in_log_refuse();

create function sign_in_log_event() returns trigger language plpgsql as $$
begin
  insert into sign_in_log (subject, kind, device) values (sign_in_subject(new.account_id), new.kind, new.device);
  return null;
end $$;

create trigger logged after insert on sign_in_events for each row execute function sign_in_log_event();
-- Failures within an hour are counted in one event.
create trigger logged_again after update of tries on sign_in_events for each row execute function sign_in_log_event();

create function sign_in_log_session() returns trigger language plpgsql as $$
begin
  insert into sign_in_log (subject, kind, device) values
    (sign_in_subject(coalesce(new.account_id, old.account_id)), case tg_op when 'INSERT' then 'session-opened' else 'session-ended' end, '');
  return null;
end $$;

create trigger logged after insert or delete on sessions for each row execute function sign_in_log_session();

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

-- A verified address is set by this function only (ADR 364): its callers see to what the account may keep. A new account has nothing to
-- lose, so it may start with an address that its provider verified.
-- `known` is the address that the account must still have; null for any.
create function prove_mailbox(account uuid, known text, proven text, at timestamptz) returns boolean language plpgsql as $$
declare
  changed boolean;
begin
  perform set_config('nearhand.proven_account', account::text, true);
  update accounts set email = proven, email_verified = true, updated_at = at
  where id = account and email = coalesce(known, email) and (email <> proven or not email_verified);
  changed := found;
  perform set_config('nearhand.proven_account', '', true);
  return changed;
end $$;

create function accounts_refuse_unproven() returns trigger language plpgsql as $$
begin
  if current_setting('nearhand.proven_account', true) = new.id::text then
    return new;
  end if;
  raise exception 'only a proof of its mailbox verifies an address'
    using errcode = 'LG006', constraint = 'accounts_proven_mailbox';
end $$;

create trigger proven before update of email, email_verified on accounts for each row
  when (new.email_verified and (not old.email_verified or new.email <> old.email))
  execute function accounts_refuse_unproven();

-- The networks and browsers that an account signed in from. They outlive its sessions, so that accounts of one person are found before a
-- reward is paid (ADR 155). Removed with the account, and half a year after they were last seen.
create table account_networks (
  account_id uuid not null references accounts (id) on delete cascade,
  ip_address text not null,
  -- A /24 or a /56.
  network text not null,
  user_agent text not null,
  last_seen_at timestamptz not null,
  primary key (account_id, ip_address, user_agent)
);
create index account_networks_network on account_networks (network);
create index account_networks_age on account_networks (last_seen_at);

-- A trigger, because sessions begin in several ways and each of them counts.
create function remember_network() returns trigger language plpgsql as $$
begin
  if coalesce(new.ip_address, '') <> '' then
    insert into account_networks (account_id, ip_address, network, user_agent, last_seen_at)
      values (new.account_id, new.ip_address, network_of(new.ip_address), coalesce(new.user_agent, ''), new.updated_at)
      on conflict (account_id, ip_address, user_agent) do update set last_seen_at = excluded.last_seen_at;
  end if;
  return null;
end $$;

create trigger remember_network after insert or update of ip_address, user_agent on sessions
  for each row execute function remember_network();

-- Answers of VIES about VAT ids, which prove that a check was made; an id without a recent one is unknown.
create table vat_id_checks (
  id uuid primary key,
  vat_id text not null,
  valid boolean not null,
  consultation_number text not null,
  registered_name text not null,
  at timestamptz not null
);
create index vat_id_checks_latest on vat_id_checks (vat_id, at desc);
