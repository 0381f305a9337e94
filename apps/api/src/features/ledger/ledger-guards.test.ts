import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { useLedger } from '../../../test/use-ledger.ts';
import { newId } from '../../platform/ids.ts';
import { clearing, line, makeBalance, makeEntry, someAccount } from './ledger.fixtures.ts';
import { auditLedger, balanceOf } from './ledger.service.ts';

// What somebody with a SQL prompt and the application's own role may do: the database refuses by itself (ADR 0064).
const app = useLedger();

type Line = [account: string, amount: number | string, no?: number];
type Raw = { id?: string; currency?: string; reverses?: string; lines?: Line[]; at?: Date; key?: string };

/** Runs statements in one transaction and answers with the code and constraint of what refused them, or null. */
async function attempt(
  work: (client: pg.PoolClient) => Promise<unknown>,
): Promise<{ code: string | undefined; constraint: string | undefined } | null> {
  const client = await app.pool.connect();
  try {
    await client.query('begin');
    await work(client);
    await client.query('commit');
    return null;
  } catch (error) {
    await client.query('rollback');
    if (!(error instanceof pg.DatabaseError)) throw error;
    return { code: error.code, constraint: error.constraint };
  } finally {
    client.release();
  }
}

async function insertEntry(client: pg.PoolClient, raw: Raw = {}): Promise<string> {
  const at = raw.at ?? app.scope.clock.now();
  const id = raw.id ?? newId(at);
  await client.query(
    `insert into ledger_entries (id, key, kind, currency, reverses, at, digest) values ($1, $2, 'tip', $3, $4, $5, $6)`,
    [id, raw.key ?? id, raw.currency ?? 'EUR', raw.reverses ?? null, at, Buffer.alloc(32)],
  );
  return id;
}

const insertLines = (client: pg.PoolClient, entryId: string, lines: Line[]) =>
  client.query(
    `insert into ledger_postings (entry_id, line_no, account_id, amount)
     select $1, no, account, amount from unnest($2::int[], $3::text[], $4::numeric[]) as l (no, account, amount)`,
    [
      entryId,
      lines.map(([, , no], index) => no ?? index + 1),
      lines.map(([account]) => account),
      lines.map(([, amount]) => amount),
    ],
  );

const insert = (raw: Raw) =>
  attempt(async (client) => insertLines(client, await insertEntry(client, raw), raw.lines ?? []));

const hold = () => `hold:${crypto.randomUUID()}:EUR`;
const provider = 'provider_clearing:EUR';

