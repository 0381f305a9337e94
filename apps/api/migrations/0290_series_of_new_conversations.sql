-- Reads the job once, and looks for the conversation of a series only for a shift of one: most jobs have none.
create or replace function chat_say(
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
