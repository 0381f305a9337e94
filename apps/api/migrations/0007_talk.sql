-- Talk: notifications and conversations.

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
-- Notices that ask, by age, for the daily task that settles them (ADR 16).
create index notifications_asking on notifications (created_at, id) where asks;

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
-- Deliveries that keep failing, for the state of mail and push.
create index notification_deliveries_failing on notification_deliveries (channel) where state = 'queued' and attempts > 1;

-- One conversation about a job with one worker (product.md, Conversation). It lives as long as the job: edits, withdrawals and new
-- applications don't affect it. Whether it is read-only is derived from the application and the engagement on read (ADR 92); no timer
-- writes it.
create table conversations (
  id uuid primary key,
  job_id uuid not null references jobs (id),
  worker_id uuid not null references accounts (id),
  business_id uuid not null references businesses (id),
  -- The sequence number of its newest message and its newest revision; both are incremented under this row's lock (ADR 92).
  last_seq integer not null default 0,
  rev integer not null default 0,
  -- How many messages each side wrote, and the sequence number of its last one: unread is a difference, not a row count.
  worker_sent integer not null default 0,
  business_sent integer not null default 0,
  worker_last_seq integer not null default 0,
  business_last_seq integer not null default 0,
  -- Who has been waiting for an answer since when, and the seconds each side's last answers took, newest last.
  waiting_side text check (waiting_side in ('worker', 'business')),
  waiting_since timestamptz,
  worker_waits integer[] not null default '{}',
  business_waits integer[] not null default '{}',
  frozen_at timestamptz,
  created_at timestamptz not null,
  last_at timestamptz not null,
  unique (job_id, worker_id)
) with (fillfactor = 80);
create index conversations_worker on conversations (worker_id, last_at desc, id desc);
create index conversations_business on conversations (business_id, last_at desc, id desc);
create index conversations_job on conversations (job_id, last_at desc, id desc);

create table messages (
  conversation_id uuid not null references conversations (id) on delete cascade,
  seq integer not null check (seq > 0),
  id uuid not null,
  -- Of its last change.
  rev integer not null,
  -- Null for a system line.
  author_id uuid references accounts (id),
  side text check (side in ('worker', 'business')),
  client_id uuid,
  body text not null default '',
  -- A work event instead of text; `line_key` deduplicates it.
  line text,
  line_data jsonb,
  line_key text,
  reply_to integer,
  warnings text[] not null default '{}',
  -- Its number among its side's messages, and the other side's count before it.
  worker_nth integer not null,
  business_nth integer not null,
  edited_at timestamptz,
  redacted_at timestamptz,
  at timestamptz not null,
  primary key (conversation_id, seq),
  check ((author_id is null) = (line is not null) and (author_id is null) = (side is null))
);
create unique index messages_rev on messages (conversation_id, rev);
create unique index messages_client on messages (conversation_id, author_id, client_id) where client_id is not null;
create index messages_answers on messages (conversation_id, reply_to) where reply_to is not null;
create unique index messages_line on messages (conversation_id, line_key) where line_key is not null;

-- A file is sent once. `withdrawn_at`: its message was redacted, and only an operator may read it if it was reported.
create table message_files (
  file_id uuid primary key references files (id),
  conversation_id uuid not null,
  seq integer not null,
  place smallint not null,
  withdrawn_at timestamptz,
  foreign key (conversation_id, seq) references messages (conversation_id, seq) on delete cascade
);
create index message_files_of on message_files (conversation_id, seq);
-- For housekeeping.
create index message_files_withdrawn on message_files (withdrawn_at) where withdrawn_at is not null;

create table message_reactions (
  conversation_id uuid not null,
  seq integer not null,
  account_id uuid not null references accounts (id),
  reaction text not null check (reaction in ('thumbs-up', 'heart', 'check', 'smiley', 'hands-clapping', 'question')),
  primary key (conversation_id, seq, account_id),
  foreign key (conversation_id, seq) references messages (conversation_id, seq) on delete cascade
);

