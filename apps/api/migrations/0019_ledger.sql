-- The ledger: the only truth about money (product.md, Money). The database refuses what would break it, raw SQL included (ADR 64). Few
-- constraints and no foreign keys: `ledger_apply` checks every line for less, and a key to an account would lock a row that many entries
-- touch at once.

-- A row's valid range: not below zero, and a safe integer in JavaScript. A domain instead of a CHECK, which PostgreSQL would parse again
-- for every statement.
create domain ledger_balance as bigint
  constraint ledger_accounts_not_overdrawn check (value >= 0)
  constraint ledger_accounts_exact check (value <= 9007199254740991);

-- Balances stored next to the postings, so that reading and checking one is cheap. An account is defined by its id: `hold:<uuid>:EUR`, or
-- `platform_fees:EUR` without an owner; one currency each. Unlimited accounts keep theirs in ledger_deferred and 0 here.
create table ledger_accounts (
  id text collate "C" primary key,
  balance ledger_balance not null default 0
) with (fillfactor = 70);

-- One fact each. `id` is a UUIDv7 of the same millisecond as `at`, so ids sort by time.
create table ledger_entries (
  id uuid primary key,
  key text collate "C" not null constraint ledger_entries_key unique,
  kind text not null,
  currency text not null,
  -- The hold, charge, release, tip or withdrawal it is about; rows of other slices, without a foreign key.
  about uuid,
  reverses uuid,
  at timestamptz(3) not null,
  -- The transaction that wrote it: entries older than every open one can be sealed.
  xact xid8 not null default pg_current_xact_id(),
  -- Its lines, in the order in which accounts are locked.
  accounts text[] not null,
  amounts bigint[] not null,
  digest bytea not null
);
create unique index ledger_entries_reversed_once on ledger_entries (reverses) where reverses is not null;
create index ledger_entries_xact on ledger_entries (xact);

-- The entries' lines by account, written by `ledger_apply`.
create table ledger_postings (
  entry_id uuid not null,
  line_no smallint not null,
  account_id text collate "C" not null,
  amount bigint not null,
  primary key (entry_id, line_no)
);
create index ledger_postings_of_account on ledger_postings (account_id, entry_id, line_no) include (amount);

-- Parts of balances outside their row, so that many can credit an account, and debit a busy one, without waiting for its row.
create table ledger_deferred (
  account_id text collate "C" not null,
  amount bigint not null
);
create index ledger_deferred_account on ledger_deferred (account_id, amount);

-- Chained and signed lists of entries: the auditor finds entries that were removed, inserted or changed later (ADR 64).
create table ledger_seals (
  no integer primary key check (no > 0),
  -- Every entry of an older transaction is in this seal or an earlier one.
  upto xid8 not null,
  entries uuid[] not null,
  at timestamptz not null,
  digest bytea not null
);
-- The signed number of seals: the last ones can't be removed unnoticed.
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
create trigger kept before truncate on ledger_deferred execute function ledger_refuse();

-- Balances move only in the triggers below: this one, fired by their statements, is two deep.
create function ledger_refuse_outside() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() < 2 then
    raise exception 'the ledger refuses % on %: post an entry', lower(tg_op), tg_table_name
      using errcode = 'LG004', constraint = 'ledger_immutable';
  end if;
  return null;
end $$;
create trigger by_entries_only before insert on ledger_postings execute function ledger_refuse_outside();
create trigger by_entries_only before insert or update on ledger_accounts execute function ledger_refuse_outside();
create trigger by_entries_only before insert or update on ledger_deferred execute function ledger_refuse_outside();

-- Rows deleted from ledger_deferred are added to the balance, or summed up for an unlimited account: whoever does it, the total stays.
create function ledger_fold() returns trigger language plpgsql as $$
declare
  part record;
