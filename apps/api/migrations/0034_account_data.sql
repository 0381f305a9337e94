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
