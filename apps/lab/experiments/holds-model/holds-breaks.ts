import type pg from 'pg';

/** Runs PL/pgSQL before every entry, which may change or drop it. */
async function beforeEachEntry(pool: pg.Pool, text: string): Promise<void> {
  const { rows } = await pool.query<{ args: string }>(
    `select pg_get_function_arguments('ledger_post'::regproc) as args`,
  );
  await pool.query('alter function ledger_post rename to ledger_post_rightly');
  await pool.query(`create function ledger_post(${rows[0]?.args}) returns uuid language plpgsql as $$
    declare
      fee bigint;
      again uuid;
    begin
      ${text}
      return ledger_post_rightly(p_id, p_key, p_kind, p_currency, p_about, p_reverses, p_at, p_digest, p_accounts, p_amounts);
    end $$`);
}

const forgotten = (condition: string) => (pool: pg.Pool) =>
  beforeEachEntry(pool, `if ${condition} then return null; end if;`);

/** The negative controls: each is a defect in the server's database that the model has to find. */
export const serverBreaks: Record<string, (pool: pg.Pool) => Promise<unknown>> = {
  // The platform's share stays in the hold.
  'release-forgets-the-fee': (pool) =>
    beforeEachEntry(
      pool,
      `if p_kind = 'release' and p_accounts[cardinality(p_accounts)] like 'platform_fees%' then
        fee := p_amounts[cardinality(p_amounts)];
        p_accounts := p_accounts[1:cardinality(p_accounts) - 1];
        p_amounts := p_amounts[1:cardinality(p_amounts) - 1];
        for n in 1 .. cardinality(p_accounts) loop
          if p_accounts[n] like 'hold:%' then p_amounts[n] := p_amounts[n] + fee; end if;
        end loop;
      end if;`,
    ),
  'refund-paid-twice': (pool) =>
    beforeEachEntry(
      pool,
      `if p_kind = 'refund' then
        perform ledger_post_rightly((left(p_id::text, 18) || right(gen_random_uuid()::text, 18))::uuid, p_key || '/again', p_kind, p_currency, p_about,
          p_reverses, p_at, p_digest, p_accounts, p_amounts);
      end if;`,
    ),
  'expiry-keeps-the-money': forgotten(`p_kind = 'hold_returned'`),
  'late-money-is-lost': forgotten(`p_key like 'late/%'`),
  'won-is-not-undone': forgotten(`p_kind = 'chargeback_won'`),
  'failed-payout-is-kept': forgotten(`p_kind = 'unreserve'`),
  'tip-for-the-platform': (pool) =>
    beforeEachEntry(
      pool,
      `if p_kind in ('tip', 'bonus') and p_amounts[1] > 0 and cardinality(p_accounts) = 2 then
        p_amounts := array[p_amounts[1] - 1, 1, p_amounts[2]];
        p_accounts := array[p_accounts[1], 'platform_fees:' || p_currency, p_accounts[2]];
        if p_amounts[1] = 0 then
          p_amounts := p_amounts[2:3];
          p_accounts := p_accounts[2:3];
        end if;
        select array_agg(account order by (account like 'hold%' or account like 'worker%') desc, account collate "C"),
          array_agg(amount order by (account like 'hold%' or account like 'worker%') desc, account collate "C")
          into p_accounts, p_amounts from unnest(p_accounts, p_amounts) as line (account, amount);
      end if;`,
    ),
  'frozen-pays': (pool) =>
    pool.query(`create function never_frozen() returns trigger language plpgsql as $$
        begin
          new.frozen := false;
          return new;
        end $$;
      create trigger never_frozen before update on holds for each row execute function never_frozen()`),
  'cleared-too-early': (pool) =>
    pool.query(`create function clears_now() returns trigger language plpgsql as $$
        begin
          new.clears_at := new.clears_at - interval '1 day';
          return new;
        end $$;
      create trigger clears_now before insert on clearings for each row execute function clears_now();
      create function task_now() returns trigger language plpgsql as $$
        begin
          if new.name = 'payouts.clear' then new.run_at := new.run_at - interval '1 day'; end if;
          return new;
        end $$;
      create trigger task_now before insert on light_tasks for each row execute function task_now()`),
};

export const modelBreaks = ['fee-of-each-part', 'overtime-without-end', 'expiry-keeps-money'] as const;
