-- What every domain uses: forms of text and place that can be searched, kept responses, mails that were handed over.

create extension if not exists btree_gist;
create extension if not exists cube;
create extension if not exists unaccent;
-- Words as written, without accents and without stemming: towns here mix languages.
create text search configuration nearhand (copy = simple);
alter text search configuration nearhand alter mapping for hword, hword_part, word with unaccent, simple;
-- Names for searching: without case and accents, matching any part (ADR 135).
create extension if not exists pg_trgm;

-- Responses by idempotency key.
create table idempotency_keys (
  account_id uuid not null,
  key text not null,
  operation text not null,
  request_hash bytea not null,
  response json not null,
  created_at timestamptz not null,
  primary key (account_id, key)
);
create index idempotency_keys_created on idempotency_keys (created_at);

-- Mail that development shows instead of sending.
create table mailbox_messages (
  id uuid primary key,
  recipient text not null,
  subject text not null,
  text text not null,
  html text not null,
  dedupe_key text not null unique,
  created_at timestamptz not null
);

-- The square of a point: a band of half a degree of latitude, cut into pieces about as wide as high.
create function geo_square(lat double precision, lng double precision) returns text language sql immutable parallel safe
  return least(359, floor((lat + 90) * 2)) || '.' || mod(floor((lng + 180) / 360
    * greatest(1, round(720 * cos(radians(least(359, floor((lat + 90) * 2)) / 2 - 89.75)))))::integer,
    greatest(1, round(720 * cos(radians(least(359, floor((lat + 90) * 2)) / 2 - 89.75))))::integer);

-- Letters that people write in more than one way: Arabic alef and its seats, and names with or without their apostrophe. Immutable as long
-- as unaccent's rules don't change; schema-qualified, so that it works under any search path.
create function folded_name(name text) returns text language sql immutable strict parallel safe
begin atomic
  select translate(unaccent(lower(name)), 'أإآٱىة''’‘ʼ`´', 'اااايه');
end;

-- What public addresses are made of (ADR 153): the last 50 bits of an id as ten digits, as `shortIdOf` makes them.
create function short_id(id uuid) returns text language sql immutable strict parallel safe
  return (select string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz',
      ((('x' || right(replace(id::text, '-', ''), 13))::bit(52)::bigint >> shift) & 31)::integer + 1, 1), '' order by shift desc)
    from generate_series(0, 45, 5) as shift);

-- A name in an address: lower case, without accents, words joined by hyphens; letters of other scripts stay.
create function slug_of(name text) returns text language sql immutable strict parallel safe
  return trim(both '-' from regexp_replace(lower(unaccent('unaccent', name)), '[\x01-\x2f\x3a-\x60\x7b-\x7f]+', '-', 'g'));

-- A text in which these words, whole and in any case, are replaced by "Former member".
create function without_words(body text, words text[]) returns text language plpgsql immutable as $$
declare
  word text;
begin
  foreach word in array words loop
    if length(word) >= 3 and strpos(lower(body), lower(word)) > 0 then
      body := regexp_replace(body,
        '(?<![[:alnum:]])' || regexp_replace(word, '([^[:alnum:][:space:]])', '\\\1', 'g') || '(?![[:alnum:]])',
        'Former member', 'gi');
    end if;
  end loop;
  return body;
end $$;