-- Text that was deleted or edited away, for operators if the message is reported; deleted after a while (ADR 94).
create table redacted_words (
  conversation_id uuid not null,
  seq integer not null,
  body text not null,
  at timestamptz not null,
  -- How many of the last characters are the text that the message had when it was removed; null where it can't be given back.
  last_length integer,
  primary key (conversation_id, seq),
  foreign key (conversation_id, seq) references messages (conversation_id, seq) on delete cascade
);
create index redacted_words_at on redacted_words (at);

-- How far an account has read a conversation, and whether it is muted.
create table conversation_readers (
  conversation_id uuid not null references conversations (id) on delete cascade,
  account_id uuid not null references accounts (id),
  delivered_seq integer not null default 0,
  read_seq integer not null default 0,
  muted boolean not null default false,
  primary key (conversation_id, account_id)
);
create index conversation_readers_account on conversation_readers (account_id);

-- A side that blocked the other, in all their conversations.
create table chat_blocks (
  worker_id uuid not null references accounts (id),
  business_id uuid not null references businesses (id),
  side text not null check (side in ('worker', 'business')),
  by_account uuid not null references accounts (id),
  at timestamptz not null,
  primary key (worker_id, business_id, side)
);

create table chat_reports (
  id uuid primary key,
  conversation_id uuid not null references conversations (id),
  seq integer,
  account_id uuid not null references accounts (id),
  side text not null check (side in ('worker', 'business')),
  reason text not null check (reason in ('harassment', 'scam', 'off-platform', 'spam', 'illegal', 'other')),
  note text not null,
  at timestamptz not null,
  decision text check (decision in ('dismiss', 'redact', 'freeze')),
  decided_by uuid references accounts (id),
  decision_reason text,
  decided_at timestamptz,
  -- For a `freeze`: who lifted it, when and why.
  lifted_by uuid references accounts (id),
  lift_reason text,
  lifted_at timestamptz,
  contested_id uuid unique,
  contested_by uuid,
  check ((decision is null) = (decided_at is null)),
  check (lifted_at is null or decision = 'freeze'),
  constraint chat_reports_decision unique (id, decided_by),
  constraint chat_reports_contested foreign key (contested_id, contested_by) references chat_reports (id, decided_by),
  constraint chat_reports_by_another check (decided_by <> contested_by),
  check (num_nonnulls(contested_id, contested_by) in (0, 2))
);
create index chat_reports_frozen on chat_reports (decided_at, id) where decision = 'freeze' and lifted_at is null;
create index chat_reports_open on chat_reports (at, id) where decided_at is null;
-- What an operator reads about a person (docs/architecture.md, Cases): reports in chats by and about them, and cards and bank accounts that
-- they share with others, removed ones too.
create index chat_reports_account on chat_reports (account_id, at desc, id desc);
create index chat_reports_conversation on chat_reports (conversation_id);
create unique index chat_reports_once on chat_reports (conversation_id, account_id, coalesce(seq, 0))
  where decided_at is null and contested_id is null;

-- An account's chat privacy settings and quick replies. No row: show everything, no replies.
create table chat_settings (
  account_id uuid primary key references accounts (id) on delete cascade,
  shows_typing boolean not null default true,
  shows_last_seen boolean not null default true,
  shows_read boolean not null default true,
  quick_replies text[] not null default '{}'
);

-- How much an account wrote in this second and this minute, over all server processes.
create table chat_paces (
  account_id uuid primary key references accounts (id) on delete cascade,
  second_at timestamptz not null,
  second_count integer not null,
  minute_at timestamptz not null,
  minute_count integer not null
) with (fillfactor = 50);

-- Whether a span that began then is over; also if the clock was set back since, so that nobody waits for it.
create function chat_begins_anew(now timestamptz, began timestamptz, span interval) returns boolean language sql immutable parallel safe
  return now >= began + span or now < began - interval '1 minute';

-- The last nine answers are enough for a median that a bad day does not spoil.
create function chat_wait_added(waits integer[], wait interval) returns integer[] language sql immutable parallel safe
  return (waits || least(greatest(extract(epoch from wait), 0), 2000000000)::integer)[greatest(1, cardinality(waits) - 7):];

