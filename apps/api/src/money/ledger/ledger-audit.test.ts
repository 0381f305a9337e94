import { CompiledQuery } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { useLedger } from '../../../test/use-ledger.ts';
import { newId } from '../../platform/ids.ts';
import { createSign } from '../../platform/sign.ts';
import { clearing, fees, line, makeBalance, makeEntry, someAccount } from './ledger.fixtures.ts';
import { auditLedger, LedgerShortError, recomputeLedger, reverseEntry, sealLedger } from './ledger.ts';

const app = useLedger();
const audit = () => auditLedger(app.db, app.scope);

const holds = Array.from({ length: 20 }, () => someAccount('hold'));
const workers = Array.from({ length: 10 }, () => someAccount('worker_available'));
const businesses = Array.from({ length: 5 }, () => someAccount('business_balance'));
const count = 2_000;

beforeAll(async () => {
  let state = 20_261_121;
  const chance = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  const pick = <Item>(items: readonly Item[]) => items[chance(items.length)] as Item;
  const shapes = [
    (amount: number) => [line(clearing, -amount), line(pick(businesses), amount)],
    (amount: number) => [line(pick(businesses), -amount), line(pick(holds), amount)],
    (amount: number) => [
      line(pick(holds), -amount - 2),
      line(pick(workers), amount),
      line(fees, 1),
      line(pick(businesses), 1),
    ],
    (amount: number) => [line(pick(workers), -amount), line(clearing, amount)],
  ];
  let counter = 0;
  while (counter < count) {
    app.forward(1_000);
    const round = Array.from({ length: 8 }, () => {
      const currency = pick(['EUR', 'USD'] as const);
      return makeEntry(app.db, app.scope, pick(shapes)(1 + chance(9_999)), { currency }).then(
        async ({ entryId }) => {
          counter += 1;
          if (chance(20) > 0) return;
          const reversal = { key: `reverse/${entryId}`, entryId };
          await app.db.transaction().execute((tx) => reverseEntry(tx, app.scope, reversal));
          counter += 1;
        },
      );
    });
    for (const end of await Promise.allSettled(round))
      if (end.status === 'rejected' && !(end.reason instanceof LedgerShortError)) throw end.reason;
    if (chance(100) === 0) await sealLedger(app.db, app.scope);
  }
  for (const account of [...holds, ...businesses]) {
    await makeBalance(app.db, app.scope, account, 50_000_00);
    await sealAll();
  }
}, 60_000);

