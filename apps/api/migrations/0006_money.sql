-- Money: cards, holds, the ledger, payouts, invoices, statements, the built-in provider.

-- The ledger: the only truth about money (product.md, Money). The database refuses what would break it, raw SQL included (ADR 64). Few
-- constraints and no foreign keys: `ledger_apply` checks every line for less, and a key to an account would lock a row that many entries
-- touch at once.
-- A row's valid range: not below zero, and a safe integer in JavaScript. A domain instead of a CHECK, which PostgreSQL would parse again
-- for every statement.
create domain ledger_balance as bigint
  constraint ledger_accounts_not_overdrawn check (value >= 0)
  constraint ledger_accounts_exact check (value <= 9007199254740991);

-- Saved cards of businesses. Only the provider knows the number; `provider_ref` is its name for the card.
create table cards (
  id uuid primary key,
  business_id uuid not null references businesses (id),
  provider_ref text not null unique,
  brand text not null,
  last4 text not null check (last4 ~ '^([0-9]{4})?$'),
  -- The provider's name for the number: the same at every business that saves it.
  fingerprint text,
  expires_month smallint not null check (expires_month between 1 and 12),
  expires_year smallint not null,
  is_default boolean not null default false,
  added_by uuid not null references accounts (id),
  added_at timestamptz not null,
  removed_at timestamptz,
  constraint cards_default_is_card
    check (not is_default or brand not in ('iDEAL', 'Bancontact', 'SEPA'))
);
create index cards_fingerprint on cards (fingerprint);
create index cards_business on cards (business_id, added_at desc) where removed_at is null;
create unique index cards_one_default on cards (business_id) where is_default and removed_at is null;
create index cards_of_business on cards (business_id);

-- Reserved money (product.md: Hold): for one offer, or for a spot of an instant hire that nobody has yet. Amounts in minor units.
create table holds (
  id uuid primary key,
  version integer not null default 1,
  business_id uuid not null references businesses (id),
  job_id uuid not null references jobs (id),
  offer_id uuid unique references offers (id),
  engagement_id uuid unique references engagements (id),
  status text not null check (status in (
    'created', 'authorising', 'expired', 'held', 'partly_released', 'released', 'refunded', 'disputed', 'split')),
  currency text not null,
  pay_minor bigint not null check (pay_minor >= 0),
  fee_minor bigint not null check (fee_minor >= 0),
  -- What was added for overtime or owed pay, including fees.
  added_minor bigint not null default 0 check (added_minor >= 0),
  business_fee_basis_points integer not null,
  worker_fee_basis_points integer not null,
  source text check (source in ('balance', 'card')),
  frozen boolean not null default false,
  -- Until when it can be paid while it is unpaid.
  pay_by timestamptz,
  created_by uuid references accounts (id),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The day of the work that money is set aside for, where the work is; a task without a due date counts when it is set aside.
  work_on date not null,
  -- The pay of a shift of a series is set aside some days before it starts (ADR 399). A planned hold is `created` until then.
  fund_at timestamptz,
  fund_by timestamptz,
  constraint holds_planned check ((fund_at is null) = (fund_by is null) and fund_at <= fund_by)
);
create index holds_business on holds (business_id, created_at desc);
create index holds_job on holds (job_id);
-- Open checkouts, for reconciliation.
create index holds_checkout on holds (pay_by) where status = 'authorising';
-- The free spots of an instant hire.
create index holds_free_spots on holds (job_id) where offer_id is null and status = 'held';
create index holds_work_day on holds (business_id, work_on);
create index holds_planned on holds (fund_at) where status = 'created';

create table hold_moves (
  id uuid primary key,
  hold_id uuid not null references holds (id) on delete cascade,
  actor text not null,
  action text not null,
  from_status text,
  to_status text not null,
  reason text,
  at timestamptz not null
);
create index hold_moves_hold on hold_moves (hold_id, at);