-- Appends a message to its conversation in one round trip under the row's lock: sequence numbers have no gaps, and a device that resends
-- gets the stored one (ADR 92). A no-key lock: receipts and mutes reference the row and must not wait for it, since it waits for them.
-- `outcome`: sent, known (this clientId is stored already), blocked, frozen, too-fast; `wait` says how long to wait for the last.
create function chat_send(
  message_id uuid, to_conversation uuid, by_account uuid, by_side text, client uuid, words text, answers integer, warned text[], file_ids uuid[],
  sent_at timestamptz, burst integer, per_minute integer,
  out outcome text, out seq integer, out rev integer, out wait double precision
) language plpgsql as $$
declare
  place conversations%rowtype;
  pace chat_paces%rowtype;
  answered boolean;
begin
  select * into place from conversations where id = to_conversation for no key update;
  select message.seq into seq from messages message
    where message.conversation_id = to_conversation and message.author_id = by_account and message.client_id = client;
  if found then
    outcome := 'known'; rev := place.rev; return;
  end if;
  if place.frozen_at is not null then outcome := 'frozen'; return; end if;
  if exists (select from chat_blocks where worker_id = place.worker_id and business_id = place.business_id) then outcome := 'blocked'; return; end if;

  insert into chat_paces as kept values (by_account, sent_at, 1, sent_at, 1)
  on conflict (account_id) do update set
    second_at = case when chat_begins_anew(sent_at, kept.second_at, interval '1 second') then sent_at else kept.second_at end,
    second_count = case when chat_begins_anew(sent_at, kept.second_at, interval '1 second') then 1 else kept.second_count + 1 end,
    minute_at = case when chat_begins_anew(sent_at, kept.minute_at, interval '1 minute') then sent_at else kept.minute_at end,
    minute_count = case when chat_begins_anew(sent_at, kept.minute_at, interval '1 minute') then 1 else kept.minute_count + 1 end
  returning * into pace;
  if pace.minute_count > per_minute or pace.second_count > burst then
    outcome := 'too-fast';
    wait := extract(epoch from case when pace.minute_count > per_minute
      then pace.minute_at + interval '1 minute' else pace.second_at + interval '1 second' end - sent_at);
    return;
  end if;

  outcome := 'sent'; seq := place.last_seq + 1; rev := place.rev + 1;
  answered := place.waiting_side is not null and place.waiting_side <> by_side;
  insert into messages (conversation_id, seq, id, rev, author_id, side, client_id, body, reply_to, warnings, worker_nth, business_nth, at)
  values (to_conversation, chat_send.seq, message_id, chat_send.rev, by_account, by_side, client, words, answers, warned,
    place.worker_sent + (by_side = 'worker')::integer, place.business_sent + (by_side = 'business')::integer, sent_at);
  if cardinality(file_ids) > 0 then
    insert into message_files (file_id, conversation_id, seq, place)
    select file.id, to_conversation, chat_send.seq, file.place from unnest(file_ids) with ordinality as file (id, place);
  end if;
  update conversations set
    last_seq = chat_send.seq, rev = chat_send.rev, last_at = greatest(last_at, sent_at),
    worker_sent = worker_sent + (by_side = 'worker')::integer, business_sent = business_sent + (by_side = 'business')::integer,
    worker_last_seq = case by_side when 'worker' then chat_send.seq else worker_last_seq end,
    business_last_seq = case by_side when 'business' then chat_send.seq else business_last_seq end,
    waiting_side = by_side, waiting_since = case when waiting_side = by_side then waiting_since else sent_at end,
    worker_waits = case when answered and by_side = 'worker'
      then chat_wait_added(worker_waits, sent_at - waiting_since) else worker_waits end,
    business_waits = case when answered and by_side = 'business'
      then chat_wait_added(business_waits, sent_at - waiting_since) else business_waits end
  where id = to_conversation;
  -- A writer has read everything before.
  insert into conversation_readers as reader (conversation_id, account_id, delivered_seq, read_seq)
  values (to_conversation, by_account, chat_send.seq, chat_send.seq)
  on conflict (conversation_id, account_id) do update set delivered_seq = excluded.delivered_seq, read_seq = excluded.read_seq;
  delete from unread_conversations where conversation_id = to_conversation and account_id = by_account;
  -- In one order, so that two messages to the same people don't deadlock.
  insert into unread_conversations as unread (conversation_id, account_id, business_id, seq, last_at)
  select to_conversation, reader.account_id, reader.business_id, chat_send.seq, sent_at from (
    select place.worker_id as account_id, null::uuid as business_id where by_side = 'business'
    union all
    select member.account_id, member.business_id from business_members member
    where by_side = 'worker' and member.business_id = place.business_id and member.account_id not in (place.worker_id, by_account)
  ) reader order by reader.account_id
  on conflict (conversation_id, account_id) do update set seq = excluded.seq, last_at = excluded.last_at;