describe('the ledger by SQL', () => {
  it('takes an entry that is whole', async () => {
    expect(
      await insert({
        lines: [
          [provider, -5],
          [hold(), 3],
          [hold(), 2],
        ],
      }),
    ).toBeNull();
  });

  it('refuses an entry that is unbalanced, of one line, or of none', async () => {
    const balanced = { constraint: 'ledger_entry_balanced' };
    expect(
      await insert({
        lines: [
          [provider, -5],
          [hold(), 4],
        ],
      }),
    ).toMatchObject(balanced);
    expect(await insert({ lines: [[hold(), 4]] })).toMatchObject(balanced);
    expect(await insert({ lines: [] })).toMatchObject({ constraint: 'ledger_entry_whole' });
    expect(
      await insert({
        lines: [
          [provider, 0],
          [hold(), 0],
        ],
      }),
    ).toMatchObject({ code: '23514' });
    expect(await attempt((client) => insertEntry(client))).toMatchObject({
      constraint: 'ledger_entry_whole',
    });
  });

  it('refuses amounts that JavaScript cannot hold, also as a balance', async () => {
    const most = Number.MAX_SAFE_INTEGER;
    const rich = hold();
    expect(
      await insert({
        lines: [
          [provider, '-9007199254740992'],
          [hold(), '9007199254740992'],
        ],
      }),
    ).toMatchObject({
      constraint: 'ledger_postings_range',
    });
    expect(
      await insert({
        lines: [
          [provider, -most],
          [rich, most],
        ],
      }),
    ).toBeNull();
    expect(
      await insert({
        lines: [
          [provider, -1],
          [rich, 1],
        ],
      }),
    ).toMatchObject({
      constraint: 'ledger_accounts_exact',
    });
    expect(
      await insert({
        lines: [
          [rich, -most],
          [provider, most],
        ],
      }),
    ).toBeNull();
  });

  it('refuses a mix of currencies', async () => {
    const dollars = hold().replace('EUR', 'USD');
    const mixed = { constraint: 'ledger_entry_currency' };
    const one: Line[] = [
      [provider, -5],
      [dollars, 5],
    ];
    expect(await insert({ lines: one })).toMatchObject(mixed);
    expect(await insert({ lines: one, currency: 'USD' })).toMatchObject(mixed);
    expect(await insert({ lines: one, currency: 'eur' })).toMatchObject(mixed);
  });

  it('refuses an account that is none', async () => {
    const none = { constraint: 'ledger_accounts_named' };
    const id = crypto.randomUUID();
    for (const account of [
      ...[
        'hold:EUR',
        `till:${id}:EUR`,
        'hold:x:EUR',
        'hold:\n:EUR',
        `hold:${id.toUpperCase()}:EUR`,
        'business_balance:EUR',
      ],
      ...[`platform_fees:${id}:EUR`, `provider_clearing:${id}:EUR`, ` hold:${id}:EUR`, 'EUR'],
    ])
      expect([
        account,
        await insert({
          lines: [
            [provider, -5],
            [account, 5],
          ],
        }),
      ]).toMatchObject([account, none]);
    expect(
      await attempt((client) => client.query(`insert into ledger_accounts (id) values ('till')`)),
    ).toMatchObject(none);
  });

  it('refuses an overdraft, and takes one where the provider’s money is', async () => {
    const account = hold();
    const refused = { code: 'LG001', constraint: 'ledger_accounts_not_overdrawn' };
    expect(
      await insert({
        lines: [
          [account, -1],
          [provider, 1],
        ],
      }),
    ).toMatchObject(refused);
    expect(
      await insert({
        lines: [
          [provider, -5],
          [account, 5],
        ],
      }),
    ).toBeNull();
    expect(
      await insert({
        lines: [
          [account, -6],
          [provider, 6],
        ],
      }),
    ).toMatchObject(refused);
    expect(
      await insert({
        lines: [
          [account, -5],
          ['platform_losses:EUR', 5],
        ],
      }),
    ).toBeNull();
  });

  it('refuses lines apart from their entry: later, in two statements, or of nothing', async () => {
    const whole = { constraint: 'ledger_entry_whole' };
    const lines: Line[] = [
      [provider, -5],
      [hold(), 5],
    ];
    const more: Line[] = [
      [provider, -5, 3],
      [hold(), 5, 4],
    ];
    let id = '';
    expect(
      await attempt(async (client) => {
        id = await insertEntry(client);
        await insertLines(client, id, lines);
      }),
    ).toBeNull();
    expect(await attempt((client) => insertLines(client, id, more))).toMatchObject(whole);
    expect(
      await attempt(async (client) => {
        const own = await insertEntry(client);
        await insertLines(client, own, lines);
        await insertLines(client, own, more);
      }),
    ).toMatchObject(whole);
    expect(await attempt((client) => insertLines(client, crypto.randomUUID(), lines))).toMatchObject(whole);
    expect(
      await insert({
        lines: [
          [provider, -5, 1],
          [hold(), 5, 3],
        ],
      }),
    ).toMatchObject(whole);
  });

  it('refuses lines of several entries in one statement', async () => {
    const both = await attempt(async (client) => {
      const ids = [await insertEntry(client), await insertEntry(client)];
      await client.query(
        `insert into ledger_postings (entry_id, line_no, account_id, amount) values
         ($1, 1, $3, -5), ($1, 2, $4, 5), ($2, 1, $3, -5), ($2, 2, $4, 5)`,
        [...ids, provider, hold()],
      );
    });
    expect(both).toMatchObject({ constraint: 'ledger_entry_whole' });
  });

  it('refuses an entry under a used key, out of its time, or posing as another transaction’s', async () => {
    const lines: Line[] = [
      [provider, -5],
      [hold(), 5],
    ];
    const key = crypto.randomUUID();
    expect(await insert({ key, lines })).toBeNull();
    expect(await insert({ key, lines })).toMatchObject({ constraint: 'ledger_entries_key' });
    expect(await insert({ id: crypto.randomUUID(), lines })).toMatchObject({
      constraint: 'ledger_entry_time',
    });
    const posing = await attempt(async (client) => {
      const id = newId(app.scope.clock.now());
      await client.query(
        `insert into ledger_entries (id, key, kind, currency, at, digest, xact) values ($1::uuid, $1::uuid::text, 'tip', 'EUR', $2, $3, '5'::xid8)`,
        [id, app.scope.clock.now(), Buffer.alloc(32)],
      );
      await insertLines(client, id, lines);
    });
    expect(posing).toMatchObject({ constraint: 'ledger_entry_whole' });
  });

  it('takes a reversal that is exact, once', async () => {
    const [account, other] = [someAccount('hold'), someAccount('hold')];
    for (const each of [account, other]) await makeBalance(app.db, app.scope, each, 100);
    const [held, another] = [`hold:${account.ownerId}:EUR`, `hold:${other.ownerId}:EUR`];
    const { entryId } = await makeEntry(app.db, app.scope, [
      line(clearing, -9),
      line(account, 5),
      line(other, 4),
    ]);
    const inexact = { constraint: 'ledger_entry_reverses' };
    const reversal = (lines: Line[]) => insert({ reverses: entryId, lines });
    expect(
      await reversal([
        [provider, 5],
        [held, -5],
      ]),
    ).toMatchObject(inexact);
    expect(
      await reversal([
        [provider, 9],
        [held, -4],
        [another, -5],
      ]),
    ).toMatchObject(inexact);
    expect(
      await reversal([
        [provider, -9],
        [held, 5],
        [another, 4],
      ]),
    ).toMatchObject(inexact);
    expect(
      await reversal([
        [provider, 9],
        [held, -5],
        [another, -4],
        [held, 1],
        [provider, -1],
      ]),
    ).toMatchObject(inexact);
    expect(
      await reversal([
        [another, -4],
        [held, -5],
        [provider, 9],
      ]),
    ).toBeNull();
    expect(
      await reversal([
        [another, -4],
        [held, -5],
        [provider, 9],
      ]),
    ).toMatchObject({
      constraint: 'ledger_entries_reversed_once',
    });
    expect(
      await insert({
        reverses: crypto.randomUUID(),
        lines: [
          [provider, -9],
          [held, 9],
        ],
      }),
    ).toMatchObject({
      constraint: 'ledger_entry_reverses',
    });
  });

  it('refuses to change or remove what was written', async () => {
    const account = someAccount('hold');
    await makeBalance(app.db, app.scope, account, 500);
    await makeBalance(app.db, app.scope, someAccount('business_balance'), 500);
    const immutable = { code: 'LG004' };
    for (const statement of [
      'update ledger_entries set kind = kind',
      'update ledger_entries set digest = digest where false',
      'delete from ledger_entries',
      'truncate ledger_entries cascade',
      'update ledger_postings set amount = amount + 1',
      'delete from ledger_postings',
      'truncate ledger_postings',
      'update ledger_accounts set balance = balance + 1',
      'update ledger_accounts set balance = balance',
      'delete from ledger_accounts',
      'truncate ledger_accounts',
      `insert into ledger_accounts (id, balance) values ('${hold()}', 5)`,
      `insert into ledger_deferred values ('${provider}', 5)`,
      'update ledger_deferred set amount = 5',
      'truncate ledger_deferred',
      'update ledger_seals set no = no',
      'delete from ledger_seals',
      'delete from ledger_seal_head',
      `insert into ledger_postings (entry_id, line_no, account_id, amount)
         select entry_id, line_no, account_id, amount from ledger_postings limit 1
         on conflict (entry_id, line_no) do update set amount = excluded.amount + 1`,
      `merge into ledger_accounts a using (values (1)) v (x) on true when matched then update set balance = 0`,
    ])
      expect([statement, await attempt((client) => client.query(statement))]).toMatchObject([
        statement,
        immutable,
      ]);
    expect(await balanceOf(app.db, account, 'EUR')).toBe(500);
  });

  it('keeps every balance when somebody deletes deferred parts: they are added to the rows', async () => {
    const business = someAccount('business_balance');
    await makeBalance(app.db, app.scope, business, 500);
    expect(await attempt((client) => client.query('delete from ledger_deferred'))).toBeNull();
    expect(await balanceOf(app.db, business, 'EUR')).toBe(500);
    const { findings } = await auditLedger(app.db, app.scope);
    // The entries above were written without a key to sign them.
    expect(findings.filter(({ kind }) => kind !== 'entry_changed')).toEqual([]);
  });
});
