import { systemClock } from '@nearhand/api/src/platform/clock.ts';
import { openPool } from '@nearhand/api/src/platform/db.ts';
import { createSign } from '@nearhand/api/src/platform/sign.ts';
import { createTestDatabase } from '@nearhand/api/test/test-database.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { LedgerModel } from '../experiments/ledger-model/ledger.model.ts';
import { databaseBreaks, modelBreaks } from '../experiments/ledger-model/ledger-breaks.ts';
import { DivergenceError } from '../experiments/ledger-model/ledger-divergence.ts';
import { checkLedger, newTally, runLedger } from '../experiments/ledger-model/ledger-run.ts';

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function openLedger(mistake?: string) {
  const testDatabase = await createTestDatabase();
  const database = openPool(testDatabase.url, 4, () => {});
  undo.push(testDatabase.drop, database.close);
  const scope = { clock: systemClock, sign: createSign('a secret of the tests, thirty-two and more') };
  const currencies = ['EUR', 'USD'] as const;
  return { database, currencies, scope, model: new LedgerModel(mistake), tally: newTally() };
}

describe('the ledger beside its model', () => {
  it('never differs', async () => {
    const driver = await openLedger();
    for (let run = 0; run < 12; run += 1) await runLedger(driver, { seed: 7_000 + run, commands: 50 });
    const { entries } = await checkLedger(driver, driver.model.posted);
    expect(entries).toBeGreaterThan(100);
    // Either of a pair may come first.
    const answers = [...driver.tally.answers.keys()].map((answer) => answer.split(' + ').sort().join(' + '));
    expect(answers).toEqual(
      expect.arrayContaining(['posted', 'again', 'refused', 'short', 'again + posted', 'posted + short']),
    );
  }, 60_000);

  it.each([...Object.keys(databaseBreaks), ...modelBreaks])('differs under %s', async (name) => {
    const driver = await openLedger(name);
    await databaseBreaks[name]?.(driver.database.pool);
    const runs = async () => {
      for (let run = 0; run < 20; run += 1) await runLedger(driver, { seed: 7_000 + run, commands: 50 });
      await checkLedger(driver, driver.model.posted);
    };
    await expect(runs()).rejects.toThrow(DivergenceError);
  });
});
