import type { Currency } from '@nearhand/contract/currencies';
import pg from 'pg';
import type { Answer, LedgerModel, ModelEntry, ModelLine } from './ledger.model.ts';
import { agree, DivergenceError } from './ledger-divergence.ts';
import type { LedgerServer } from './ledger-server.ts';
import { type createChance, randomEntry } from './random-entries.ts';

export type LedgerRun = {
  server: LedgerServer;
  model: LedgerModel;
  chance: ReturnType<typeof createChance>;
  currencies: readonly [Currency, Currency];
  names: readonly string[];
  watched: readonly string[];
  keys: string[];
  newKey(): string;
};

/**
 * Acts on the ledger and the model and returns the result.
 * @throws DivergenceError
 */
type Command = (run: LedgerRun) => Promise<string>;

export const ledgerCommands: readonly [name: string, weight: number, command: Command][] = [
  ['post', 40, (run) => postToBoth(run, balanced(run))],
  ['again', 8, repeatEntry],
  ['changed under the same key', 6, changedUnderTheSameKey],
  ['reverse', 12, reverse],
  ['invalid entry by SQL', 7, invalidEntry],
  ['inexact reversal by SQL', 3, inexactReversal],
  ['change by SQL', 3, changeBySql],
  ['rolled back', 3, rolledBack],
  ['fold', 5, fold],
  ['at once under one key', 4, atOnceUnderOneKey],
  ['at once from one account', 6, atOnceFromOneAccount],
  ['at once reversed', 3, atOnceReversed],
];

const balanced = ({ chance, names, currencies, keys, newKey }: LedgerRun) =>
  randomEntry({ chance, names, currencies, begins: keys.length < 6, key: newKey() });

const pickPosted = ({ model, chance, keys }: LedgerRun): ModelEntry | null =>
  model.entries.get(chance.pick(keys) ?? '') ?? null;

const reversalOf = ({ newKey }: LedgerRun, entry: ModelEntry): ModelEntry => ({
  key: newKey(),
  kind: 'reversal',
  currency: entry.currency,
  about: entry.about,
  reverses: entry.key,
  lines: entry.lines.map((line) => ({ ...line, amount: -line.amount })),
});

/** A reversal would take fees that the platform may have spent. */
const earns = (entry: ModelEntry): boolean =>
  entry.lines.some((line) => line.account.startsWith('platform_fees') && line.amount > 0);

function remember({ keys }: LedgerRun, entry: ModelEntry, answer: Answer): Answer {
  if (answer.is === 'posted') keys.push(entry.key);
  return answer;
}

async function postToBoth(run: LedgerRun, entry: ModelEntry): Promise<string> {
  const got = await run.server.post(entry);
  const expected = remember(run, entry, run.model.post(entry));
  agree(JSON.stringify(entry), got, expected);
  return got.is;
}

/** The result must match one order or the other. */
async function atOnce(run: LedgerRun, entry: ModelEntry, other: ModelEntry): Promise<string> {
  const { server, model } = run;
  const got = await Promise.all([server.post(entry), server.post(other)]);
  const orders = [
    [entry, other],
    [other, entry],
  ] as const;
  for (const [first, second] of orders) {
    const trial = model.judge(first);
    const firstGot = first === entry ? got[0] : got[1];
    if (JSON.stringify(trial) !== JSON.stringify(firstGot)) continue;
    model.post(first);
    const secondWanted = model.judge(second);
    const secondGot = first === entry ? got[1] : got[0];
    if (JSON.stringify(secondWanted) === JSON.stringify(secondGot)) {
      remember(run, first, trial);
      remember(run, second, model.post(second));
      return `${got[0].is} + ${got[1].is}`;
    }
    if (trial.is === 'posted') model.undo(first);
  }
  throw new DivergenceError(
    `at once ${JSON.stringify([entry, other])}: the ledger says ${JSON.stringify(got)}, which no order gives`,
  );
}

async function repeatEntry(run: LedgerRun): Promise<string> {
  const entry = pickPosted(run);
  return entry
    ? postToBoth(run, { ...entry, lines: entry.reverses === null ? entry.lines.toReversed() : entry.lines })
    : 'nothing yet';
}

