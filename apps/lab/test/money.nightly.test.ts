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

  it('is found wrong where every statement of the server stands alone', async () => {
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

  it('is found to move more than once where a key does not lock', async () => {
    const faults = await oneKeyOn(database.url, { rounds: 1, requests: 30, noLock: true, double }, quiet);
    expect(notified(faults)).toContain('tip: effects');
  });

  it('arrives once when the server ends at a step on the way', async () => {
    const cases = [['offer-by-card', 'fund/charged']] as const;
    expect(notified(await exitAtOn(database.url, { cases, double }, quiet))).toBe('');
  });

  it('is found to be taken twice where the provider forgets a key', async () => {
    const cases = [['top-up', 'fund/charged']] as const;
    const faults = await exitAtOn(database.url, { cases, forgetKeys: true, double }, quiet);
    expect(notified(faults)).toContain('with the provider: booked');
  });

  it('comes to one end each when all ends are asked for at once', async () => {
    expect(notified(await endStatesOn(database.url, { engagements: 20, seed: 1, double }, quiet))).toBe('');
  });

  it('is found at two ends where nothing is locked', async () => {
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

  it('is released once while PostgreSQL is stopped at once', async () => {
    const { faults } = await killDatabaseOn({ releases: 20, stops: 1, clients: 6 }, quiet);
    expect(notified(faults)).toBe('');
  });

  it('comes back or leaves once when a withdrawal is cancelled while it is sent, paid and returned', async () => {
    const options = { rounds: 8, cancels: 25, seed: 1 };
    expect(notified(await cancelledPayoutsOn(database.url, options, quiet))).toBe('');
  });

  it('is found both back and gone where nothing is locked', async () => {
    const options = { rounds: 12, cancels: 25, seed: 1, noLocks: true };
    expect(notified(await cancelledPayoutsOn(database.url, options, quiet))).toMatch(
      /cancelled and sent|of another end/,
    );
  });
});