/** Seals every entry, waiting for older transactions of the cluster, which other test files share (ADR 64). */
async function sealAll(): Promise<number> {
  const open = `select count(*)::integer as open from ledger_entries
    where xact >= coalesce((select upto from ledger_seals order by no desc limit 1), '0'::xid8)`;
  for (let entries = 0; ; ) {
    entries += (await sealLedger(app.db, app.scope))?.entries ?? 0;
    const { rows } = await app.pool.query<{ open: number }>(open);
    if (rows[0]?.open === 0) return entries;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

type Query = (text: string, values?: unknown[]) => Promise<unknown>;

/** Changes rows without triggers and constraints; returns the auditor's findings and rolls back. */
async function tampered(work: (query: Query) => Promise<unknown>): Promise<{ kind: string; id: string }[]> {
  const found: { kind: string; id: string }[] = [];
  const undo = new Error('undone');
  await app.db
    .transaction()
    .execute(async (tx) => {
      const query = async (text: string, values: unknown[] = []) =>
        (await tx.executeQuery(CompiledQuery.raw(text, values))).rows;
      await query(`do $$ declare it record; begin
        for it in select conrelid::regclass as tab, conname from pg_constraint
          where conrelid::regclass::text like 'ledger%' and contype in ('c', 'f', 'u') order by contype = 'u'
        loop execute format('alter table %s drop constraint %I', it.tab, it.conname); end loop;
        for it in select relname as tab from pg_class where relkind = 'r' and relname like 'ledger%'
        loop execute format('alter table %I disable trigger user', it.tab); end loop;
      end $$`);
      await work(query);
      const { findings } = await recomputeLedger(tx, app.scope.sign);
      found.push(...findings.map(({ kind, id }) => ({ kind, id })));
      throw undo;
    })
    .catch((error) => {
      if (error !== undo) throw error;
    });
  return found;
}

async function victims(): Promise<{ id: string; credited: string; debited: string; amount: number }[]> {
  const { rows } = await app.pool.query(
    `select e.id, up.account_id as credited, down.account_id as debited, up.amount from ledger_entries e
     join ledger_postings up on up.entry_id = e.id and up.amount > 0
     join ledger_postings down on down.entry_id = e.id and down.amount < 0
     where e.currency = 'EUR' and up.account_id like 'hold:%' and down.account_id like 'business_balance:%'
       and e.reverses is null and not exists (select from ledger_entries r where r.reverses = e.id)
     order by e.id`,
  );
  return rows.slice(10);
}

const rebalance = (query: Query, account: string, amount: number) =>
  query('insert into ledger_deferred (account_id, amount) values ($1, $2)', [account, amount]);

describe('ledger.auditLedger', () => {
  it('finds nothing in thousands of regular entries', async () => {
    const { entries, findings } = await audit();
    expect(findings).toEqual([]);
    expect(entries).toBeGreaterThanOrEqual(count);
  });

  it('finds nothing after an exact restore', async () => {
    expect(await tampered(async () => {})).toEqual([]);
    expect((await audit()).findings).toEqual([]);
  });

  it('reports an entry whose amount was changed in both lines and the balances', async () => {
    const [victim] = await victims();
    const findings = await tampered(async (query) => {
      await query('update ledger_postings set amount = amount + sign(amount) where entry_id = $1', [
        victim?.id,
      ]);
      await query(
        'update ledger_entries set amounts = (select array_agg(amount + sign(amount) order by no) from unnest(amounts) with ordinality as l (amount, no)) where id = $1',
        [victim?.id],
      );
      await rebalance(query, victim?.credited ?? '', 1);
      await rebalance(query, victim?.debited ?? '', -1);
    });
    expect(findings).toEqual([{ kind: 'entry_changed', id: victim?.id }]);
  });

  it('reports the entry and the account when one line was changed', async () => {
    const [victim] = await victims();
    const findings = await tampered((query) =>
      query('update ledger_postings set amount = amount + 1 where entry_id = $1 and amount > 0', [
        victim?.id,
      ]),
    );
    expect(findings).toEqual([
      { kind: 'entry_unbalanced', id: victim?.id },
      { kind: 'lines_differ', id: victim?.id },
      { kind: 'entry_changed', id: victim?.id },
      { kind: 'balance_differs', id: victim?.credited },
    ]);
  });

  it('reports an entry that was removed with its lines and balances', async () => {
    const [victim] = await victims();
    const findings = await tampered(async (query) => {
      await query('delete from ledger_postings where entry_id = $1', [victim?.id]);
      await query('delete from ledger_entries where id = $1', [victim?.id]);
      await rebalance(query, victim?.credited ?? '', -(victim?.amount ?? 0));
      await rebalance(query, victim?.debited ?? '', victim?.amount ?? 0);
    });
    expect(findings).toEqual([{ kind: 'entry_missing', id: victim?.id }]);
  });

  it('reports an entry without its lines, and lines without their entry', async () => {
    const [first, other] = await victims();
    const findings = await tampered(async (query) => {
      await query('delete from ledger_postings where entry_id = $1', [first?.id]);
      await query('delete from ledger_entries where id = $1', [other?.id]);
      await rebalance(query, first?.credited ?? '', -(first?.amount ?? 0));
      await rebalance(query, first?.debited ?? '', first?.amount ?? 0);
    });
    expect(findings).toEqual([
      { kind: 'lines_missing', id: first?.id },
      { kind: 'line_without_entry', id: other?.id },
      { kind: 'entry_missing', id: other?.id },
    ]);
  });

  it('reports both swapped entries', async () => {
    const [first, other] = await victims();
    const findings = await tampered((query) =>
      query(
        `update ledger_postings p set account_id = q.account_id, amount = q.amount from ledger_postings q
         where p.line_no = q.line_no and (p.entry_id, q.entry_id) in (($1, $2), ($2, $1))`,
        [first?.id, other?.id],
      ),
    );
    expect(findings.filter(({ kind }) => kind === 'entry_changed').map(({ id }) => id)).toEqual([
      first?.id,
      other?.id,
    ]);
    expect(findings.filter(({ kind }) => kind === 'lines_differ').map(({ id }) => id)).toEqual([
      first?.id,
      other?.id,
    ]);
  });

  it('reports both entries when their signatures and times were swapped too', async () => {
    const [first, other] = await victims();
    const findings = await tampered(async (query) => {
      await query(
        `update ledger_entries p set digest = q.digest, key = 'swapped ' || q.key from ledger_entries q
         where (p.id, q.id) in (($1, $2), ($2, $1))`,
        [first?.id, other?.id],
      );
    });
    expect(findings).toEqual([first, other].map((entry) => ({ kind: 'entry_changed', id: entry?.id })));
  });

  it.each([
    [
      'account',
      `update ledger_postings set account_id = 'hold:' || gen_random_uuid() || ':EUR' where entry_id = $1 and amount > 0`,
    ],
    [
      'currency',
      `update ledger_postings set account_id = replace(account_id, 'EUR', 'USD') where entry_id = $1`,
    ],
    ['time', `update ledger_entries set at = at + interval '1 day' where id = $1`],
    ['kept lines', `update ledger_entries set accounts[1] = 'hold:x:EUR' where id = $1`],
    ['kind', `update ledger_entries set kind = 'bonus' where id = $1`],
    ['subject', `update ledger_entries set about = gen_random_uuid() where id = $1`],
    ['key', `update ledger_entries set key = 'another' where id = $1`],
    ['signature', `update ledger_entries set digest = sha256('x') where id = $1`],
    ['order of lines', `update ledger_postings set line_no = 4 - line_no where entry_id = $1`],
  ])('reports an entry whose %s was changed', async (_what, statement) => {
    const [victim] = await victims();
    const findings = await tampered((query) => query(statement, [victim?.id]));
    expect(findings.filter(({ id }) => id === victim?.id)).not.toEqual([]);
    expect(findings.filter(({ id }) => id.length === 36 && id !== victim?.id)).toEqual([]);
  });

  it('reports an entry inserted among old ones, even with matching lines and balances', async () => {
    const [victim] = await victims();
    const at = new Date('2026-11-21T09:00:01Z');
    const id = newId(at);
    const findings = await tampered(async (query) => {
      await query(
        `insert into ledger_entries (id, key, kind, currency, at, xact, accounts, amounts, digest)
         select $1::uuid, 'slipped', kind, currency, $2, xact, accounts, amounts, digest from ledger_entries where id = $3`,
        [id, at, victim?.id],
      );
      await query(
        `insert into ledger_postings select $1::uuid, line_no, account_id, amount from ledger_postings where entry_id = $2`,
        [id, victim?.id],
      );
      await rebalance(query, victim?.credited ?? '', victim?.amount ?? 0);
      await rebalance(query, victim?.debited ?? '', -(victim?.amount ?? 0));
    });
    expect(findings).toEqual([
      { kind: 'entry_changed', id },
      { kind: 'entry_slipped_in', id },
    ]);
  });

  it('reports an entry that claims another transaction’s id', async () => {
    const [victim] = await victims();
    const findings = await tampered((query) =>
      query(`update ledger_entries set xact = '999999999999'::xid8 where id = $1`, [victim?.id]),
    );
    expect(findings).toEqual([{ kind: 'entry_transaction_changed', id: victim?.id }]);
  });

  it('reports the account whose balance was changed, in its row or its deferred parts', async () => {
    const id = `hold:${holds[0]?.ownerId}:EUR`;
    const shared = `business_balance:${businesses[0]?.ownerId}:EUR`;
    expect(
      await tampered((query) => query(`update ledger_accounts set balance = balance + 1 where id = '${id}'`)),
    ).toEqual([{ kind: 'balance_differs', id }]);
    expect(await tampered((query) => query('insert into ledger_deferred values ($1, 5)', [shared]))).toEqual([
      { kind: 'balance_differs', id: shared },
    ]);
    expect(
      await tampered((query) =>
        query(`delete from ledger_deferred where account_id = 'provider_clearing:EUR'`),
      ),
    ).toEqual([{ kind: 'balance_differs', id: 'provider_clearing:EUR' }]);
    expect(await tampered((query) => query(`delete from ledger_accounts where id = '${id}'`))).toEqual([
      { kind: 'balance_differs', id },
    ]);
  });

  it('reports both entries that share a key', async () => {
    const [first, other] = await victims();
    const findings = await tampered((query) =>
      query('update ledger_entries set key = (select key from ledger_entries where id = $1) where id = $2', [
        first?.id,
        other?.id,
      ]),
    );
    expect(findings).toEqual([
      { kind: 'entry_changed', id: other?.id },
      { kind: 'key_twice', id: first?.id },
      { kind: 'key_twice', id: other?.id },
    ]);
  });

  it('reports a reversal of something else', async () => {
    const [victim] = await victims();
    const { rows } = await app.pool.query('select id from ledger_entries where reverses is not null limit 1');
    const findings = await tampered((query) =>
      query('update ledger_entries set reverses = $1 where id = $2', [victim?.id, rows[0].id]),
    );
    expect(findings).toEqual([
      { kind: 'entry_changed', id: rows[0].id },
      { kind: 'reversal_inexact', id: rows[0].id },
    ]);
  });

  it('reports an account below zero', async () => {
    const id = `hold:${crypto.randomUUID()}:EUR`;
    const findings = await tampered(async (query) => {
      await rebalance(query, id, -1);
    });
    expect(findings).toEqual([
      { kind: 'balance_differs', id },
      { kind: 'overdrawn', id },
    ]);
  });

  it('reports a deleted seal, in the middle, at the end or all of them', async () => {
    const { rows } = await app.pool.query<{ no: number }>('select no from ledger_seals order by no desc');
    const last = rows[0]?.no ?? 0;
    expect(last).toBeGreaterThan(2);
    const without = (condition: string) =>
      tampered((query) => query(`delete from ledger_seals where ${condition}`));
    const seals = (findings: { kind: string; id: string }[]) =>
      findings.filter(({ kind }) => kind.startsWith('seal'));
    expect(seals(await without('no = 2'))).toEqual([{ kind: 'seal_missing', id: '2' }]);
    expect(seals(await without(`no = ${last}`))).toEqual([{ kind: 'seal_missing', id: String(last) }]);
    expect(seals(await without('true'))).toHaveLength(last);
    const headless = await tampered((query) => query('delete from ledger_seal_head'));
    expect(headless).toEqual([{ kind: 'seal_head_missing', id: String(last) }]);
    const earlier = await tampered(async (query) => {
      await query(`delete from ledger_seals where no = ${last}`);
      await query(`update ledger_seal_head set no = ${last - 1}`);
    });
    expect(seals(earlier)).toEqual([{ kind: 'seal_head_changed', id: String(last - 1) }]);
  });

  it('reports a changed seal', async () => {
    const [victim] = await victims();
    const findings = await tampered((query) =>
      query(`update ledger_seals set entries = array_remove(entries, $1::uuid)`, [victim?.id]),
    );
    expect(findings).toEqual([
      { kind: 'seal_changed', id: expect.any(String) },
      { kind: 'entry_slipped_in', id: victim?.id },
    ]);
  });

  it('reports everything signed with another secret', async () => {
    const { entries, findings } = await auditLedger(app.db, {
      ...app.scope,
      sign: createSign('another secret'),
    });
    expect(findings.filter(({ kind }) => kind === 'entry_changed')).toHaveLength(entries);
  });
});

describe('ledger.sealLedger', () => {
  it('seals new entries once, and none of open transactions', async () => {
    const at = app.scope.clock.now();
    const client = await app.pool.connect();
    await client.query('begin');
    const id = newId(at);
    await client.query(
      `select * from ledger_post($1, 'open', 'tip', 'EUR', null, null, $2, $3, array['platform_losses:EUR', 'provider_clearing:EUR'], array[1, -1])`,
      [id, at, Buffer.alloc(32)],
    );
    await makeBalance(app.db, app.scope, someAccount('hold'), 5);
    expect(await sealLedger(app.db, app.scope)).toBeNull();
    await client.query('rollback');
    client.release();
    expect(await sealAll()).toBe(1);
    expect(await sealLedger(app.db, app.scope)).toBeNull();
  });

  it("stops at a chain whose end isn't the signed one", async () => {
    await app.pool.query('update ledger_seal_head set no = no + 1');
    await expect(sealLedger(app.db, app.scope)).rejects.toThrow('seals of the ledger');
    await app.pool.query('update ledger_seal_head set no = no - 1');
    await makeBalance(app.db, app.scope, someAccount('hold'), 5);
    expect(await sealAll()).toBe(1);
  });
});

describe('ledger.audit', () => {
  it('runs once a day and seals new entries', async () => {
    await makeBalance(app.db, app.scope, someAccount('hold'), 5);
    const { ledgerTasks } = await import('./ledger.tasks.ts');
    const logged: string[] = [];
    const log = {
      error: (_: unknown, text: string) => logged.push(text),
      info: (_: unknown, text: string) => logged.push(text),
    };
    const taskScope = { ...app.scope, db: app.db, log } as unknown as Parameters<
      (typeof ledgerTasks)[0]['run']
    >[0];
    await ledgerTasks[0]?.run(taskScope, {});
    expect(logged).toEqual(['ledger audited']);
    expect(ledgerTasks[0]?.daily).toBe(true);
    expect(await sealAll()).toBeLessThanOrEqual(1);
  });
});
