import type { Currency } from '@nearhand/contract/currencies';
import pg from 'pg';
import { accountId, readAccountId } from '../../src/features/ledger/ledger.rules.ts';
import {
  auditLedger,
  LedgerRefused,
  type LedgerScope,
  LedgerShort,
  type NewEntry,
  postEntry,
  reverseEntry,
} from '../../src/features/ledger/ledger.service.ts';
import type { Database } from '../../src/platform/db.ts';
import { newId } from '../../src/platform/ids.ts';
import type { Answer, LedgerModel, ModelEntry, ModelLine } from './ledger.model.ts';
import { createChance, inOrder, platformNames, randomEntry } from './random-entries.ts';

export type Tally = { runs: number; commands: Map<string, number>; answers: Map<string, number> };
export const newTally = (): Tally => ({ runs: 0, commands: new Map(), answers: new Map() });

export class Divergence extends Error {}

type Driver = {
  database: Database;
  /** Two that no other driver of the database uses, so that the platform's accounts are its own, too. */
  currencies: readonly [Currency, Currency];
  scope: LedgerScope;
  /** Lives as long as the database: the platform's accounts do, too. */
  model: LedgerModel;
  tally: Tally;
};

/** One run: commands against the server's ledger and the model, which may never differ. */
export async function runLedger(
  { database, currencies, scope, model, tally }: Driver,
  { seed, commands }: { seed: number; commands: number },
): Promise<void> {
  const { db, pool } = database;
  const chance = createChance(seed);
  const own = (kind: string) => `${kind}:${chance.uuid()}`;
  const names = [
    ...[own('business_balance'), own('business_balance'), own('hold'), own('hold')],
    ...['worker_pending', 'worker_available', 'worker_reserved'].map(own),
  ];
  const watched = currencies.flatMap((code) => [...names, ...platformNames].map((name) => `${name}:${code}`));
  const keys: string[] = [];
  const newKey = () => `${seed}/${chance.uuid()}`;

  const toEntry = (entry: ModelEntry): NewEntry =>
    ({
      ...{ key: entry.key, kind: entry.kind, currency: entry.currency, about: entry.about },
      lines: entry.lines.map(({ account, amount }) => ({
        account: readAccountId(account).account,
        amountMinor: amount,
      })),
    }) as NewEntry;
  /** Past the service's own checks, straight to the database. */
  const callRaw = (client: pg.PoolClient, entry: ModelEntry) =>
    client.query('select ledger_post($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)', [
      ...[newId(scope.clock.now()), entry.key, entry.kind, entry.currency, entry.about, entry.reverses],
      ...[scope.clock.now(), Buffer.alloc(32)],
      ...[inOrder(entry.lines).map((line) => line.account), inOrder(entry.lines).map((line) => line.amount)],
    ]);
  const ids = new Map<string, string>();
  const answerOf = async (
    work: Promise<{ entryId: string; posted: boolean }>,
    key: string,
  ): Promise<Answer> => {
    try {
      const { entryId, posted } = await work;
      const known = ids.get(key);
      if (!posted && known !== undefined && known !== entryId)
        throw new Divergence(`${key} is another entry now`);
      ids.set(key, entryId);
      return { is: posted ? 'posted' : 'again' };
    } catch (error) {
      if (error instanceof LedgerShort)
        return { is: 'short', account: accountId(error.account, error.currency) };
      if (error instanceof LedgerRefused) return { is: 'refused' };
      throw error;
    }
  };
  const post = (entry: ModelEntry) => {
    const work = db.transaction().execute((tx) =>
      entry.reverses === null
        ? postEntry(tx, scope, toEntry(entry))
        : reverseEntry(tx, scope, {
            ...{ key: entry.key, entryId: ids.get(entry.reverses) ?? '', about: entry.about },
            kind: entry.kind as 'reversal',
          }),
    );
    return answerOf(work, entry.key);
  };
  const refusedRaw = async (statement: (client: pg.PoolClient) => Promise<unknown>): Promise<string> => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      await statement(client);
      await client.query('commit');
      return 'done';
    } catch (error) {
      await client.query('rollback');
      if (error instanceof pg.DatabaseError && /^(LG|22|23)/.test(error.code ?? '')) return 'refused';
      throw error;
    } finally {
      client.release();
    }
  };

  const expect = (what: string, got: unknown, wanted: unknown) => {
    const [have, want] = [JSON.stringify(got), JSON.stringify(wanted)];
    if (have !== want) throw new Divergence(`${what}: the ledger says ${have}, the model ${want}`);
  };

  const balanced = () => randomEntry({ chance, names, currencies, begins: keys.length < 6, key: newKey() });
  const known = (): ModelEntry | null => model.entries.get(chance.pick(keys) ?? '') ?? null;
  const reversalOf = (entry: ModelEntry): ModelEntry => ({
    ...{ key: newKey(), kind: 'reversal', currency: entry.currency, about: entry.about, reverses: entry.key },
    lines: entry.lines.map((line) => ({ ...line, amount: -line.amount })),
  });
  const remember = (entry: ModelEntry, answer: Answer) => {
    if (answer.is === 'posted') keys.push(entry.key);
    return answer;
  };
  const both = async (entry: ModelEntry) => {
    const got = await post(entry);
    const wanted = remember(entry, model.post(entry));
    expect(JSON.stringify(entry), got, wanted);
    return got.is;
  };
  /** Two at the same moment: it must have come out as in one order or in the other. */
  const atOnce = async (one: ModelEntry, other: ModelEntry) => {
    const got = await Promise.all([post(one), post(other)]);
    const orders = [
      [one, other],
      [other, one],
    ] as const;
    for (const [first, second] of orders) {
      const trial = model.judge(first);
      const firstGot = first === one ? got[0] : got[1];
      if (JSON.stringify(trial) !== JSON.stringify(firstGot)) continue;
      model.post(first);
      const secondWanted = model.judge(second);
      const secondGot = first === one ? got[1] : got[0];
      if (JSON.stringify(secondWanted) === JSON.stringify(secondGot)) {
        if (trial.is === 'posted') keys.push(first.key);
        remember(second, model.post(second));
        return `${got[0].is} + ${got[1].is}`;
      }
      if (trial.is === 'posted') model.undo(first);
    }
    throw new Divergence(
      `at once ${JSON.stringify([one, other])}: the ledger says ${JSON.stringify(got)}, which no order gives`,
    );
  };

  const acts: Record<string, () => Promise<string>> = {
    post: () => both(balanced()),
    again: async () => {
      const entry = known();
      return entry
        ? both({ ...entry, lines: entry.reverses === null ? entry.lines.toReversed() : entry.lines })
        : 'nothing yet';
    },
    'changed under the same key': async () => {
      const entry = known();
      if (!entry || entry.reverses !== null) return 'nothing yet';
      const [first, second, ...rest] = entry.lines as [ModelLine, ModelLine, ...ModelLine[]];
      const changed = chance.pick<Partial<ModelEntry>>([
        { kind: 'bonus' },
        { about: chance.uuid() },
        {
          lines: [
            { ...first, amount: first.amount * 2 },
            { ...second, amount: second.amount - first.amount },
            ...rest,
          ],
        },
        { lines: [...entry.lines, { ...first, amount: 7 }, { ...first, amount: -7 }] },
      ]);
      const amounts = changed.lines ?? entry.lines;
      return amounts.some((line) => line.amount === 0) ? 'nothing yet' : both({ ...entry, ...changed });
    },
    reverse: async () => {
      const entry = known();
      const spends = entry?.lines.some((line) => line.account.startsWith('platform_fees') && line.amount > 0);
      return entry && !spends ? both(reversalOf(entry)) : 'nothing yet';
    },
    'invalid entry by SQL': async () => {
      const entry = balanced();
      const [first, ...rest] = entry.lines as [ModelLine, ...ModelLine[]];
      const other = currencies[entry.currency === currencies[0] ? 1 : 0];
      const invalid = chance.pick<Partial<ModelEntry>>([
        { lines: [{ ...first, amount: first.amount + 1 }, ...rest] },
        { lines: [{ account: `provider_clearing:${entry.currency}`, amount: -5 }] },
        {
          lines: [
            { account: `provider_clearing:${entry.currency}`, amount: -5 },
            { account: `platform_losses:${entry.currency}`, amount: 4 },
          ],
        },
        {
          lines: [
            { account: `provider_clearing:${entry.currency}`, amount: -5 },
            { account: `platform_losses:${other}`, amount: 5 },
          ],
        },
        { currency: other },
        {
          lines: [
            { account: `till:${entry.currency}`, amount: 5 },
            { account: `provider_clearing:${entry.currency}`, amount: -5 },
          ],
        },
        { lines: [] },
      ]);
      const got = await refusedRaw((client) => callRaw(client, { ...entry, ...invalid }));
      expect(`by SQL ${JSON.stringify({ ...entry, ...invalid })}`, got, 'refused');
      return got;
    },
    'inexact reversal by SQL': async () => {
      const entry = known();
      if (!entry) return 'nothing yet';
      const code = entry.currency;
      const lines = [
        { account: `provider_clearing:${code}`, amount: -3e9 },
        { account: `platform_losses:${code}`, amount: 3e9 },
      ];
      const reverses = ids.get(entry.key) ?? null;
      const got = await refusedRaw((client) => callRaw(client, { ...reversalOf(entry), reverses, lines }));
      expect(`reversal by SQL of ${entry.key}`, got, 'refused');
      return got;
    },
    'change by SQL': async () => {
      const statement = chance.pick([
        'update ledger_entries set about = null where key = $1',
        'delete from ledger_entries where key = $1',
        'update ledger_postings set amount = amount * 2 where entry_id = (select id from ledger_entries where key = $1)',
        'update ledger_accounts set balance = balance + 1 where id = $1',
        'insert into ledger_deferred values ($1, 5)',
      ]);
      const got = await refusedRaw((client) => client.query(statement, [watched[0]]));
      expect(statement, got, 'refused');
      return got;
    },
    'rolled back': async () => {
      const entry = balanced();
      const got = await refusedRaw(async (client) => {
        await callRaw(client, entry);
        throw new pg.DatabaseError('undone', 0, 'error');
      }).catch(() => 'undone');
      return got;
    },
    fold: async () => {
      await pool
        .query('delete from ledger_deferred where account_id = any ($1)', [watched])
        .catch((error) => {
          throw new Divergence(`folding fails: ${error}`);
        });
      return 'done';
    },
    'at once under one key': async () => {
      const entry = balanced();
      return atOnce(entry, { ...entry });
    },
    'at once from one account': async () => {
      const [one, other] = [balanced(), balanced()];
      const from = `${chance.pick(names)}:${currencies[0]}`;
      const most = Math.max(1, model.balance(from));
      const debit = (entry: ModelEntry): ModelEntry => {
        const amount = 1 + chance.below(most);
        const to = `${chance.pick(names)}:${currencies[0]}`;
        return {
          ...entry,
          currency: currencies[0],
          lines: [
            { account: from, amount: -amount },
            { account: to, amount },
          ],
        };
      };
      return atOnce(debit(one), debit(other));
    },
    'at once reversed': async () => {
      const entry = known();
      const spends = entry?.lines.some((line) => line.account.startsWith('platform_fees') && line.amount > 0);
      return entry && !spends ? atOnce(reversalOf(entry), reversalOf(entry)) : 'nothing yet';
    },
  };
  const odds: [name: string, weight: number][] = [
    ...([
      ['post', 40],
      ['again', 8],
      ['changed under the same key', 6],
      ['reverse', 12],
    ] as [string, number][]),
    ...([
      ['invalid entry by SQL', 7],
      ['inexact reversal by SQL', 3],
      ['change by SQL', 3],
      ['rolled back', 3],
    ] as [string, number][]),
    ...([
      ['fold', 5],
      ['at once under one key', 4],
      ['at once from one account', 6],
      ['at once reversed', 3],
    ] as [string, number][]),
  ];
  const bag = odds.flatMap(([name, weight]) => Array.from({ length: weight }, () => name));

  const compare = async (after: string) => {
    const { rows } = await pool.query<{ id: string; balance: number }>({
      name: 'ledger-model-balances',
      text: `select id, (coalesce((select balance from ledger_accounts where id = account.id), 0)
          + coalesce((select sum(amount) from ledger_deferred where account_id = account.id), 0))::bigint as balance
        from unnest($1::text[]) as account (id)`,
      values: [watched],
    });
    for (const { id, balance } of rows) expect(`${id} after ${after}`, balance, model.balance(id));
  };

  for (let no = 0; no < commands; no += 1) {
    const name = chance.pick(bag);
    const answer = await acts[name]?.();
    await compare(`command ${no + 1}, ${name}`);
    tally.commands.set(name, (tally.commands.get(name) ?? 0) + 1);
    tally.answers.set(answer ?? '', (tally.answers.get(answer ?? '') ?? 0) + 1);
  }
  model.forget(
    keys,
    names.flatMap((name) => currencies.map((code) => `${name}:${code}`)),
  );
  tally.runs += 1;
}

/** What must hold of the whole ledger, whatever the runs were. */
export async function checkLedger(
  { database, scope }: Pick<Driver, 'database' | 'scope'>,
  posted: number,
): Promise<{ entries: number }> {
  const { entries, findings } = await auditLedger(database.db, scope);
  if (findings.length > 0) throw new Divergence(`the auditor finds ${JSON.stringify(findings.slice(0, 5))}`);
  if (entries !== posted) throw new Divergence(`${entries} entries, ${posted} in the model`);
  return { entries };
}
