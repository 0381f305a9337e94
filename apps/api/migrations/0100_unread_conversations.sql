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

insert into unread_conversations
select conversation.id, conversation.worker_id, null, message.seq, message.at
from conversations conversation
join messages message on message.conversation_id = conversation.id and message.seq = conversation.business_last_seq
left join conversation_readers reader on reader.conversation_id = conversation.id and reader.account_id = conversation.worker_id
where message.seq > coalesce(reader.read_seq, 0)
union all
select conversation.id, member.account_id, member.business_id, message.seq, message.at
from conversations conversation
join messages message on message.conversation_id = conversation.id and message.seq = conversation.worker_last_seq
join business_members member on member.business_id = conversation.business_id and member.account_id <> conversation.worker_id
left join conversation_readers reader on reader.conversation_id = conversation.id and reader.account_id = member.account_id
where message.seq > coalesce(reader.read_seq, 0);

-- As in 0024, and it keeps who has not read.
create or replace function chat_send(
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
