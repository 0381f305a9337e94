-- Fewer round trips on the paths of frequent writes (ADR 116).

-- The lock of an idempotency key, then its row. Each statement of a function has a snapshot of its own, so the row is as the lock found it.
create function claim_key(of_account uuid, of_key text, out locked boolean, out request_hash bytea, out response json)
language plpgsql as $$
begin
  locked := pg_try_advisory_xact_lock(hashtextextended(of_account || '/' || of_key, 0));
  if not locked then return; end if;
  select kept.request_hash, kept.response into claim_key.request_hash, claim_key.response
  from idempotency_keys kept where kept.account_id = of_account and kept.key = of_key;
end $$;

-- A task that is due later, under a key that no other task has. Unlike add_job it wakes no worker: they look for due tasks every two seconds.
create function add_timer(named text, given json, due timestamptz, under text, tries integer) returns void
language plpgsql as $$
begin
  insert into graphile_worker._private_jobs (task_id, payload, run_at, max_attempts, key)
  select task.id, given, due, tries, under from graphile_worker._private_tasks task where task.identifier = named;
  -- The queue knows a kind of task once a process that runs it has started.
  if not found then
    perform graphile_worker.add_job(named, payload => given, run_at => due, job_key => under, max_attempts => tries);
  end if;
end $$;

-- Posts a work event as the next message of its conversation, which gets the id `opening` if there is none yet; without one it is dropped.
drop function chat_say(uuid, uuid, uuid, text, jsonb, text, timestamptz);
create function chat_say(
  message_id uuid, of_job uuid, of_worker uuid, said text, said_data jsonb, said_key text, said_at timestamptz, opening uuid default null,
  out conversation_id uuid, out business_id uuid, out seq integer, out rev integer
) language plpgsql as $$
declare
  place conversations%rowtype;
begin
  select * into place from conversations where job_id = of_job and worker_id = of_worker for no key update;
  if not found and opening is not null then
    insert into conversations (id, job_id, worker_id, business_id, last_seq, rev, created_at, last_at)
    select opening, job.id, of_worker, job.business_id, 1, 1, said_at, said_at from jobs job where job.id = of_job
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
