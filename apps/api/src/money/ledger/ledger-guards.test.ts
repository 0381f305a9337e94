import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { useLedger } from '../../../test/use-ledger.ts';
import { newId } from '../../platform/ids.ts';
import { clearing, line, makeBalance, makeEntry, someAccount } from './ledger.fixtures.ts';
import { inLockOrder } from './ledger.rules.ts';
import { auditLedger, balanceOf } from './ledger.ts';

const app = useLedger();

type Line = [account: string, amount: number | string | null];
type Raw = {
  id?: string;
  currency?: string;
  reverses?: string;
  lines?: Line[];
  at?: Date;
  key?: string;
  xact?: string;
};

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
  const lines = raw.lines ?? [];
  await client.query(
    `insert into ledger_entries (id, key, kind, currency, reverses, at, digest, accounts, amounts, xact)
     values ($1, $2, 'tip', $3, $4, $5, $6, $7, $8, coalesce($9::xid8, pg_current_xact_id()))`,
    [
      id,
      raw.key ?? id,
      raw.currency ?? 'EUR',
      raw.reverses ?? null,
      at,
      Buffer.alloc(32),
      lines.map(([account]) => account),
      lines.map(([, amount]) => amount),
      raw.xact ?? null,
    ],
  );
  return id;
}

const ordered = (lines: Line[]): Line[] =>
  lines
    .map(([accountId, amount]) => ({
      accountId,
      amountMinor: Number(amount),
      line: [accountId, amount] as Line,
    }))
    .sort(inLockOrder)
    .map(({ line }) => line);
const insert = (raw: Raw) =>
  attempt((client) => insertEntry(client, { ...raw, lines: ordered(raw.lines ?? []) }));

const hold = () => `hold:${crypto.randomUUID()}:EUR`;
const provider = 'provider_clearing:EUR';

