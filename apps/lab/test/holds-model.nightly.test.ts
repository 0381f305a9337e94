import { createTestDatabase, type TestDatabase } from '@nearhand/api/test/test-database.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { modelBreaks, serverBreaks } from '../experiments/holds-model/holds-breaks.ts';
import { runLane } from '../experiments/holds-model/holds-lanes.ts';

const quiet = () => {};

/** The short form of the experiment `holds-model` (docs/experiments.md), with all its controls. */
describe('holds and all other money', { timeout: 300_000 }, () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(() => database.drop());

  // Starts from a run that shows the fault, to be quick.
  const begin: Record<string, number> = {
    'late-money-is-lost': 30,
    'fee-of-each-part': 8,
    'overtime-without-end': 262,
    'expiry-keeps-money': 2,
    'won-is-not-undone': 3,
    'failed-payout-is-kept': 3,
    'tip-for-the-platform': 3,
    'frozen-pays': 4,
  };
  it('match their model', async () => {
    const { divergence, tally } = await runLane(database.url, { runs: 15, commands: 50, seed: 1 }, quiet);
    expect(divergence?.message).toBeUndefined();
    expect(tally.runs).toBe(15);
    expect(tally.entries).toBeGreaterThan(100);
  });

  it('match it with Stripe too', async () => {
    const request = { runs: 5, commands: 50, seed: 1, stripe: true };
    const { divergence, tally } = await runLane(database.url, request, quiet);
    expect(divergence?.message).toBeUndefined();
    expect(tally.runs).toBe(5);
  });

  it.each(['expiry-keeps-money', 'won-is-not-undone', 'failed-payout-is-kept'])(
    'differ with Stripe when %s',
    async (broken) => {
      const request = { runs: 60, commands: 50, seed: begin[broken] ?? 1, broken, stripe: true };
      const { divergence } = await runLane(database.url, request, quiet);
      expect(divergence?.message).toMatch(/the model/);
    },
  );

  it.each([...Object.keys(serverBreaks), ...modelBreaks])('differ when %s', async (broken) => {
    const request = { runs: 60, commands: 50, seed: begin[broken] ?? 1, broken };
    const { divergence } = await runLane(database.url, request, quiet);
    expect(divergence?.message).toMatch(/the model/);
  });
});
