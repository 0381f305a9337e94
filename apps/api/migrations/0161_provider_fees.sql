-- Accounts for the provider's fees and for the company's own money there, so that `provider_clearing` is the provider's balance (ADR 370). Like it they
-- are unlimited. The functions are those of 0019 with `provider_` instead of `provider_clearing`.
create or replace function ledger_fold() returns trigger language plpgsql as $$
declare
  part record;
begin
  for part in select account_id, sum(amount)::bigint as amount from old_parts group by account_id order by account_id loop
    if part.account_id ^@ 'provider_' or part.account_id ^@ 'platform_losses' or part.account_id ^@ 'platform_marketing' then
      insert into ledger_deferred (account_id, amount) values (part.account_id, part.amount);
    else
      insert into ledger_accounts (id) values (part.account_id) on conflict do nothing;
      update ledger_accounts set balance = balance + part.amount where id = part.account_id;
    end if;
  end loop;
  return null;
end $$;

create or replace function ledger_is_account(id text) returns boolean language sql immutable as $$
  select right(id, 4) ~ '^:[A-Z]{3}$' and (left(id, -4) in ('provider_clearing', 'provider_fees', 'provider_funds', 'platform_fees', 'platform_losses', 'platform_marketing')
    or id like '%:________-____-____-____-____________:___' and translate(split_part(id, ':', 2), '0123456789abcdef', '') = '----'
      and split_part(id, ':', 1) in ('business_balance', 'business_promo', 'hold', 'hold_promo', 'worker_pending', 'worker_available', 'worker_reserved'))
$$;

create or replace function ledger_apply() returns trigger language plpgsql as $$
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

    if shared and (change > 0 or account ^@ 'provider_' or account ^@ 'platform_losses' or account ^@ 'platform_marketing') then
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

-- What moved the platform's balance at the provider, as the provider lists it. `about` is a charge's ref there, or the id of a withdrawal.
create table provider_bookings (
  ref text primary key,
  kind text not null check (kind in ('charge', 'refund', 'chargeback', 'payout', 'fee', 'own')),
  about text,
  amount_minor bigint not null,
  fee_minor bigint not null,
  currency text not null,
  at timestamptz not null
);
create index provider_bookings_about on provider_bookings (kind, about);

alter table audits drop constraint audits_name_check,
  add constraint audits_name_check check (name in ('ledger', 'operators-log', 'provider', 'statements'));
