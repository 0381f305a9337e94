import { systemClock } from '@nearhand/api/src/platform/clock.ts';
import { type StripeDouble, startStripeDouble } from '@nearhand/api/test/stripe-double/stripe-double.ts';
import { createTestDatabase, type TestDatabase } from '@nearhand/api/test/test-database.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cancelledPayoutsOn } from '../experiments/money/cancelled-payouts.ts';
import { type Faults, signalFaults } from '../experiments/money/release-faults.ts';
import { endStatesOn } from '../experiments/money-end-states.ts';
import { exitAtOn } from '../experiments/money-exit-at.ts';
import { killDatabaseOn } from '../experiments/money-kill-database.ts';
import { killServerOn } from '../experiments/money-kill-server.ts';
import { oneKeyOn } from '../experiments/money-one-key.ts';

const quiet = () => {};
const notified = (faults: Faults) => signalFaults(faults).join('\n');

// Each starts its own servers; on a busy machine a second takes ten.
describe.each(['the sandbox', 'stripe'])('money with %s', { timeout: 300_000 }, (provider) => {
  let database: TestDatabase;
  let double: StripeDouble | undefined;
  beforeEach(async () => {
    database = await createTestDatabase();
    double = provider === 'stripe' ? await startStripeDouble({ now: systemClock.now }) : undefined;
  });
  afterEach(async () => {
    await database.drop();
    await double?.close();
  });

  it('is released once while the server is killed', async () => {
    const { faults, stream, breaks } = await killServerOn(
      database.url,
      { releases: 20, kills: 2, clients: 6, double },
      quiet,
    );
    expect(notified(faults)).toBe('');
    expect(stream.answers.size).toBe(20);
    expect(breaks).toBe(2);
  });

  it('fails when every statement of the server runs alone (control)', async () => {
    // A kill may fall between two releases and break nothing; several do not.
    const { faults } = await killServerOn(
      database.url,
      { releases: 40, kills: 4, clients: 6, sabotage: 'no-transactions', double },
      quiet,
    );
    expect(faults.size).toBeGreaterThan(0);
  });

  it('moves once for many calls under one key', async () => {
    const faults = await oneKeyOn(database.url, { rounds: 1, requests: 100, double }, quiet);
    expect(notified(faults)).toBe('');
  });

  it("moves more than once when a key doesn't lock (control)", async () => {
    const faults = await oneKeyOn(database.url, { rounds: 1, requests: 30, noLock: true, double }, quiet);
    expect(notified(faults)).toContain('tip: effects');
  });

  it('arrives once when the server ends at a step on the way', async () => {
    const cases = [['offer-by-card', 'fund/charged']] as const;
    expect(notified(await exitAtOn(database.url, { cases, double }, quiet))).toBe('');
  });

  it('is taken twice when the provider forgets a key (control)', async () => {
    const cases = [['top-up', 'fund/charged']] as const;
    const faults = await exitAtOn(database.url, { cases, forgetKeys: true, double }, quiet);
    expect(notified(faults)).toContain('with the provider: booked');
  });

  it('ends once when all endings are requested concurrently', async () => {
    expect(notified(await endStatesOn(database.url, { engagements: 20, seed: 1, double }, quiet))).toBe('');
  });

  it('ends twice without locks (control)', async () => {
    const faults = await endStatesOn(
      database.url,
      { engagements: 10, seed: 1, noLocks: true, double },
      quiet,
    );
    expect(notified(faults)).toContain('moves that do not follow');
  });
});

describe('money with the sandbox alone', { timeout: 300_000 }, () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(() => database.drop());

  it('is released once during an immediate stop of PostgreSQL', async () => {
    const { faults } = await killDatabaseOn({ releases: 20, stops: 1, clients: 6 }, quiet);
    expect(notified(faults)).toBe('');
  });

  it('returns or leaves once when a withdrawal is cancelled while it is sent, paid and returned', async () => {
    const options = { rounds: 8, cancels: 25, seed: 1 };
    expect(notified(await cancelledPayoutsOn(database.url, options, quiet))).toBe('');
  });

  it('both returns and leaves without locks (control)', async () => {
    const options = { rounds: 12, cancels: 25, seed: 1, noLocks: true };
    expect(notified(await cancelledPayoutsOn(database.url, options, quiet))).toMatch(
      /cancelled and sent|of another end/,
    );
  });
});
