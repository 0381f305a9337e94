import { auditLedger, type LedgerScope } from '@nearhand/api/src/money/ledger/ledger.ts';
import type { Database } from '@nearhand/api/src/platform/db.ts';
import type { Currency } from '@nearhand/contract/currencies';
import type { LedgerModel } from './ledger.model.ts';
import { type LedgerRun, ledgerCommands } from './ledger-commands.ts';
import { agree, DivergenceError } from './ledger-divergence.ts';
import { LedgerServer } from './ledger-server.ts';
import { createChance, platformNames } from './random-entries.ts';

export type Tally = { runs: number; commands: Map<string, number>; answers: Map<string, number> };
export const newTally = (): Tally => ({ runs: 0, commands: new Map(), answers: new Map() });

type Driver = {
  database: Database;
  /** Other drivers use other currencies, so that the platform's accounts are separate too. */
  currencies: readonly [Currency, Currency];
  scope: LedgerScope;
  /** Lives as long as the database's platform accounts. */
  model: LedgerModel;
  tally: Tally;
};

const count = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);

const bag = ledgerCommands.flatMap(([name, weight, command]) =>
  Array.from({ length: weight }, () => ({ name, command })),
);

/**
 * Runs commands against ledger and model.
 * @throws DivergenceError
 */
export async function runLedger(driver: Driver, options: { seed: number; commands: number }): Promise<void> {
  const { model, tally } = driver;
  const run = openRun(driver, options.seed);
  for (let no = 0; no < options.commands; no += 1) {
    const { name, command } = run.chance.pick(bag);
    const answer = await command(run);
    await compareBalances(run, `command ${no + 1}, ${name}`);
    count(tally.commands, name);
    count(tally.answers, answer);
  }
  model.forget(
    run.keys,
    run.names.flatMap((name) => run.currencies.map((code) => `${name}:${code}`)),
  );
  tally.runs += 1;
}

/** Each run has its own accounts, so that many can share a ledger. */
function openRun({ database, scope, model, currencies }: Driver, seed: number): LedgerRun {
  const chance = createChance(seed);
  const own = (kind: string) => `${kind}:${chance.uuid()}`;
  const names = [
    own('business_balance'),
    own('business_balance'),
    own('business_credit'),
    own('hold'),
    own('hold'),
    ...['worker_pending', 'worker_available', 'worker_reserved'].map(own),
  ];
  return {
    server: new LedgerServer(database, scope),
    model,
    chance,
    currencies,
    names,
    watched: currencies.flatMap((code) => [...names, ...platformNames].map((name) => `${name}:${code}`)),
    keys: [],
    newKey: () => `${seed}/${chance.uuid()}`,
  };
}

async function compareBalances({ server, model, watched }: LedgerRun, after: string): Promise<void> {
  for (const { id, balance } of await server.balances(watched))
    agree(`${id} after ${after}`, balance, model.balance(id));
}

export async function checkLedger(
  { database, scope }: Pick<Driver, 'database' | 'scope'>,
  posted: number,
): Promise<{ entries: number }> {
  const { entries, findings } = await auditLedger(database.db, scope);
  if (findings.length > 0)
    throw new DivergenceError(`the auditor finds ${JSON.stringify(findings.slice(0, 5))}`);
  if (entries !== posted) throw new DivergenceError(`${entries} entries, ${posted} in the model`);
  return { entries };
}