begin
  for part in select account_id, sum(amount)::bigint as amount from old_parts group by account_id order by account_id loop
    if part.account_id ^@ 'provider_clearing' or part.account_id ^@ 'platform_losses' or part.account_id ^@ 'platform_marketing' then
      insert into ledger_deferred (account_id, amount) values (part.account_id, part.amount);
    else
      insert into ledger_accounts (id) values (part.account_id) on conflict do nothing;
      update ledger_accounts set balance = balance + part.amount where id = part.account_id;
    end if;
  end loop;
  return null;
end $$;
create trigger fold after delete on ledger_deferred referencing old table as old_parts execute function ledger_fold();

create function ledger_is_account(id text) returns boolean language sql immutable as $$
  select right(id, 4) ~ '^:[A-Z]{3}$' and (left(id, -4) in ('provider_clearing', 'platform_fees', 'platform_losses', 'platform_marketing')
    or id like '%:________-____-____-____-____________:___' and translate(split_part(id, ':', 2), '0123456789abcdef', '') = '----'
      and split_part(id, ':', 1) in ('business_balance', 'business_promo', 'hold', 'hold_promo', 'worker_pending', 'worker_available', 'worker_reserved'))
$$;

-- Checks an entry, moves the balances and writes the postings. Few and short expressions: PL/pgSQL prepares each again in every
-- transaction, which costs more than running it once or twice (ADR 64).
create function ledger_apply() returns trigger language plpgsql as $$
declare
  count constant int := coalesce(array_length(new.accounts, 1), 0);
  account text collate "C";
  change bigint;
  shared boolean;
  before_account text collate "C";
  before_change bigint;
  before_shared boolean;
  held bigint;
  total bigint := 0;
  part tid;