-- The same for every text in a JSON value; names of fields stay.
create function without_words(body jsonb, words text[]) returns jsonb language plpgsql immutable as $$
begin
  return case jsonb_typeof(body)
    when 'string' then to_jsonb(without_words(body #>> '{}', words))
    when 'object' then (select coalesce(jsonb_object_agg(key, without_words(value, words)), '{}') from jsonb_each(body))
    when 'array' then (select coalesce(jsonb_agg(without_words(value, words) order by place), '[]')
      from jsonb_array_elements(body) with ordinality as part (value, place))
    else body end;
end $$;

-- The last run of each daily check of the books and of the operators' log; the server's log has all of them.
create table audits (
  name text primary key check (name in ('ledger', 'operators-log', 'provider', 'statements')),
  at timestamptz not null,
  checked bigint,
  findings integer not null check (findings >= 0),
  first text[] not null
);

-- A text as it is searched: one form of each Arabic letter, and words with an apostrophe also without it, so that "oneill" finds O'Neill and
-- "hotel" still finds l'hôtel.
create function searchable(written text) returns text language sql immutable strict parallel safe
begin atomic
  select translate(written, 'أإآٱىة', 'اااايه') || coalesce(' ' || (
    select string_agg(regexp_replace(word[1], '[''’‘ʼ]', '', 'g'), ' ')
    from regexp_matches(written, '([[:alpha:]]+(?:[''’‘ʼ][[:alpha:]]+)+)', 'g') as word), '');
end;

-- The key of what is kept for good, such as the ledger's digests: once for each SECRET that opens it, encrypted with that one (ADR 12).
create table lasting_keys (
  secret_id text primary key check (secret_id ~ '^[0-9a-f]{16}$'),
  sealed bytea not null
);

-- The lock of an idempotency key, then its row, in one round trip (ADR 116). Each statement of a function has
-- a snapshot of its own, so the row is as the lock found it.
create function claim_key(of_account uuid, of_key text, out locked boolean, out request_hash bytea, out response json)
language plpgsql as $$
begin
  locked := pg_try_advisory_xact_lock(hashtextextended(of_account || '/' || of_key, 0));
  if not locked then return; end if;
  select kept.request_hash, kept.response into claim_key.request_hash, claim_key.response
  from idempotency_keys kept where kept.account_id = of_account and kept.key = of_key;
end $$;

-- Queues a task; one that waits under the same key is replaced. Does what graphile-worker's `add_job` does at a quarter of its processor
-- time (ADR 116), and leaves to it a kind of task that the queue doesn't know yet and a key whose task is running or failed for good.
-- Wakes no worker for a task that is due later: they look for due tasks every two seconds.
create function add_task(named text, given json, due timestamptz, under text, tries integer) returns void
language plpgsql as $$
begin
  insert into graphile_worker._private_jobs as job (task_id, payload, run_at, max_attempts, key)
  select task.id, given, due, tries, under from graphile_worker._private_tasks task where task.identifier = named
  on conflict (key) do update set task_id = excluded.task_id, payload = excluded.payload, run_at = excluded.run_at,
    max_attempts = excluded.max_attempts, attempts = 0, last_error = null, revision = job.revision + 1, updated_at = now()
    where job.is_available;
  if not found then
    perform graphile_worker.add_job(named, payload => given, run_at => due, job_key => under, max_attempts => tries);
  elsif due <= clock_timestamp() then
    perform pg_notify('jobs:insert', json_build_object('r', random(), 'count', 1)::text);
  end if;
end $$;

-- Mails that were handed to the mail server, by their deduplication key: one that is accepted is not sent again, and one whose answer was
-- lost twice is given up (ADR 95).
create table mail_handovers (
  key text primary key check (length(key) between 1 and 300),
  -- How often the mail server got all of it and gave no answer.
  unanswered smallint not null check (unanswered between 0 and 2),
  accepted boolean not null default false,
  last_at timestamptz not null
);
create index mail_handovers_by_time on mail_handovers (last_at);

-- Claims a key for a write whose reads follow in the same round trip. A key in flight is refused with an error, so that they do not run.
create function claim_key_first(of_account uuid, of_key text, out request_hash bytea, out response json)
language plpgsql as $$
begin
  if not pg_try_advisory_xact_lock(hashtextextended(of_account || '/' || of_key, 0)) then
    raise lock_not_available using message = 'the key is in flight';
  end if;
  select kept.request_hash, kept.response into claim_key_first.request_hash, claim_key_first.response
  from idempotency_keys kept where kept.account_id = of_account and kept.key = of_key;
end $$;

create function network_of(address text) returns text language plpgsql immutable as $$
begin
  return network(set_masklen(address::inet, case family(address::inet) when 4 then 24 else 56 end))::text;
exception when invalid_text_representation then
  return address;
end $$;

-- The postcodes of an address, each part as a word: "1012 AB" and "1012AB" are "1012 AB", "SW1A1AA" is "SW1A 1AA".
create function postcodes(address text) returns text language sql immutable strict parallel safe
begin atomic
  select coalesce(string_agg(concat_ws(' ', code[1], code[2], code[3], code[4]), ' '), '') from regexp_matches(address,
    '\m(?:(\d{4,6})(?: ?([A-Z]{2}))?|([A-Z]{1,2}\d[A-Z\d]?) ?(\d[A-Z]{2}))\M', 'g') as code;
end;

-- Words of an address as lexemes that no one types the beginning of: "Haarlem" must not find the Haarlemmerstraat.
create function street_words(address text) returns text[] language sql immutable strict parallel safe
begin atomic
  select array(select 'skillstreet' || lexeme
    from unnest(tsvector_to_array(to_tsvector('nearhand', searchable(address)))) as lexeme where lexeme ~ '^[[:alpha:]]{4,}$');
end;

create function phone_end(phone text) returns text language sql immutable strict parallel safe
begin atomic
  select right(regexp_replace(phone, '\D', '', 'g'), 8);
end;

create function bare_number(typed text) returns text language sql immutable strict parallel safe
begin atomic
  select upper(regexp_replace(typed, '[^[:alnum:]]', '', 'g'));
end;

-- The numbers in a text without what stands between their digits, such as spaces: "IBAN NL91 ABNA 0417" is "x91x0417".
create function numbers_in(words text) returns text language sql immutable strict parallel safe
begin atomic
  select regexp_replace(regexp_replace(words, '[^0-9]*[[:alpha:]][^0-9]*', 'x', 'g'), '[^0-9x]', '', 'g');
end;
