import { systemClock } from '@nearhand/api/src/platform/clock.ts';
import { newId } from '@nearhand/api/src/platform/ids.ts';
import type pg from 'pg';

type Part = readonly [accountId: string, amount: number];

/** Tables of a minimal ledger, with money on every account. */
export async function createBareBook(pool: pg.Pool, people: readonly string[]): Promise<void> {
  await pool.query(
    'create table bare_accounts (id uuid primary key, balance bigint not null check (balance >= 0))',
  );
  await pool.query(
    'create table bare_transfers (id uuid primary key, from_id uuid not null, to_id uuid not null, amount bigint not null, at timestamptz not null)',
  );
  await pool.query('insert into bare_accounts select id, 1000000000 from unnest($1::uuid[]) as a (id)', [
    people,
  ]);
}

/**
 * One row inserted and every balance changed in one transaction, in the shortest SQL; a new hold gets its row.
 * @param options.prepared with statements that each connection prepares once, which few write by hand
 */
export async function bareTransfer(
  pool: pg.Pool,
  parts: readonly Part[],
  { hold, prepared = false }: { hold?: string; prepared?: boolean } = {},
): Promise<void> {
  const at = systemClock.now();
  const client = await pool.connect();
  const query = (name: string, text: string, values: unknown[]) =>
    prepared ? client.query({ name, text, values }) : client.query(text, values);
  try {
    await client.query('begin');
    await query(
      'bare-transfer',
      'insert into bare_transfers (id, from_id, to_id, amount, at) values ($1, $2, $3, $4, $5)',
      [newId(at), parts[0]?.[0], parts[1]?.[0], parts[1]?.[1], at],
    );
    if (hold) await query('bare-hold', 'insert into bare_accounts (id, balance) values ($1, 0)', [hold]);
    for (const [id, amount] of [...parts].sort())
      await query('bare-balance', 'update bare_accounts set balance = balance + $2 where id = $1', [
        id,
        amount,
      ]);
    await client.query('commit');
  } finally {
    client.release();
  }
}

/** A hold funded from a balance, then released, in bare SQL: even fees have one row, as in a simple ledger. */
export async function bareWork(pool: pg.Pool, pick: () => string): Promise<void> {
  const [business, hold, worker] = [pick(), crypto.randomUUID(), pick()];
  await bareTransfer(
    pool,
    [
      [business, -11_000],
      [hold, 11_000],
    ],
    { hold },
  );
  await bareTransfer(pool, [
    [hold, -11_000],
    [worker, 6_000],
    [pick(), 1_000],
    [business, 4_000],
  ]);
}
