-- Help: what readers think of articles, requests to Nearhand's staff, and staff's messages about the service.

-- One answer per article and reader: an account, or a guest's device by the hash of its id.
create table help_votes (
  article text not null,
  account_id uuid references accounts (id) on delete cascade,
  device text,
  -- Hashes of a guest's network and the wider ones around it, to limit how many answers each gives.
  networks text[],
  helpful boolean not null,
  voted_at timestamptz not null,
  check ((account_id is null) = (device is not null)),
  check ((device is null) = (networks is null))
);
create unique index help_votes_account on help_votes (account_id, article) where account_id is not null;
create unique index help_votes_device on help_votes (device, article) where device is not null;
create index help_votes_networks on help_votes using gin (networks);

create table tickets (
  id uuid primary key,
  account_id uuid references accounts (id),
  -- Of someone without an account; they confirm it before staff sees the ticket.
  email text,
  name text not null,
  -- Hashes of a guest's network and the wider ones around it, to limit how many requests each makes.
  networks text[],
  category text not null check (category in ('account', 'finding_work', 'on_the_job', 'hiring', 'payments', 'safety', 'problem', 'other')),
  subject text not null,
  -- Where in the app it was written, and the records that the person agreed to send: [{"kind", "id"}].
  page text not null,
  refs jsonb not null,
  status text not null check (status in ('unconfirmed', 'open', 'waiting', 'solved')),
  -- Since when it is pending with staff.
  open_since timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((account_id is null) = (email is not null)),
  check ((account_id is null) = (networks is not null)),
  check (status <> 'unconfirmed' or account_id is null)
);
create index tickets_account on tickets (account_id, updated_at desc, id desc) where account_id is not null;
create index tickets_written on tickets (account_id, created_at) where account_id is not null;
create index tickets_queue on tickets (open_since, id) where status = 'open';
create index tickets_email on tickets (email, created_at) where email is not null;
create index tickets_networks on tickets using gin (networks) where networks is not null;
create index tickets_unconfirmed on tickets (created_at) where status = 'unconfirmed';

create table ticket_messages (
  id uuid primary key,
  ticket_id uuid not null references tickets (id) on delete cascade,
  author text not null check (author in ('requester', 'staff')),
  account_id uuid references accounts (id),
  body text not null,
  -- The Message-ID of a reply by mail: received again, it is stored once.
  mail_id text,
  -- Attachments of a mail that could not be accepted.
  files_refused integer not null default 0,
  at timestamptz not null
);
create index ticket_messages_of on ticket_messages (ticket_id, at, id);
create unique index ticket_messages_mail on ticket_messages (ticket_id, mail_id) where mail_id is not null;
create index ticket_messages_account on ticket_messages (account_id, at) where account_id is not null;

create table ticket_files (
  file_id uuid primary key references files (id),
  message_id uuid not null references ticket_messages (id) on delete cascade,
  place smallint not null
);
create index ticket_files_of on ticket_files (message_id, place);

create table ticket_moves (
  id uuid primary key,
  ticket_id uuid not null references tickets (id) on delete cascade,
  action text not null,
  to_status text not null,
  -- Null for a guest.
  account_id uuid references accounts (id),
  at timestamptz not null
);
create index ticket_moves_of on ticket_moves (ticket_id, at);
create index ticket_moves_account on ticket_moves (account_id) where account_id is not null;

create table service_messages (
  id uuid primary key,
  text text not null,
  starts_at timestamptz not null,
  ends_at timestamptz,
  posted_by uuid not null references accounts (id),
  created_at timestamptz not null,
  check (ends_at is null or ends_at >= starts_at)
);
create index service_messages_newest on service_messages (starts_at desc, id desc);
create index service_messages_account on service_messages (posted_by);

-- Deliveries that keep failing, for the state of mail and push.
create index notification_deliveries_failing on notification_deliveries (channel) where state = 'queued' and attempts > 1;

alter table files drop constraint files_purpose_check;
alter table files add constraint files_purpose_check check (purpose in ('photo', 'logo', 'cv', 'work', 'chat', 'ticket'));
