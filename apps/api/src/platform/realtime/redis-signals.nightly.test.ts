import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { createTestRedis, hasRedis, type TestRedis } from '../../../test/services/redis-server.ts';
import { busesUp, type TestSocket } from '../../../test/sockets.ts';
import { describeTwoProcesses, jobChange } from '../../../test/two-processes.ts';
import { emit } from './publish.ts';

// Skipped without redis-server; `npm run test:nightly` prints the reason (scripts/redis.mjs).
describe.skipIf(!hasRedis)('two processes over Redis', () => {
  let redis: TestRedis;
  const app = useTestApp(async () => {
    redis = await createTestRedis();
    return { REDIS_URL: redis.url };
  });
  afterAll(() => redis?.drop());

  describeTwoProcesses(app);

  const emitTo = (accountId: string) =>
    app.db.transaction().execute(async (tx) => emit(tx, [`account:${accountId}`], jobChange));

  const subscribed = (socket: TestSocket, accountId: string) =>
    vi.waitFor(
      async () => {
        await emitTo(accountId);
        await socket.received(jobChange, 200);
      },
      { timeout: 5_000 },
    );

  it('works without Redis, and resyncs every socket within 5 seconds of its return', async () => {
    const other = await app.another();
    const leila = await app.person();
    const here = await app.socket(leila);
    const there = await other.socket(leila);
    await busesUp(app, other);
    await redis.stop();
    await wait(100);
    const before = performance.now();
    await emitTo(leila.accountId);
    expect(performance.now() - before).toBeLessThan(1_000);
    // Local sockets receive it without Redis.
    await here.received(jobChange, 1_000);
    await wait(1_000);
    expect(there.signals).toEqual([]);
    await redis.start();
    await Promise.all([here.received({ kind: 'resync' }, 5_000), there.received({ kind: 'resync' }, 5_000)]);
    await subscribed(there, leila.accountId);
    await other.stop();
  });

  it('works while Redis hangs, and resyncs within 5 seconds of its return', async () => {
    const other = await app.another();
    const leila = await app.person();
    const there = await other.socket(leila);
    await busesUp(app, other);
    redis.freeze();
    const before = performance.now();
    for (let n = 0; n < 50; n += 1) await emitTo(leila.accountId);
    expect(performance.now() - before).toBeLessThan(5_000);
    await vi.waitFor(() => expect(app.bus.isUp()).toBe(false), { timeout: 10_000 });
    redis.thaw();
    await there.received({ kind: 'resync' }, 5_000);
    await busesUp(app, other);
    there.signals.length = 0;
    await subscribed(there, leila.accountId);
    await other.stop();
  });
});
