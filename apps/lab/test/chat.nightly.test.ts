import { createTestDatabase, type TestDatabase } from '@nearhand/api/test/test-database.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chatSignalFaults } from '../experiments/chat/chat-faults.ts';
import { chatDeliveryOn } from '../experiments/chat-delivery.ts';
import { chatOutageOn } from '../experiments/chat-outage.ts';

const quiet = () => {};
const short = { messages: 60, killEveryMs: 2_500, cutAfterMs: [200, 800] } as const;

// Each starts two servers; on a busy machine a second takes ten.
describe('chat', { timeout: 300_000 }, () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(() => database.drop());

  it('loses and duplicates nothing while connections are cut and servers are killed', async () => {
    const { faults, cuts } = await chatDeliveryOn(database.url, short, quiet);
    expect(chatSignalFaults(faults)).toEqual([]);
    expect(cuts).toBeGreaterThan(0);
  });

  it("misses messages on a device that doesn't fill gaps (control)", async () => {
    const control = { ...short, broken: 'no-gap-fill', convergeWithinMs: 500 } as const;
    const { faults } = await chatDeliveryOn(database.url, control, quiet);
    expect([...faults.keys()]).toEqual(['not shown']);
  });

  it('recovers everything after an immediate stop of PostgreSQL', async () => {
    const { faults, said } = await chatOutageOn({ what: 'postgres', awayMs: 0, aroundMs: 2_000 }, quiet);
    expect(chatSignalFaults(faults)).toEqual([]);
    expect(said).toBeGreaterThan(10);
  });
});
