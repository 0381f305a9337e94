import { parseArgs } from 'node:util';
import { systemClock } from '@nearhand/api/src/platform/clock.ts';
import { openPool } from '@nearhand/api/src/platform/db.ts';
import { createSign } from '@nearhand/api/src/platform/sign.ts';
import { sumOf } from '@nearhand/contract/arithmetic';
import { type Currency, currencies } from '@nearhand/contract/currencies';
import { LedgerModel } from './ledger-model/ledger.model.ts';
import { databaseBreaks, modelBreaks } from './ledger-model/ledger-breaks.ts';
import { DivergenceError } from './ledger-model/ledger-divergence.ts';
import { checkLedger, newTally, runLedger } from './ledger-model/ledger-run.ts';
import { onThrowAwayDatabase } from './throw-away-database.ts';

/**
 * `npm run experiments -- ledger-model [--runs 10000] [--commands 50] [--seed N] [--lanes 7] [--break NAME]`
 * Random commands drive the ledger and a model, whose results and balances must be equal. `--break` removes a guard.
 */
export async function ledgerModel(say: (line: string) => void): Promise<boolean> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { runs: text, commands: text, seed: text, lanes: text, break: text },
  });
  const runs = Number(values.runs ?? 10_000);
  const commands = Number(values.commands ?? 50);
  const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 30));
  // Several in parallel in one ledger, each with its own two currencies.
  const lanes = Math.min(Number(values.lanes ?? 7), Math.floor(currencies.length / 2), runs);
  const broken = values.break;
  const breaks = [...Object.keys(databaseBreaks), ...modelBreaks];
  if (broken !== undefined && !breaks.includes(broken))
    throw new Error(`--break is one of ${breaks.join(', ')}`);
  const tally = newTally();
  const started = performance.now();
  let entries = 0;
  let divergence: { seed: number; message: string } | null = null;
  const scope = {
    clock: systemClock,
    sign: createSign('the secret of the experiments, thirty-two and more'),
  };

  const progress = setInterval(() => say(`ledger-model: ${tally.runs} runs so far`), 60_000);
  await onThrowAwayDatabase(async (url) => {
    const database = openPool(url, 3 * lanes, () => {});
    try {
      await databaseBreaks[broken ?? '']?.(database.pool);
      const drivers = Array.from({ length: lanes }, (_, lane) => ({
        database,
        scope,
        tally,
        model: new LedgerModel(broken),
        currencies: [currencies[2 * lane], currencies[2 * lane + 1]] as [Currency, Currency],
      }));
      const runLane = async (driver: (typeof drivers)[number], lane: number) => {
        for (let run = lane; run < runs && !divergence; run += lanes)
          await runLedger(driver, { seed: seed + run, commands }).catch((error) => {
            if (!(error instanceof DivergenceError)) throw error;
            divergence ??= { seed: seed + run, message: error.message };
          });
      };
      await Promise.all(drivers.map(runLane));
      const posted = sumOf(drivers, ({ model }) => model.posted);
      if (!divergence) entries = (await checkLedger(drivers[0] as (typeof drivers)[0], posted)).entries;
    } catch (error) {
      if (!(error instanceof DivergenceError)) throw error;
      divergence ??= { seed, message: error.message };
    } finally {
      clearInterval(progress);
      await database.close();
    }
  });

  const seconds = (performance.now() - started) / 1_000;
  const total = sumOf([...tally.commands.values()]);
  say(
    `ledger-model: ${tally.runs} runs, ${total} commands, ${entries} entries, ${seconds.toFixed(1)} s, seed ${seed}`,
  );
  say(`by kind: ${countsText(tally.commands)}`);
  say(`by answer: ${countsText(tally.answers)}`);
  if (divergence === null) {
    say('ledger-model: no divergence; the auditor found nothing');
    return true;
  }
  const failure = divergence as { seed: number; message: string };
  say(`ledger-model: DIVERGENCE: ${failure.message}`);
  const options = broken ? ` --break ${broken}` : '';
  say(
    `replay: npm run experiments -- ledger-model --runs 1 --seed ${failure.seed} --commands ${commands}${options}`,
  );
  return false;
}

const countsText = (map: ReadonlyMap<string, number>) =>
  [...map]
    .sort((a, b) => b[1] - a[1])
    .map(([name, times]) => `${name} ${times}`)
    .join(', ');
