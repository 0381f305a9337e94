-- The ledger: the only truth about money (product.md, Money). The database refuses what would break it, raw SQL included (ADR 0064).

-- Balances that are kept beside the postings, so that reading and checking one is cheap. `id` is `hold:<uuid>:EUR`, or `platform_fees:EUR` where there is no owner.
create table ledger_accounts (
  id text collate "C" primary key,
  kind text not null generated always as (split_part(id, ':', 1)) stored,
  owner_id uuid generated always as (case when split_part(id, ':', 3) <> '' then split_part(id, ':', 2)::uuid end) stored,
  currency text not null generated always as (right(id, 3)) stored,
  balance bigint not null default 0,
  constraint ledger_accounts_not_overdrawn check (balance >= 0 or kind in ('provider_clearing', 'platform_losses')),
  -- Exact in JavaScript too.
  constraint ledger_accounts_exact check (balance between -9007199254740991 and 9007199254740991)
) with (fillfactor = 70);

-- One fact each. `id` is a UUIDv7 of the same millisecond as `at`, so that the order of the ids is the order of time.
create table ledger_entries (
  id uuid primary key,
  key text collate "C" not null constraint ledger_entries_key unique,
  kind text not null check (kind <> ''),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- The hold, charge, release, tip or withdrawal that it is about; rows of other slices, which may come and go.
  about uuid,
  reverses uuid references ledger_entries (id),
  at timestamptz(3) not null,
  -- The transaction that wrote it: postings come in the same one, and what is older than every open one can be sealed.
  xact xid8 not null default pg_current_xact_id(),
  digest bytea not null check (length(digest) = 32),
  constraint ledger_entries_id_of_its_time check (
    substr(uuid_send(id), 1, 6) = substr(int8send((extract(epoch from at) * 1000)::bigint), 3, 6))
);
create unique index ledger_entries_reversed_once on ledger_entries (reverses) where reverses is not null;
create index ledger_entries_xact on ledger_entries (xact);

-- No foreign keys: they would lock the rows of accounts that many entries touch at once. The trigger looks the entry up, and an account is what its id says.
create table ledger_postings (
  entry_id uuid not null,
  line_no smallint not null check (line_no > 0),
  account_id text collate "C" not null check (account_id ~
    '^(provider_clearing|platform_fees|platform_losses|(business_balance|hold|worker_pending|worker_available|worker_reserved):[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}):[A-Z]{3}$'),
  currency text not null,
  amount bigint not null check (amount <> 0 and amount between -9007199254740991 and 9007199254740991),
  primary key (entry_id, line_no),
  constraint ledger_postings_currency check (currency = right(account_id, 3))
);
create unique index ledger_postings_of_account on ledger_postings (account_id, entry_id, line_no) include (amount);

-- Parts of balances not added to their row yet, so that many may pay into one account at once without waiting for its row.
create table ledger_deferred (
  account_id text collate "C" not null,
  amount bigint not null
);
create index ledger_deferred_account on ledger_deferred (account_id);

-- Which entries there were, in chained and signed lists: what is taken out, slipped in or written anew later is found by the auditor.
create table ledger_seals (
  no integer primary key check (no > 0),
  -- Every entry written by an older transaction is in this seal or one before.
  upto xid8 not null,
  entries uuid[] not null,
  at timestamptz not null,
  digest bytea not null check (length(digest) = 32)
);
-- How many seals there are, signed: the last ones cannot be taken away without a trace.
create table ledger_seal_head (
  single boolean primary key default true check (single),
  no integer not null,
  digest bytea not null
);

create function ledger_refuse() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger refuses % on %', lower(tg_op), tg_table_name
    using errcode = 'LG004', constraint = 'ledger_immutable', hint = 'Entries are corrected by a reversal.';
end $$;

create trigger immutable before update or delete or truncate on ledger_entries execute function ledger_refuse();
create trigger immutable before update or delete or truncate on ledger_postings execute function ledger_refuse();
create trigger immutable before update or delete or truncate on ledger_seals execute function ledger_refuse();
create trigger kept before delete or truncate on ledger_seal_head execute function ledger_refuse();
create trigger kept before delete or truncate on ledger_accounts execute function ledger_refuse();
create trigger kept before update or truncate on ledger_deferred execute function ledger_refuse();
-- Balances move inside the triggers below and nowhere else; outside, nothing is deeper than 0.
create trigger by_postings_only before update on ledger_accounts
  when (pg_trigger_depth() = 0) execute function ledger_refuse();
create trigger begins_empty before insert on ledger_accounts for each row
  when (pg_trigger_depth() = 0 and new.balance <> 0) execute function ledger_refuse();
create trigger by_postings_only before insert on ledger_deferred
  when (pg_trigger_depth() = 0) execute function ledger_refuse();

-- Taking rows out of ledger_deferred is adding them to the balance: whoever does it, the sum stays.
create function ledger_fold() returns trigger language plpgsql as $$
declare
  part record;
begin
  for part in select account_id, sum(amount)::bigint as amount from old_parts group by account_id order by account_id loop
    insert into ledger_accounts (id) values (part.account_id) on conflict do nothing;
    update ledger_accounts set balance = balance + part.amount where id = part.account_id;
  end loop;
  return null;
end $$;
create trigger fold after delete on ledger_deferred referencing old table as old_parts execute function ledger_fold();

-- Checks the entries whose lines a statement wrote and moves the balances.
create function ledger_apply() returns trigger language plpgsql as $$
declare
  lines record;
  entry ledger_entries;
  part record;