-- Attempts to charge a card. `id` is the provider's idempotency key, so that a repeat is no second charge.
create table charges (
  id uuid primary key,
  business_id uuid not null references businesses (id),
  card_id uuid not null references cards (id),
  purpose text not null check (purpose in ('hold', 'top_up', 'cover', 'tip')),
  -- The hold or tip it is for; null for a top-up.
  subject_id uuid,
  status text not null check (status in ('created', 'processing', 'requires_action', 'succeeded', 'failed', 'cancelled')),
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  provider_ref text unique,
  failure text,
  action_url text,
  -- The request's content: it must be the same each time, or the provider rejects the repeat.
  description text not null,
  return_path text not null check (return_path like '/%'),
  -- When the provider was first asked; before that nothing can have been charged.
  asked_at timestamptz,
  -- Since when it is unwanted; a task asks the provider to stop it.
  cancel_at timestamptz,
  -- Where its money went once it succeeded: to its subject, or to the balance for a top-up or if the subject had ended.
  landed text check (landed in ('subject', 'balance')),
  -- Refunded to the card, or being refunded.
  refunded_minor bigint not null default 0 check (refunded_minor between 0 and amount_minor),
  -- Summary of its chargebacks: open if one is, otherwise lost if one was.
  chargeback text check (chargeback in ('open', 'won', 'lost')),
  created_by uuid references accounts (id),
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index charges_business on charges (business_id, created_at desc);
create index charges_subject on charges (subject_id, created_at desc);
create index charges_refundable on charges (business_id, currency, created_at desc) where status = 'succeeded';
create index charges_unsettled on charges (updated_at) where status in ('created', 'processing', 'requires_action');
create index charges_called_back on charges (id) where chargeback = 'open';
-- Whether the last payment with a card was declined, which every look at a wallet asks.
create index charges_card on charges (card_id, created_at desc, id desc) where status in ('succeeded', 'failed');

-- A charge can be charged back again, for example after the first was won. The provider's ref is the key, so that each is booked once.
create table chargebacks (
  ref text primary key,
  charge_id uuid not null references charges (id),
  status text not null check (status in ('open', 'won', 'lost')),
  amount_minor bigint not null check (amount_minor > 0),
  -- The part that the business has borne.
  borne_minor bigint not null check (borne_minor between 0 and amount_minor),
  -- The entry that opened it.
  entry_id uuid not null,
  opened_at timestamptz not null,
  updated_at timestamptz not null
);
create index chargebacks_charge on chargebacks (charge_id, opened_at);
create index chargebacks_answered on chargebacks (updated_at desc) where status in ('won', 'lost');

-- Pay agreed for an engagement, gross, in the order agreed (ADR 74). `not_funded`: no hold covered it, so it is owed.
create table releases (
  id uuid primary key,
  engagement_id uuid not null references engagements (id) on delete cascade,
  kind text not null check (kind in ('undisputed', 'rest', 'compensation')),
  amount_minor bigint not null check (amount_minor > 0),
  fee_minor bigint not null default 0 check (fee_minor >= 0),
  worker_fee_minor bigint not null default 0 check (worker_fee_minor >= 0),
  currency text not null,
  state text not null check (state in ('not_funded', 'released')),
  entry_id uuid,
  clears_at timestamptz,
  at timestamptz not null,
  released_at timestamptz,
  -- When an operator's correction took a payment back.
  reversed_at timestamptz check (reversed_at is null or state = 'released')
);
create index releases_engagement on releases (engagement_id, at, id);
create index releases_owed on releases (engagement_id) where state = 'not_funded';

create table tips (
  id uuid primary key,
  engagement_id uuid not null references engagements (id),
  business_id uuid not null references businesses (id),
  worker_id uuid not null references accounts (id),
  kind text not null check (kind in ('tip', 'bonus')),
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  note text not null default '',
  status text not null check (status in ('paying', 'paid', 'failed')),
  clears_at timestamptz,
  given_by uuid not null references accounts (id),
  at timestamptz not null,
  reversed_at timestamptz check (reversed_at is null or status = 'paid')
);
create index tips_engagement on tips (engagement_id, at);

-- Refunds from a balance to the card it came from; `id` is the provider's key.
create table card_refunds (
  id uuid primary key,
  business_id uuid not null references businesses (id),
  charge_id uuid not null references charges (id),
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  status text not null check (status in ('created', 'sent', 'failed')),
  created_by uuid not null references accounts (id),
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index card_refunds_unsettled on card_refunds (updated_at) where status = 'created';
-- Operators list refunds that failed, the newest first.
create index card_refunds_failed on card_refunds (updated_at, id) where status = 'failed';

-- Events from the provider, each once and forever (product.md, Constants: webhook ids for ever).
create table provider_events (
  id text primary key,
  type text not null,
  ref text not null,
  happened_at timestamptz not null,
  received_at timestamptz not null,
  handled_at timestamptz
);
create index provider_events_unhandled on provider_events (received_at) where handled_at is null;

-- How far reconciliation has read the provider's events.
create table provider_cursors (
  provider text primary key,
  cursor text,
  at timestamptz not null
);

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
    if part.account_id ^@ 'provider_' or part.account_id ^@ 'platform_losses' or part.account_id ^@ 'platform_marketing' or part.account_id ^@ 'platform_credit' then
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
  select right(id, 4) ~ '^:[A-Z]{3}$' and (left(id, -4) in ('provider_clearing', 'provider_fees', 'provider_funds', 'provider_bank', 'bank_unmatched',
      'platform_fees', 'platform_losses', 'platform_marketing', 'platform_credit')
    or id like '%:________-____-____-____-____________:___' and translate(split_part(id, ':', 2), '0123456789abcdef', '') = '----'
      and split_part(id, ':', 1) in ('business_balance', 'business_promo', 'business_credit', 'hold', 'hold_promo', 'worker_pending', 'worker_available',
        'worker_reserved'))
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

    if shared and (change > 0 or account ^@ 'provider_' or account ^@ 'platform_losses' or account ^@ 'platform_marketing' or account ^@ 'platform_credit') then
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

-- The built-in payment provider (ADR 67). Separate from our own data, as a real one would be: no references in either direction.
-- What was done under a caller's key: the same key again is a no-op and returns the same object.
create table sandbox_keys (
  key text primary key,
  operation text not null,
  content bytea not null,
  ref text,
  failure text,
  at timestamptz not null,
  check ((ref is null) <> (failure is null))
);

-- Secret form input: never a number, only its last four digits, a keyed fingerprint and its behaviour.
create table sandbox_tokens (
  token text primary key,
  kind text not null check (kind in ('card', 'bank')),
  details jsonb not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index sandbox_tokens_expires on sandbox_tokens (expires_at);

create table sandbox_cards (
  ref text primary key,
  owner_id text not null,
  brand text not null,
  last4 text not null,
  expires_month integer not null,
  expires_year integer not null,
  fingerprint text not null,
  behaviour text not null check (behaviour in ('pays', 'declined', 'insufficient_funds', 'expired', 'confirm', 'late', 'late_failure', 'chargeback_lost', 'chargeback_won')),
  created_at timestamptz not null
);

create table sandbox_banks (
  ref text primary key,
  owner_id text not null,
  bank_name text not null,
  last4 text not null,
  holder_name text not null,
  country text not null,
  currency text not null,
  instant boolean not null,
  fingerprint text not null,
  behaviour text not null check (behaviour in ('pays', 'closed', 'fails_later', 'returned', 'late', 'not_instant')),
  created_at timestamptz not null
);

create table sandbox_identities (
  owner_id text primary key,
  status text not null check (status in ('pending', 'verified', 'refused')),
  reason text,
  asked_at timestamptz not null
);

create table sandbox_charges (
  ref text primary key,
  card_ref text not null references sandbox_cards (ref),
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  description text not null,
  return_url text not null,
  behaviour text not null check (behaviour in ('pays', 'declined', 'insufficient_funds', 'expired', 'confirm', 'late', 'late_failure', 'chargeback_lost', 'chargeback_won')),
  status text not null check (status in ('processing', 'requires_action', 'succeeded', 'failed', 'cancelled')),
  failure text,
  refunded_minor bigint not null default 0 check (refunded_minor between 0 and amount_minor),
  chargeback_ref text,
  chargeback_minor bigint check (chargeback_minor between 1 and amount_minor),
  chargeback_status text check (chargeback_status in ('open', 'won', 'lost')),
  created_at timestamptz not null,
  succeeded_at timestamptz,
  chargeback_at timestamptz,
  check ((status = 'failed') = (failure is not null)),
  check (num_nulls(chargeback_ref, chargeback_minor, chargeback_status, chargeback_at) in (0, 4))
);

create table sandbox_refunds (
  ref text primary key,
  charge_ref text not null references sandbox_charges (ref),
  amount_minor bigint not null check (amount_minor > 0),
  created_at timestamptz not null
);
create index sandbox_refunds_charge on sandbox_refunds (charge_ref);

create table sandbox_payouts (
  ref text primary key,
  bank_ref text not null references sandbox_banks (ref),
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  speed text not null check (speed in ('standard', 'instant')),
  behaviour text not null check (behaviour in ('pays', 'closed', 'fails_later', 'returned', 'late', 'not_instant')),
  status text not null check (status in ('processing', 'in_transit', 'paid', 'failed', 'returned')),
  failure text,
  arrives_on date,
  created_at timestamptz not null,
  paid_at timestamptz,
  check ((status in ('failed', 'returned')) = (failure is not null))
);

-- The platform's own money at the provider. A lost chargeback may take it below zero.
create table sandbox_balances (
  currency text primary key,
  amount_minor bigint not null
);

-- Every change of an object, in commit order: the counter's row is locked until its transaction ends, so no number appears after a higher
-- one.
create table sandbox_event_counter (
  one boolean primary key default true check (one),
  last_seq bigint not null
);
insert into sandbox_event_counter (last_seq) values (0);

create table sandbox_events (
  seq bigint primary key,
  id text not null unique,
  type text not null check (type in ('charge', 'payout', 'identity')),
  ref text not null,
  at timestamptz not null
);

create table sandbox_deliveries (
  id uuid primary key,
  event_id text not null references sandbox_events (id),
  state text not null check (state in ('waiting', 'delivered', 'given_up')),
  attempts integer not null default 0,
  last_answer text,
  created_at timestamptz not null,
  ended_at timestamptz
);
create index sandbox_deliveries_event on sandbox_deliveries (event_id);

-- Payees, as verified by the provider.
create table payout_identities (
  account_id uuid primary key references accounts (id),
  status text not null check (status in ('pending', 'verified', 'refused')),
  reason text,
  legal_name text not null,
  country_code text not null,
  asked_at timestamptz not null,
  decided_at timestamptz,
  -- What a worker's account at the provider can do and needs, where the provider keeps one; null where it does not (ADR 78).
  -- account_due_by: payouts stop then unless the worker gave what is needed. account_reminded: 14 or 3, the days before it that were told.
  account_status text check (account_status in ('in_progress', 'more_needed', 'active', 'restricted', 'closed')),
  account_needs text[] not null default '{}',
  account_due_by timestamptz,
  account_since timestamptz,
  account_reminded smallint,
  account_read_at timestamptz
);
create index payout_identities_pending on payout_identities (account_id) where status = 'pending';
create index payout_identities_due on payout_identities (account_id) where account_status = 'more_needed';
create index payout_identities_paused on payout_identities (account_id) where account_status = 'restricted';

-- Workers' bank accounts. Only the provider knows the number.
create table payout_methods (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  provider_ref text not null unique,
  bank_name text not null,
  last4 text not null,
  holder_name text not null,
  -- The provider's name for the account: the same for everyone who saves it.
  fingerprint text,
  country text not null,
  currency text not null,
  instant boolean not null,
  is_default boolean not null default false,
  usable_from timestamptz not null,
  added_at timestamptz not null,
  removed_at timestamptz,
  -- The verified name for which an operator accepted the holder of this account.
  accepted_for text
);
create index payout_methods_fingerprint on payout_methods (fingerprint);
create index payout_methods_account on payout_methods (account_id, added_at desc) where removed_at is null;
create unique index payout_methods_one_default on payout_methods (account_id) where is_default and removed_at is null;
create index payout_methods_of_account on payout_methods (account_id);
-- Operators find people by the last four characters of a bank account that they quote (ADR 175), removed accounts too.
create index payout_methods_last4 on payout_methods (last4);
create index payout_methods_holder on payout_methods using gin (folded_name(holder_name) gin_trgm_ops);

-- Pay that becomes available later (product.md, Constants: clearing after release). `id` is that of the release or tip.
create table clearings (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  clears_at timestamptz not null,
  cleared_at timestamptz
);
create index clearings_waiting on clearings (account_id, currency, clears_at) where cleared_at is null;

-- Withdrawals (product.md: Withdrawal). `id` is the provider's key.
create table withdrawals (
  id uuid primary key,
  version integer not null default 1,
  account_id uuid not null references accounts (id),
  method_id uuid not null references payout_methods (id),
  status text not null,
  amount_minor bigint not null check (amount_minor > 0),
  fee_minor bigint not null check (fee_minor >= 0 and fee_minor < amount_minor),
  currency text not null,
  speed text not null check (speed in ('standard', 'instant')),
  provider_ref text unique,
  failure text,
  cancel_by timestamptz,
  arrives_on date,
  requested_at timestamptz not null,
  updated_at timestamptz not null,
  -- The ledger entries that reserved and paid it, so that they can be reversed.
  reserve_entry uuid not null,
  paid_entry uuid,
  -- The operator's reason, as its worker reads it.
  refused_because text,
  constraint withdrawals_status_check
    check (status in ('requested', 'in_review', 'processing', 'in_transit', 'paid', 'cancelled', 'failed', 'refused', 'returned')),
  constraint withdrawals_refused check ((status = 'refused') = (refused_because is not null))
);
create index withdrawals_account on withdrawals (account_id, requested_at desc, id desc);
create index withdrawals_unsettled on withdrawals (updated_at) where status in ('requested', 'processing', 'in_transit');
create index withdrawals_under_way on withdrawals (account_id)
  where status in ('requested', 'in_review', 'processing', 'in_transit');
create index withdrawals_in_review on withdrawals (requested_at, id) where status = 'in_review';

create table withdrawal_moves (
  id uuid primary key,
  withdrawal_id uuid not null references withdrawals (id) on delete cascade,
  actor text not null,
  action text not null,
  from_status text,
  to_status text not null,
  failure text,
  at timestamptz not null
);
create index withdrawal_moves_withdrawal on withdrawal_moves (withdrawal_id, at);
create index withdrawal_moves_ended_review on withdrawal_moves (at desc) where from_status = 'in_review' and action = 'cancel';

-- Invoices and receipts, numbered without gaps per business: the counter is locked and the number taken and written in one transaction,
-- separate from the payment's.
create table pay_receipt_counters (
  business_id uuid primary key references businesses (id),
  last_number integer not null default 0
);

create table pay_receipts (
  id uuid primary key,
  business_id uuid not null references businesses (id),
  number integer not null,
  -- The ledger entry it is for: one document per entry.
  entry_id uuid not null unique,
  engagement_id uuid references engagements (id),
  -- Its content, frozen: names and addresses as of then.
  content jsonb not null,
  amount_minor bigint not null,
  currency text not null,
  issued_at timestamptz not null,
  unique (business_id, number)
);
create index pay_receipts_business on pay_receipts (business_id, issued_at desc, id desc);

-- Statement lines, materialized from the ledger (ADR 64): one per entry and holder with running totals, so that a page or a period's
-- totals cost the same however long the history. They can be rebuilt from the ledger at any time; `holder` is `worker:<uuid>:EUR` or
-- `business:<uuid>:EUR`.
create table statement_lines (
  holder text collate "C" not null,
  entry_id uuid not null,
  -- For a reversal, the kind of the reversed entry.
  kind text not null,
  with_fee boolean not null,
  hold_id uuid,
  moved bigint not null,
  held bigint not null,
  paid bigint not null,
  fees bigint not null,
  -- Running totals including this line: balance, credits and debits, holds, and amounts paid for work, tipped, charged and withdrawn.
  balance bigint not null,
  came bigint not null,
  went bigint not null,
  holding bigint not null,
  earned bigint not null,
  tips bigint not null,
  charged bigint not null,
  withdrawn bigint not null,
  -- Whether a business's line may have a fee that is on no invoice: those are found without reading its history. False only for what is
  -- settled, since a line may be written while its invoice is.
  fee_open boolean not null default false,
  -- Whether a worker's line may be pay that is on no invoice, as fee_open. Pay from before this has none.
  pay_open boolean not null default false,
  primary key (holder, entry_id)
);
create index statement_lines_kind on statement_lines (holder, kind, entry_id);
create index statement_lines_fee on statement_lines (holder, entry_id) where with_fee;
create index statement_lines_open_fee on statement_lines (holder, entry_id) where fee_open;
create index statement_lines_open_pay on statement_lines (holder, entry_id) where pay_open;

-- Entries of older transactions have their lines; readers add the entries since then.
create table statement_carried (
  single boolean primary key default true check (single),
  upto xid8 not null
);
insert into statement_carried (upto) values ('0');

-- The entries since then. A function, so that the planner expects few rows: from the mark alone, unknown to it, it would expect a third of
-- the ledger.
create function statement_uncarried() returns setof ledger_entries language plpgsql stable rows 100 as $$
begin
  return query select * from ledger_entries where xact >= (select upto from statement_carried);
end $$;

-- Our keys and what Stripe made under them (ADR 370). Stripe forgets a key after a day; these rows stay.
-- attempt: Stripe answers a repeat with the refusal that it stored, so a call that may be repeated takes another key.
-- place: the customer that a charge is listed under, to find it when its answer was lost.
create table stripe_calls (
  key text primary key,
  operation text not null,
  content bytea not null,
  attempt integer not null default 1 check (attempt > 0),
  place text,
  ref text,
  at timestamptz not null
);
create index stripe_calls_ref on stripe_calls (ref) where ref is not null;

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

-- The last number of each year. Its row is locked until the invoice is written, so a number is used once and none is left out.
create table invoice_series (
  year integer,
  last_number integer not null default 0,
  -- One series of numbers per year and issuer: ours is NHF, a worker's begins with NH for invoices and PF for pro formas.
  series text not null,
  primary key (series, year)
);

-- Invoices and credit notes for our fee, in one series per year. Amounts are in minor units and never negative; a credit note takes back.
create table invoices (
  id uuid primary key,
  business_id uuid not null references businesses (id),
  kind text not null check (kind in ('invoice', 'credit_note')),
  year integer not null,
  number integer not null check (number > 0),
  corrects uuid references invoices (id),
  currency text not null,
  -- The document: both sides as of then, lines, VAT and sums.
  content jsonb not null,
  net_minor bigint not null check (net_minor > 0),
  vat_minor bigint not null check (vat_minor >= 0),
  issued_at timestamptz not null,
  unique (year, number),
  check ((kind = 'credit_note') = (corrects is not null))
);
create index invoices_business on invoices (business_id, issued_at desc, id desc);
create index invoices_number on invoices (number);
create index invoices_corrects on invoices (corrects) where corrects is not null;

-- The ledger's entries on an invoice, each once: a release on an invoice, its reversal on the credit note.
create table invoiced_entries (
  entry_id uuid primary key,
  invoice_id uuid not null references invoices (id),
  -- The place of its line in the content, from 0.
  line integer not null
);
create index invoiced_entries_invoice on invoiced_entries (invoice_id);

create function invoices_refuse() returns trigger language plpgsql as $$
begin
  raise exception 'an issued invoice refuses % on %', lower(tg_op), tg_table_name
    using errcode = 'LG004', constraint = 'invoices_immutable', hint = 'An invoice is corrected by a credit note.';
end $$;

create trigger immutable before update or delete or truncate on invoices execute function invoices_refuse();
create trigger immutable before update or delete or truncate on invoiced_entries execute function invoices_refuse();
create trigger kept before delete or truncate on invoice_series execute function invoices_refuse();

-- What an operator sends to a bank about a chargeback (ADR 192). The text is deleted once it was sent or refused.
create table chargeback_answers (
  ref text primary key references chargebacks (ref),
  charge_id uuid not null references charges (id),
  status text not null check (status in ('created', 'sent', 'refused')),
  text text not null,
  created_by uuid not null references accounts (id),
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index chargeback_answers_charge on chargeback_answers (charge_id);
create index chargeback_answers_by on chargeback_answers (created_by);
create index chargeback_answers_waiting on chargeback_answers (updated_at) where status = 'created';

-- Monthly and weekly limits of what is set aside: for one branch, by one member, or neither for the whole business. Minor units, fees included.
create table budgets (
  id uuid primary key,
  business_id uuid not null references businesses (id),
  branch_id uuid references branches (id) on delete cascade,
  account_id uuid,
  period text not null check (period in ('month', 'week')),
  currency text not null,
  limit_minor bigint not null check (limit_minor > 0),
  updated_at timestamptz not null,
  check (branch_id is null or account_id is null),
  unique nulls not distinct (business_id, account_id, branch_id, period),
  foreign key (business_id, account_id) references business_members (business_id, account_id) on delete cascade
);
create index budgets_branch on budgets (branch_id) where branch_id is not null;

create table budget_requests (
  id uuid primary key,
  business_id uuid not null references businesses (id),
  job_id uuid not null references jobs (id),
  account_id uuid not null references accounts (id),
  -- The month or week whose budgets it is about, by its first day; weeks begin on Monday.
  period text not null check (period in ('month', 'week')),
  starts_on date not null,
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  status text not null check (status in ('open', 'approved', 'refused')),
  decided_by uuid references accounts (id),
  created_at timestamptz not null,
  decided_at timestamptz,
  -- The open offer that the requested one would replace: its hold returns, so it does not count against the budgets (ADR 382).
  replaced_offer_id uuid,
  -- The reason that an owner gives the member whose request they refuse; empty without one.
  reason text not null default '',
  -- The applicant and the pay that a budget request is for, so that its owner can decide: `pay_minor` is hourly for a
  -- shift and the total for a task. Null for requests without one applicant, such as a raised booking.
  application_id uuid,
  pay_minor bigint check (pay_minor > 0),
  check ((status = 'open') = (decided_at is null))
);
create unique index budget_requests_open on budget_requests (job_id, account_id, period, starts_on) where status = 'open';
create index budget_requests_waiting on budget_requests (business_id, created_at) where status = 'open';
create index budget_requests_job on budget_requests (job_id, account_id, created_at desc);

-- What an approved request adds to a budget, for its month or week only.
create table budget_raises (
  budget_id uuid not null references budgets (id) on delete cascade,
  request_id uuid not null references budget_requests (id),
  starts_on date not null,
  amount_minor bigint not null check (amount_minor > 0),
  primary key (budget_id, starts_on, request_id)
);

-- The number in the names of a worker's series.
create table worker_series (
  account_id uuid primary key references accounts (id),
  number integer not null unique generated always as identity (start with 10001)
);

-- What a worker's invoices say about them. Without a VAT id they are in the small-business scheme.
create table tax_details (
  account_id uuid primary key references accounts (id),
  legal_name text not null,
  street text not null,
  postcode text not null,
  town text not null,
  country_code text not null,
  tax_number text not null,
  vat_id text not null,
  -- Work paid before this day has no VAT; null for none.
  vat_since date,
  updated_at timestamptz not null,
  -- A worker's answer about VAT. Details from before the question name a VAT id, which is an answer. Workers without
  -- one who have agreed to invoices in their names got invoices without VAT, and keep them as exempt. For all others
  -- an empty field was no answer.
  vat_status text not null check (vat_status in ('registered', 'exempt', 'unsure')),
  check ((vat_status = 'registered') = (vat_id <> ''))
);

-- Agreements that we issue invoices in a worker's name. At most one is in force.
create table self_billing_agreements (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  version integer not null,
  agreed_at timestamptz not null,
  ended_at timestamptz
);
create unique index self_billing_agreements_in_force on self_billing_agreements (account_id) where ended_at is null;
create index self_billing_agreements_account on self_billing_agreements (account_id, agreed_at desc);

-- Invoices for self-employed work, issued in the worker's name, and pro formas of workers without an agreement. Amounts are in minor
-- units and never negative; a credit note takes back. What was paid is net, VAT and a rounding of a cent together.
create table worker_invoices (
  id uuid primary key,
  worker_id uuid not null references accounts (id),
  business_id uuid not null references businesses (id),
  kind text not null check (kind in ('invoice', 'credit_note', 'pro_forma', 'pro_forma_credit')),
  series text not null,
  year integer not null,
  number integer not null check (number > 0),
  corrects uuid references worker_invoices (id),
  currency text not null,
  -- The document: both sides as of then, lines, VAT and sums.
  content jsonb not null,
  net_minor bigint not null check (net_minor >= 0),
  vat_minor bigint not null check (vat_minor >= 0),
  paid_minor bigint not null check (paid_minor > 0),
  -- The month of its payments, where the business is.
  month text not null,
  issued_at timestamptz not null,
  -- An invoice may replace one that the worker objected to, or a pro forma from before their agreement. Its payments
  -- are then on both; the last document without a replacement counts.
  replaces uuid references worker_invoices (id),
  unique (series, year, number),
  check ((kind in ('credit_note', 'pro_forma_credit')) = (corrects is not null)),
  check (replaces is null or kind = 'invoice')
);
create index worker_invoices_worker on worker_invoices (worker_id, issued_at desc, id desc);
create index worker_invoices_business on worker_invoices (business_id, month, issued_at desc, id desc);
create index worker_invoices_number on worker_invoices (number, worker_id);
create index worker_invoices_corrects on worker_invoices (corrects) where corrects is not null;
create index worker_invoices_replaces on worker_invoices (replaces) where replaces is not null;

-- The ledger's entries on a worker's invoice, each once: a payment on an invoice, its reversal on the credit note.
create table worker_invoiced_entries (
  entry_id uuid,
  invoice_id uuid not null references worker_invoices (id),
  line integer not null,
  replaces uuid references worker_invoices (id),
  primary key (entry_id, invoice_id),
  -- Each payment is invoiced once, and each invoice of it replaced once.
  unique nulls not distinct (entry_id, replaces)
);
create index worker_invoiced_entries_invoice on worker_invoiced_entries (invoice_id);

-- A worker's objection to an invoice in their name.
create table invoice_objections (
  invoice_id uuid primary key references worker_invoices (id),
  reason text not null check (reason in ('amount', 'details', 'other')),
  at timestamptz not null
);

create trigger immutable before update or delete or truncate on worker_invoices execute function invoices_refuse();
create trigger immutable before update or delete or truncate on worker_invoiced_entries execute function invoices_refuse();
create trigger immutable before update or delete or truncate on invoice_objections execute function invoices_refuse();

-- Money that Nearhand gives a person or a business to make up for something (ADR 191). Minor units.
create table goodwill_payments (
  id uuid primary key,
  account_id uuid references accounts (id),
  business_id uuid references businesses (id),
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  reason text not null,
  paid_by uuid not null references accounts (id),
  -- Null within what one operator may give alone.
  approved_by uuid references accounts (id) check (approved_by <> paid_by),
  entry_id uuid not null references ledger_entries (id),
  at timestamptz not null,
  check (num_nonnulls(account_id, business_id) = 1)
);
create index goodwill_payments_account on goodwill_payments (account_id, at) where account_id is not null;
create index goodwill_payments_business on goodwill_payments (business_id, at) where business_id is not null;
create index goodwill_payments_payer on goodwill_payments (paid_by);
create index goodwill_payments_approver on goodwill_payments (approved_by) where approved_by is not null;
create index goodwill_payments_entry on goodwill_payments (entry_id);

-- What the law has a platform collect about workers whose pay it reports to the tax office (DAC7).
create table seller_details (
  account_id uuid primary key references accounts (id),
  first_name text not null,
  last_name text not null,
  born_on date not null,
  street text not null,
  postcode text not null,
  town text not null,
  country_code text not null,
  tax_number text not null,
  updated_at timestamptz not null,
  -- The last day that the law has us store the details of a removed account; null for an account in use.
  stored_until date
);
create index seller_details_expired on seller_details (stored_until) where stored_until is not null;

-- Workers who were asked for these details. Without an answer, withdrawals wait after two reminders.
create table seller_requests (
  account_id uuid primary key references accounts (id),
  asked_at timestamptz not null,
  reminders smallint not null default 0 check (reminders between 0 and 3),
  answered_at timestamptz,
  -- The time of the last reminder. Each step waits as long after the one before as the law has us wait.
  reminded_at timestamptz
);
create index seller_requests_open on seller_requests (reminders, coalesce(reminded_at, asked_at)) where answered_at is null;

-- The yearly reports to the tax office (DAC7), at most one of each year. A report is made again until it is sent, then frozen.
create table seller_reports (
  id uuid primary key,
  year integer not null,
  country_code text not null,
  made_at timestamptz,
  sellers integer not null,
  missing integer not null,
  sent_at timestamptz,
  corrects uuid unique references seller_reports (id),
  problem text check (problem in ('too_long', 'unchanged'))
);
create unique index seller_reports_original on seller_reports (year) where corrects is null;
create unique index seller_reports_unsent on seller_reports (year) where sent_at is null;

-- The people of a report with what it says about them. Stored for as long as the law asks, also after an account is removed.
create table reported_sellers (
  report_id uuid not null references seller_reports (id) on delete cascade,
  account_id uuid not null references accounts (id),
  currency text not null,
  content jsonb not null,
  document_no integer not null,
  change text not null default 'new' check (change in ('new', 'corrected', 'deleted')),
  corrects_document text,
  primary key (report_id, account_id, currency),
  check ((change = 'new') = (corrects_document is null))
);
create index reported_sellers_account on reported_sellers (account_id);

create function seller_reports_guard() returns trigger language plpgsql as $$
begin
  if old.sent_at is not null then
    raise exception 'a report that was sent never changes';
  end if;
  return coalesce(new, old);
end $$;

create trigger guard before update on seller_reports for each row execute function seller_reports_guard();

-- The people of a report that was sent never change. The purge deletes the report, which takes them with it.
create function reported_sellers_guard() returns trigger language plpgsql as $$
begin
  if exists (select from seller_reports where id in (old.report_id, new.report_id) and sent_at is not null) then
    raise exception 'a report that was sent never changes';
  end if;
  return coalesce(new, old);
end $$;

create trigger guard before insert or update or delete on reported_sellers
  for each row execute function reported_sellers_guard();

-- Payments on the platform's bank account, from its statements. Negative amounts were taken from it.
create table bank_payments (
  id uuid primary key,
  account_iban text not null,
  bank_ref text not null,
  booked_on date not null,
  amount_minor bigint not null check (amount_minor <> 0),
  currency text not null,
  payer_name text not null,
  payer_iban text not null,
  remittance text not null,
  state text not null check (state in ('unmatched', 'credited', 'sent_back', 'outgoing')),
  reason text,
  business_id uuid references businesses (id),
  received_at timestamptz not null,
  decided_by uuid references accounts (id),
  decided_at timestamptz,
  note text,
  unique (account_iban, bank_ref),
  check ((state = 'credited') = (business_id is not null)),
  check ((state = 'outgoing') = (amount_minor < 0)),
  check (state <> 'unmatched' or reason is not null)
);
create index bank_payments_unmatched on bank_payments (received_at) where state = 'unmatched';
create index bank_payments_payer on bank_payments (payer_iban) where business_id is not null;
create index bank_payments_business on bank_payments (business_id, id desc) where business_id is not null;

-- People with pay whose details were missing when a report was made.
create table unreported_sellers (
  report_id uuid not null references seller_reports (id) on delete cascade,
  account_id uuid not null references accounts (id),
  primary key (report_id, account_id)
);
create index unreported_sellers_account on unreported_sellers (account_id);

-- Limits up to which a business hires before it pays (ADR 397). What is drawn and repaid is in the ledger only: `business_credit:{id}` is the unused
-- part, so a business owes its limit minus that. `platform_credit` is the other side of every limit, unlimited like `platform_losses`.
create table credit_limits (
  business_id uuid primary key references businesses (id),
  currency text not null,
  -- What was posted to `business_credit` as the limit. Minor units.
  limit_minor bigint not null check (limit_minor >= 0),
  -- Nothing is drawn any more; what is owed stays due.
  ended_at timestamptz,
  -- The day on which the oldest unpaid month was due, once it has passed.
  overdue_since date,
  -- Nothing new is set aside until what is overdue is paid.
  stopped_at timestamptz,
  updated_at timestamptz not null,
  check (stopped_at is null or overdue_since is not null)
);

create table credit_limit_changes (
  id uuid primary key,
  business_id uuid not null references businesses (id),
  before_minor bigint not null,
  limit_minor bigint not null check (limit_minor >= 0),
  currency text not null,
  reason text not null,
  set_by uuid not null references accounts (id),
  -- Null within what one operator may set alone.
  approved_by uuid references accounts (id) check (approved_by <> set_by),
  at timestamptz not null
);
create index credit_limit_changes_business on credit_limit_changes (business_id, id desc);
create index credit_limit_changes_setter on credit_limit_changes (set_by);
create index credit_limit_changes_approver on credit_limit_changes (approved_by) where approved_by is not null;