async function changedUnderTheSameKey(run: LedgerRun): Promise<string> {
  const { chance } = run;
  const entry = pickPosted(run);
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
  return amounts.some((line) => line.amount === 0)
    ? 'nothing yet'
    : postToBoth(run, { ...entry, ...changed });
}

async function reverse(run: LedgerRun): Promise<string> {
  const entry = pickPosted(run);
  return entry && !earns(entry) ? postToBoth(run, reversalOf(run, entry)) : 'nothing yet';
}

async function invalidEntry(run: LedgerRun): Promise<string> {
  const { server, chance, currencies } = run;
  const entry = balanced(run);
  const [first, ...rest] = entry.lines as [ModelLine, ...ModelLine[]];
  const other = currencies[entry.currency === currencies[0] ? 1 : 0];
  const clearing = (amount: number) => ({ account: `provider_clearing:${entry.currency}`, amount });
  const losses = (amount: number, code = entry.currency) => ({ account: `platform_losses:${code}`, amount });
  const invalid = chance.pick<Partial<ModelEntry>>([
    { lines: [{ ...first, amount: first.amount + 1 }, ...rest] },
    { lines: [clearing(-5)] },
    { lines: [clearing(-5), losses(4)] },
    { lines: [clearing(-5), losses(5, other)] },
    { currency: other },
    { lines: [{ account: `till:${entry.currency}`, amount: 5 }, clearing(-5)] },
    { lines: [] },
  ]);
  const got = await server.tryBySql((client) => server.postBySql(client, { ...entry, ...invalid }));
  agree(`by SQL ${JSON.stringify({ ...entry, ...invalid })}`, got, 'refused');
  return got;
}

async function inexactReversal(run: LedgerRun): Promise<string> {
  const { server } = run;
  const entry = pickPosted(run);
  if (!entry) return 'nothing yet';
  const lines = [
    { account: `provider_clearing:${entry.currency}`, amount: -3e9 },
    { account: `platform_losses:${entry.currency}`, amount: 3e9 },
  ];
  const reverses = server.ids.get(entry.key) ?? null;
  const got = await server.tryBySql((client) =>
    server.postBySql(client, { ...reversalOf(run, entry), reverses, lines }),
  );
  agree(`reversal by SQL of ${entry.key}`, got, 'refused');
  return got;
}

async function changeBySql({ server, chance, watched }: LedgerRun): Promise<string> {
  const statement = chance.pick([
    'update ledger_entries set about = null where key = $1',
    'delete from ledger_entries where key = $1',
    'update ledger_postings set amount = amount * 2 where entry_id = (select id from ledger_entries where key = $1)',
    'update ledger_accounts set balance = balance + 1 where id = $1',
    'insert into ledger_deferred values ($1, 5)',
  ]);
  const got = await server.tryBySql((client) => client.query(statement, [watched[0]]));
  agree(statement, got, 'refused');
  return got;
}

async function rolledBack(run: LedgerRun): Promise<string> {
  const { server } = run;
  const entry = balanced(run);
  return server
    .tryBySql(async (client) => {
      await server.postBySql(client, entry);
      throw new pg.DatabaseError('undone', 0, 'error');
    })
    .catch(() => 'undone');
}

async function fold({ server, watched }: LedgerRun): Promise<string> {
  await server.fold(watched);
  return 'done';
}

async function atOnceUnderOneKey(run: LedgerRun): Promise<string> {
  const entry = balanced(run);
  return atOnce(run, entry, { ...entry });
}

async function atOnceFromOneAccount(run: LedgerRun): Promise<string> {
  const { chance, names, model, currencies } = run;
  const [currency] = currencies;
  const firstEntry = balanced(run);
  const secondEntry = balanced(run);
  const from = `${chance.pick(names)}:${currency}`;
  const max = Math.max(1, model.balance(from));
  const debit = (entry: ModelEntry): ModelEntry => {
    const amount = 1 + chance.below(max);
    const to = `${chance.pick(names)}:${currency}`;
    const lines = [
      { account: from, amount: -amount },
      { account: to, amount },
    ];
    return { ...entry, currency, lines };
  };
  return atOnce(run, debit(firstEntry), debit(secondEntry));
}

async function atOnceReversed(run: LedgerRun): Promise<string> {
  const entry = pickPosted(run);
  if (!entry || earns(entry)) return 'nothing yet';
  return atOnce(run, reversalOf(run, entry), reversalOf(run, entry));
}