begin
  for lines in
    select entry_id, count(*) as count, max(line_no) as last, sum(amount) as total, min(currency) as lowest, max(currency) as highest
    from new_lines group by entry_id
  loop
    select * into entry from ledger_entries where id = lines.entry_id;
    -- An entry of an earlier transaction is closed; one of this transaction is closed by its line numbers, which are 1 to the last and all in one statement.
    if not found or entry.xact <> pg_current_xact_id() or lines.last <> lines.count then
      raise exception 'the lines of entry % are not written together with it', lines.entry_id
        using errcode = 'LG003', constraint = 'ledger_entry_whole';
    end if;
    if lines.count < 2 or lines.total <> 0 then
      raise exception 'entry % has % lines that sum to %', lines.entry_id, lines.count, lines.total
        using errcode = 'LG003', constraint = 'ledger_entry_balanced';
    end if;
    if lines.lowest <> entry.currency or lines.highest <> entry.currency then
      raise exception 'entry % is in % and its lines are not', lines.entry_id, entry.currency
        using errcode = 'LG003', constraint = 'ledger_entry_currency';
    end if;
    if entry.reverses is not null and (
      lines.count <> (select count(*) from ledger_postings where entry_id = entry.reverses)
      or exists (
        select account_id, -amount from new_lines where entry_id = lines.entry_id
        except all select account_id, amount from ledger_postings where entry_id = entry.reverses)
    ) then
      raise exception 'entry % is not the exact reverse of %', lines.entry_id, entry.reverses
        using errcode = 'LG003', constraint = 'ledger_entry_reverses';
    end if;
  end loop;
  -- In one order for everybody, so that no two entries wait for each other; accounts that many share last, so that they are held shortest.
  for part in
    select account_id, sum(amount)::bigint as amount,
      account_id ^@ 'provider_clearing' or account_id ^@ 'platform_losses' as unlimited,
      account_id ^@ 'business_balance' or account_id ^@ 'platform_' or account_id ^@ 'provider_clearing' as shared
    from new_lines group by account_id order by shared, account_id
  loop
    continue when part.amount = 0;
    if part.unlimited or (part.shared and part.amount > 0) then
      insert into ledger_deferred (account_id, amount) values (part.account_id, part.amount);
      continue;
    end if;
    update ledger_accounts set balance = balance + part.amount where id = part.account_id and balance + part.amount >= 0;
    continue when found;
    if part.amount > 0 then
      insert into ledger_accounts (id, balance) values (part.account_id, part.amount) on conflict do nothing;
      continue when found;
    elsif part.shared then
      -- The row alone is not enough: take in what was paid in since, under the lock of the row.
      insert into ledger_accounts (id) values (part.account_id) on conflict do nothing;
      perform 1 from ledger_accounts where id = part.account_id for update;
      delete from ledger_deferred where account_id = part.account_id;
    end if;
    update ledger_accounts set balance = balance + part.amount where id = part.account_id and balance + part.amount >= 0;
    if not found then
      raise exception '% has less than %', part.account_id, -part.amount
        using errcode = 'LG001', constraint = 'ledger_accounts_not_overdrawn', detail = part.account_id;
    end if;
  end loop;
  return null;
end $$;
create trigger apply after insert on ledger_postings referencing new table as new_lines execute function ledger_apply();

create function ledger_entry_has_lines() returns trigger language plpgsql as $$
begin
  if not exists (select from ledger_postings where entry_id = new.id) then
    raise exception 'entry % has no lines', new.id using errcode = 'LG003', constraint = 'ledger_entry_whole';
  end if;
  return null;
end $$;
create constraint trigger has_lines after insert on ledger_entries deferrable initially deferred
  for each row execute function ledger_entry_has_lines();

-- Posts an entry in one round trip. The same key with the same content is the entry that was posted then, whoever comes second waits for the first.
create function ledger_post(
  p_id uuid, p_key text, p_kind text, p_currency text, p_about uuid, p_reverses uuid, p_at timestamptz, p_digest bytea,
  p_accounts text[], p_amounts bigint[], out entry_id uuid, out posted boolean
) language plpgsql as $$
declare
  old ledger_entries;
begin
  insert into ledger_entries (id, key, kind, currency, about, reverses, at, digest)
    values (p_id, p_key, p_kind, p_currency, p_about, p_reverses, p_at, p_digest)
    on conflict on constraint ledger_entries_key do nothing;
  if found then
    insert into ledger_postings (entry_id, line_no, account_id, currency, amount)
      select p_id, line.no, line.account_id, p_currency, line.amount
      from unnest(p_accounts, p_amounts) with ordinality as line (account_id, amount, no);
    entry_id := p_id;
    posted := true;
    return;
  end if;
  select * into strict old from ledger_entries where key = p_key;
  if (old.kind, old.currency, old.about, old.reverses) is distinct from (p_kind, p_currency, p_about, p_reverses)
    or (select array_agg(row (line.account_id, line.amount)::text order by line.account_id collate "C", line.amount)
        from unnest(p_accounts, p_amounts) as line (account_id, amount))
    is distinct from
       (select array_agg(row (line.account_id, line.amount)::text order by line.account_id, line.amount)
        from ledger_postings line where line.entry_id = old.id)
  then
    raise exception 'the key % was used for another entry', p_key
      using errcode = 'LG002', constraint = 'ledger_entries_key', detail = old.id::text;
  end if;
  entry_id := old.id;
  posted := false;
end $$;