describe('the ledger by SQL', () => {
  it('accepts a complete entry', async () => {
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

  it('rejects an unbalanced entry and one with a single line or none', async () => {
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
    expect(await insert({ lines: [] })).toMatchObject(balanced);
    expect(
      await insert({
        lines: [
          [provider, 0],
          [hold(), 0],
        ],
      }),
    ).toMatchObject({ constraint: 'ledger_entry_range' });
  });

  it("rejects amounts and balances beyond JavaScript's safe integers", async () => {
    const max = Number.MAX_SAFE_INTEGER;
    const rich = hold();
    expect(
      await insert({
        lines: [
          [provider, '-9007199254740992'],
          [hold(), '9007199254740992'],
        ],
      }),
    ).toMatchObject({
      constraint: 'ledger_entry_range',
    });
    expect(
      await insert({
        lines: [
          [provider, -max],
          [rich, max],
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
          [rich, -max],
          [provider, max],
        ],
      }),
    ).toBeNull();
  });

  it('rejects a mix of currencies', async () => {
    const dollars = hold().replace('EUR', 'USD');
    const mixed = { constraint: 'ledger_entry_currency' };
    const lines: Line[] = [
      [provider, -5],
      [dollars, 5],
    ];
    expect(await insert({ lines: lines })).toMatchObject(mixed);
    expect(await insert({ lines: lines, currency: 'USD' })).toMatchObject(mixed);
    expect(await insert({ lines: lines, currency: 'eur' })).toMatchObject(mixed);
  });

  it('rejects an unknown account', async () => {
    const none = { constraint: 'ledger_entry_accounts' };
    const id = crypto.randomUUID();
    for (const account of [
      'hold:EUR',
      `till:${id}:EUR`,
      'hold:x:EUR',
      'hold:\n:EUR',
      `hold:${id.toUpperCase()}:EUR`,
      'business_balance:EUR',
      `platform_fees:${id}:EUR`,
      `provider_clearing:${id}:EUR`,
      ` hold:${id}:EUR`,
      'EUR',
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
    ).toMatchObject({ code: 'LG004' });
  });

  it("rejects an overdraft, except on the provider's account", async () => {
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

  it('rejects lines out of lock order, and incomplete lines', async () => {
    const order = { constraint: 'ledger_entry_order' };
    const lines = ordered([
      [hold(), 5],
      [hold(), 4],
      [provider, -9],
    ]);
    const attempts = [
      lines.toReversed(),
      [...lines.slice(1), lines[0] as Line],
      [[null as never, 5], ...lines],
    ];
    for (const wrong of attempts as Line[][])
      expect(await attempt((client) => insertEntry(client, { lines: wrong }))).toMatchObject(order);
    expect(
      await insert({
        lines: [
          [hold(), null],
          [provider, -9],
        ],
      }),
    ).toMatchObject({ constraint: 'ledger_entry_range' });
    const longer = await attempt((client) =>
      client.query(
        `insert into ledger_entries (id, key, kind, currency, at, digest, accounts, amounts)
         values ($1::uuid, 'longer', 'tip', 'EUR', $2, '', array['platform_losses:EUR', 'provider_clearing:EUR'], array[5, -5, 1])`,
        [newId(app.scope.clock.now()), app.scope.clock.now()],
      ),
    );
    expect(longer).toMatchObject({ constraint: 'ledger_entry_balanced' });
    expect(await attempt((client) => insertEntry(client, { lines }))).toBeNull();
  });

  it("rejects line arrays that don't start at one or are multidimensional", async () => {
    const lists = [
      [`'[0:1]={platform_losses:EUR,provider_clearing:EUR}'::text[]`, 'array[5, -5]'],
      [`array['platform_losses:EUR', 'provider_clearing:EUR']`, `'[2:3]={5,-5}'::bigint[]`],
      [`array[array['platform_losses:EUR'], array['provider_clearing:EUR']]`, 'array[array[5], array[-5]]'],
    ];
    for (const [accounts, amounts] of lists) {
      const at = app.scope.clock.now();
      const refused = await attempt((client) =>
        client.query(
          `insert into ledger_entries (id, key, kind, currency, at, digest, accounts, amounts)
           values ($1::uuid, 'lists', 'tip', 'EUR', $2, '', ${accounts}, ${amounts})`,
          [newId(at), at],
        ),
      );
      expect([accounts, refused]).toMatchObject([accounts, { code: 'LG003' }]);
    }
  });

  it('rejects a row below zero or beyond safe integers by column type', async () => {
    for (const [balance, constraint] of [
      [-1, 'ledger_accounts_not_overdrawn'],
      ['9007199254740992', 'ledger_accounts_exact'],
      [null, undefined],
    ] as const)
      expect(
        await attempt(async (client) => {
          await client.query('alter table ledger_accounts disable trigger user');
          await client.query('insert into ledger_accounts (id, balance) values ($1, $2)', [hold(), balance]);
        }),
      ).toMatchObject({ code: expect.stringMatching(/^23/), constraint });
  });

  it('rejects postings without an entry', async () => {
    const lines = [`'${provider}', -5`, `'${hold()}', 5`].map((text, index) => `($1, ${index + 3}, ${text})`);
    for (const id of [
      newId(app.scope.clock.now()),
      (await makeBalance(app.db, app.scope, someAccount('hold'), 5)).entryId,
    ])
      expect(
        await attempt((client) =>
          client.query(`insert into ledger_postings values ${lines.join(', ')}`, [id]),
        ),
      ).toMatchObject({ code: 'LG004' });
  });

  it('rejects an entry with a used key, a wrong time or another transaction’s id', async () => {
    const lines: Line[] = [
      [provider, -5],
      [hold(), 5],
    ];
    const key = crypto.randomUUID();
    expect(await insert({ key, lines })).toBeNull();
    expect(await insert({ key, lines })).toMatchObject({ constraint: 'ledger_entries_key' });
    const time = { constraint: 'ledger_entry_time' };
    expect(await insert({ id: crypto.randomUUID(), lines })).toMatchObject(time);
    expect(await insert({ xact: '5', lines })).toMatchObject(time);
  });

  it('accepts an exact reversal once', async () => {
    const account = someAccount('hold');
    const holdAccount = someAccount('hold');
    for (const each of [account, holdAccount]) await makeBalance(app.db, app.scope, each, 100);
    const holdHolder = `hold:${account.ownerId}:EUR`;
    const another = `hold:${holdAccount.ownerId}:EUR`;
    const { entryId } = await makeEntry(app.db, app.scope, [
      line(clearing, -9),
      line(account, 5),
      line(holdAccount, 4),
    ]);
    const inexact = { constraint: 'ledger_entry_reverses' };
    const reversal = (lines: Line[]) => insert({ reverses: entryId, lines });
    expect(
      await reversal([
        [provider, 5],
        [holdHolder, -5],
      ]),
    ).toMatchObject(inexact);
    expect(
      await reversal([
        [provider, 9],
        [holdHolder, -4],
        [another, -5],
      ]),
    ).toMatchObject(inexact);
    expect(
      await reversal([
        [provider, -9],
        [holdHolder, 5],
        [another, 4],
      ]),
    ).toMatchObject(inexact);
    expect(
      await reversal([
        [provider, 9],
        [holdHolder, -5],
        [another, -4],
        [holdHolder, 1],
        [provider, -1],
      ]),
    ).toMatchObject(inexact);
    expect(
      await reversal([
        [another, -4],
        [holdHolder, -5],
        [provider, 9],
      ]),
    ).toBeNull();
    expect(
      await reversal([
        [another, -4],
        [holdHolder, -5],
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
          [holdHolder, 9],
        ],
      }),
    ).toMatchObject({
      constraint: 'ledger_entry_reverses',
    });
  });

  it('rejects updates and deletes', async () => {
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
      `insert into ledger_entries select * from ledger_entries limit 1 on conflict (id) do update set about = null`,
      `merge into ledger_accounts a using (values (1)) v (x) on true when matched then update set balance = 0`,
    ])
      expect([statement, await attempt((client) => client.query(statement))]).toMatchObject([
        statement,
        immutable,
      ]);
    expect(await balanceOf(app.db, account, 'EUR')).toBe(500);
  });

  it('keeps every balance when deferred parts are deleted by adding them to the rows', async () => {
    const business = someAccount('business_balance');
    await makeBalance(app.db, app.scope, business, 500);
    expect(await attempt((client) => client.query('delete from ledger_deferred'))).toBeNull();
    expect(await balanceOf(app.db, business, 'EUR')).toBe(500);
    const { findings } = await auditLedger(app.db, app.scope);
    expect(findings.filter(({ kind }) => kind !== 'entry_changed')).toEqual([]);
  });
});