begin
  if new.xact <> pg_current_xact_id()
    or substr(uuid_send(new.id), 1, 6) <> substr(int8send((extract(epoch from new.at) * 1000)::bigint), 3, 6)
  then
    raise exception 'entry % is not of its time', new.id using errcode = 'LG003', constraint = 'ledger_entry_time';
  end if;
  if new.reverses is not null then
    if not exists (
      select from ledger_entries origin where origin.id = new.reverses and origin.id <> new.id and (
        select array_agg(row (line.account, line.amount)::text order by line.account collate "C", line.amount)
        from unnest(origin.accounts, origin.amounts) as line (account, amount)
      ) = (
        select array_agg(row (line.account, -line.amount)::text order by line.account collate "C", -line.amount)
        from unnest(new.accounts, new.amounts) as line (account, amount)
      )
    ) then
      raise exception 'entry % is not the exact reverse of %', new.id, new.reverses
        using errcode = 'LG003', constraint = 'ledger_entry_reverses';
    end if;
  end if;

  for n in 1 .. count loop
    account := new.accounts[n];
    change := new.amounts[n];
    shared := not (account ^@ 'hold' or account ^@ 'worker');
    -- A fixed order for all, so that entries can't deadlock; shared accounts last, so that they are locked shortest. Amounts are safe
    -- integers in JavaScript too.
    if not coalesce((n = 1 or (before_shared, before_account, change) <= (shared, account, before_change))
      and change <> 0 and change between -9007199254740991 and 9007199254740991 and right(account, 3) = new.currency, false)
    then
      raise exception 'line % of entry % in % is out of order, out of range or in another currency', n, new.id, new.currency
        using errcode = 'LG003', constraint = case
          when account is null or n > 1 and not coalesce((before_shared, before_account, change) <= (shared, account, before_change), false)
            then 'ledger_entry_order'
          when right(account, 3) = new.currency then 'ledger_entry_range'
          else 'ledger_entry_currency' end;
    end if;
    before_account := account;
    before_change := change;
    before_shared := shared;
    total := total + change;

    if shared and (change > 0 or account ^@ 'provider_clearing' or account ^@ 'platform_losses' or account ^@ 'platform_marketing') then
      if not ledger_is_account(account) then
        raise exception '% is no account', account using errcode = 'LG003', constraint = 'ledger_entry_accounts';
      end if;
      insert into ledger_deferred (account_id, amount) values (account, change);
      continue;
    end if;
    if shared then
      -- Without waiting: the row is unlocked and holds enough.
      update ledger_accounts set balance = balance + change where ctid = (
        select free.ctid from ledger_accounts free where free.id = account and free.balance + change >= 0 for update skip locked);
      continue when found;
      -- If the row is locked but holds enough, take what is needed from a deferred part that is large enough. Two statements: a single one
      -- may lock a part that changed since its snapshot and not see it, then wait for the row while the row's owner waits for the part.
      select free.ctid into part from ledger_deferred free
        where free.account_id = account and free.amount + change >= 0
          and exists (select from ledger_accounts taken where taken.id = account and taken.balance + change >= 0)
        order by free.amount desc limit 1 for update skip locked;
      if found then
        update ledger_deferred set amount = amount + change where ctid = part;
        continue when found;
      end if;
    end if;
    update ledger_accounts set balance = balance + change where id = account and balance + change >= 0 returning balance into held;
    if not found then
      if change > 0 then
        if not ledger_is_account(account) then
          raise exception '% is no account', account using errcode = 'LG003', constraint = 'ledger_entry_accounts';
        end if;
        insert into ledger_accounts (id, balance) values (account, change) on conflict do nothing;
        continue when found;
      elsif shared then
        insert into ledger_accounts (id) values (account) on conflict do nothing;
        perform 1 from ledger_accounts where id = account for update;
      end if;
      loop
        update ledger_accounts set balance = balance + change where id = account and balance + change >= 0;
        exit when found;
        -- The row alone is not enough: fold its deferred parts in, under the row lock, until there are none. Once is not enough: the first
        -- pass may wait for someone who takes a part and credits at once, and sees that credit only in the next.
        delete from ledger_deferred where account_id = account;
        if not found then
          raise exception '% has less than %', account, -change
            using errcode = 'LG001', constraint = 'ledger_accounts_not_overdrawn', detail = account;
        end if;
      end loop;
    elsif shared and held > -16 * change then
      -- After a wait, leave parts of the row's balance for the next ones.
      update ledger_accounts set balance = balance - 4 * (held / 8) where id = account;
      insert into ledger_deferred (account_id, amount) select account, held / 8 from generate_series(1, 4);
    end if;
  end loop;

  if count < 2 or total <> 0 or array_length(new.amounts, 1) <> count then
    raise exception 'entry % has % lines that sum to %', new.id, count, total
      using errcode = 'LG003', constraint = 'ledger_entry_balanced';
  end if;
  insert into ledger_postings (entry_id, line_no, account_id, amount)
    select new.id, line.no, line.account, line.amount
    from unnest(new.accounts, new.amounts) with ordinality as line (account, amount, no);
  return null;
end $$;
create trigger apply after insert on ledger_entries for each row execute function ledger_apply();

-- Posts an entry in one round trip and returns null; the same key with the same content returns the earlier entry, and nothing moves. A
-- concurrent second call waits for the first.
create function ledger_post(
  p_id uuid, p_key text, p_kind text, p_currency text, p_about uuid, p_reverses uuid, p_at timestamptz, p_digest bytea,
  p_accounts text[], p_amounts bigint[]
) returns uuid language plpgsql as $$
declare
  old ledger_entries;
begin
  insert into ledger_entries (id, key, kind, currency, about, reverses, at, accounts, amounts, digest)
    values (p_id, p_key, p_kind, p_currency, p_about, p_reverses, p_at, p_accounts, p_amounts, p_digest)
    on conflict on constraint ledger_entries_key do nothing;
  if found then
    return null;
  end if;
  select * into strict old from ledger_entries where key = p_key;
  if (old.kind, old.currency, old.about, old.reverses, old.accounts, old.amounts)
    is distinct from (p_kind, p_currency, p_about, p_reverses, p_accounts, p_amounts)
  then
    raise exception 'the key % was used for another entry', p_key
      using errcode = 'LG002', constraint = 'ledger_entries_key', detail = old.id::text;
  end if;
  return old.id;
end $$;
