import type pg from 'pg';

async function cut(pool: pg.Pool, name: string, from: string, to: string): Promise<void> {
  const { rows } = await pool.query<{ text: string }>('select pg_get_functiondef($1::regproc) as text', [
    name,
  ]);
  const text = rows[0]?.text ?? '';
  if (!text.includes(from)) throw new Error(`${name} does not hold: ${from}`);
  await pool.query(text.replaceAll(from, to));
}

/** The negative controls: each removes one guard from the database, and the model has to notice. */
export const databaseBreaks: Record<string, (pool: pg.Pool) => Promise<unknown>> = {
  'no-overdraft-check': async (pool) => {
    await cut(pool, 'ledger_apply', ' and balance + change >= 0', '');
    await pool.query('alter domain ledger_balance drop constraint ledger_accounts_not_overdrawn');
  },
  'no-balance-check': (pool) => cut(pool, 'ledger_apply', 'count < 2 or total <> 0', 'false'),
  'no-currency-check': (pool) => cut(pool, 'ledger_apply', 'right(account, 3) = new.currency', 'true'),
  'no-key-check': (pool) =>
    cut(
      pool,
      'ledger_post',
      'is distinct from (p_kind, p_currency, p_about, p_reverses, p_accounts, p_amounts)',
      'is null',
    ),
  'key-posts-again': async (pool) => {
    await pool.query('alter table ledger_entries drop constraint ledger_entries_key');
    await cut(
      pool,
      'ledger_post',
      'ON CONFLICT ON CONSTRAINT ledger_entries_key DO NOTHING'.toLowerCase(),
      '',
    );
  },
  'reversed-twice': (pool) => pool.query('drop index ledger_entries_reversed_once'),
  'reversal-inexact': (pool) => cut(pool, 'ledger_apply', 'new.reverses is not null', 'false'),
  'fold-loses-a-cent': (pool) =>
    cut(
      pool,
      'ledger_fold',
      'set balance = balance + part.amount',
      'set balance = balance + part.amount - 1',
    ),
  'fees-dropped': (pool) =>
    cut(
      pool,
      'ledger_apply',
      'insert into ledger_deferred (account_id, amount) values (account, change);',
      `if not account ^@ 'platform_fees' then
        insert into ledger_deferred (account_id, amount) values (account, change); end if;`,
    ),
  'entries-can-change': (pool) => pool.query('drop trigger immutable on ledger_entries'),
  'balances-can-change': (pool) => pool.query('drop trigger by_entries_only on ledger_accounts'),
};

export const modelBreaks = ['overdraft', 'fee'] as const;