end $$;

-- Who is online, and which conversation they see (ADR 90). Updated every minute by the process with their sockets, so it is unlogged:
-- after a database crash it is empty, and correct again a minute later.
create unlogged table presence (
  account_id uuid primary key references accounts (id) on delete cascade,
  last_seen_at timestamptz not null,
  -- Online until then, unless renewed.
  online_until timestamptz not null,
  -- The open conversation, until then.
  looking uuid,
  looking_until timestamptz,
  -- The server process that wrote last: another process's disconnect does not end this one's presence.
  process uuid not null
) with (fillfactor = 60);

-- One conversation for a series: what is said about one of its shifts goes to the conversation that the worker has about another.
create function series_conversation(of_job uuid, of_worker uuid) returns uuid language sql stable as $$
  select conversation.id from jobs own join jobs other on other.series_id = own.series_id
    join conversations conversation on conversation.job_id = other.id and conversation.worker_id = of_worker
  where own.id = of_job order by conversation.created_at, conversation.id limit 1
$$;

create function chat_say(
  message_id uuid, of_job uuid, of_worker uuid, said text, said_data jsonb, said_key text, said_at timestamptz, opening uuid default null,
  out conversation_id uuid, out business_id uuid, out seq integer, out rev integer
) language plpgsql as $$
declare
  place conversations%rowtype;
  business uuid;
  series uuid;
begin
  select * into place from conversations where job_id = of_job and worker_id = of_worker for no key update;
  if not found then
    select job.business_id, job.series_id into business, series from jobs job where job.id = of_job;
    if series is not null then
      select * into place from conversations where id = series_conversation(of_job, of_worker) for no key update;
    end if;
  end if;
  if place.id is null and business is not null and opening is not null then
    insert into conversations (id, job_id, worker_id, business_id, last_seq, rev, created_at, last_at)
    values (opening, of_job, of_worker, business, 1, 1, said_at, said_at)
    on conflict (job_id, worker_id) do nothing returning * into place;
    if found then
      insert into messages (conversation_id, seq, id, rev, line, line_data, line_key, worker_nth, business_nth, at)
      values (place.id, 1, message_id, 1, said, said_data, said_key, 0, 0, said_at);
      conversation_id := place.id; business_id := place.business_id; seq := 1; rev := 1;
      return;
    end if;
    -- Someone else opened it in the meantime.
    select * into place from conversations where job_id = of_job and worker_id = of_worker for no key update;
  end if;
  if place.id is null then return; end if;
  if said_key is not null and exists (
    select from messages message where message.conversation_id = place.id and message.line_key = said_key) then return; end if;
  conversation_id := place.id; business_id := place.business_id; seq := place.last_seq + 1; rev := place.rev + 1;
  insert into messages (conversation_id, seq, id, rev, line, line_data, line_key, worker_nth, business_nth, at)
  values (place.id, chat_say.seq, message_id, chat_say.rev, said, said_data, said_key, place.worker_sent, place.business_sent, said_at);
  update conversations set last_seq = chat_say.seq, rev = chat_say.rev, last_at = greatest(last_at, said_at) where id = place.id;
end $$;

-- Who has not read a conversation to its last message by the other side: counted and listed through one index, however many there are
-- (ADR 143). Every member of the business has rows; who may see a job, and since when, is decided on reading.
create table unread_conversations (
  conversation_id uuid not null references conversations (id) on delete cascade,
  account_id uuid not null references accounts (id) on delete cascade,
  -- Null for the worker of the conversation.
  business_id uuid,
  -- The last message by the other side.
  seq integer not null,
  last_at timestamptz not null,
  primary key (conversation_id, account_id)
);
create index unread_conversations_newest on unread_conversations (account_id, business_id, last_at desc, conversation_id desc);
