create table notifications (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  topic text not null,
  data jsonb not null,
  path text not null,
  dedupe_key text not null,
  -- Unread notices of the same group are shown as one.
  group_key text,
  -- While unread, it is replaced by the next one of its group.
  replaceable boolean not null default false,
  -- Not in the inbox: the reader turned that off, but mail or push need its text.
  hidden boolean not null default false,
  -- It asks its reader for an action, until this time if known.
  asks boolean not null default false,
  asks_until timestamptz,
  created_at timestamptz not null,
  read_at timestamptz,
  opened_at timestamptz,
  unique (account_id, dedupe_key)
);
create index notifications_inbox on notifications (account_id, created_at desc, id desc);
-- Counted on every view of the inbox, index-only (ADR 143).
create index notifications_unread on notifications (account_id, topic) where read_at is null and not hidden;
create index notifications_waiting on notifications (account_id, created_at desc) where asks;
-- Whether it was repeated since.
create index notifications_again on notifications (account_id, path) where asks;
-- What is opened together.
create index notifications_group on notifications (account_id, group_key) where group_key is not null and opened_at is null;
create unique index notifications_replaced on notifications (account_id, group_key) where replaceable and read_at is null;
-- Who was notified of a conversation, even if they have left it: redacted text is removed there too.
create index notifications_quoting on notifications (group_key) where replaceable;
-- For housekeeping.
create index notifications_age on notifications (created_at, id);

create table notification_settings (
  account_id uuid primary key references accounts (id) on delete cascade,
  quiet_on boolean not null default false,
  quiet_from text not null default '22:00',
  quiet_to text not null default '07:00',
  -- Null: not chosen; the server derives it from what it knows of the person (ADR 95).
  time_zone text
);

-- What differs from a topic's defaults.
create table notification_choices (
  account_id uuid not null references accounts (id) on delete cascade,
  topic text not null,
  channel text not null check (channel in ('app', 'push', 'email')),
  choice text not null check (choice in ('on', 'daily', 'off')),
  primary key (account_id, topic, channel)
);

-- Browsers and apps with push. They belong to a session and are deleted with it: after signing out, nothing is pushed to that device.
create table notification_devices (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  session_id uuid not null references sessions (id) on delete cascade,
  kind text not null check (kind in ('web', 'android', 'ios')),
  -- The subscription's address, or the app's token: one device, whoever is signed in on it.
  target text not null,
  -- Its SHA-256: a token may have 4 KB, more than an index entry can hold.
  target_hash text not null unique,
  p256dh text,
  auth text,
  label text not null,
  added_at timestamptz not null,
  renewed_at timestamptz not null,
  last_used_at timestamptz,
  check ((kind = 'web') = (p256dh is not null and auth is not null))
);
create index notification_devices_account on notification_devices (account_id);
create index notification_devices_session on notification_devices (session_id);

-- Addresses that the recipient's server rejected; applies while the account has that address.
create table notification_refusals (
  account_id uuid primary key references accounts (id) on delete cascade,
  address text not null,
  answer text not null,
  refused_at timestamptz not null
);

-- One row per channel of a notice (product.md, Notification), written with it in the same transaction.
create table notification_deliveries (
  id uuid primary key,
  notification_id uuid not null references notifications (id) on delete cascade,
  account_id uuid not null,
  channel text not null check (channel in ('push', 'email')),
  -- No foreign key: what was sent stays recorded when the device is gone.
  device_id uuid,
  state text not null check (state in ('queued', 'sent', 'suppressed', 'failed')),
  reason text,
  due_at timestamptz not null,
  -- Waiting for the daily mail.
  daily boolean not null default false,
  attempts integer not null default 0,
  created_at timestamptz not null,
  done_at timestamptz,
  unique nulls not distinct (notification_id, channel, device_id)
);
create index notification_deliveries_daily on notification_deliveries (account_id) where daily and state = 'queued';
