import { tasks } from '@nearhand/api/src/app.ts';
import { isSandbox } from '@nearhand/api/src/money/sandbox/sandbox.ts';
import { useTestApp } from '@nearhand/api/test/harness.ts';
import { describe, expect, it } from 'vitest';
import { findsACent, runWebhooks } from '../experiments/webhooks/webhooks-run.ts';

const app = useTestApp({ WITHDRAWALS_PER_DAY: '100', PAYOUT_METHOD_HOLD_DAYS: '0' });

describe('random movements of money with unreliable webhooks', { timeout: 120_000 }, () => {
  it('end as the provider says, once reconciliation has run, and not before', async () => {
    if (!isSandbox(app.provider)) throw new Error('the tests run on the sandbox');
    const { provider, clock } = app;
    const stage = {
      db: app.db,
      pool: app.pool,
      secret: app.secret,
      provider,
      tasks,
      scopeOf: app.scopeOf,
      clock: { now: clock.now, forward: (ms: number) => clock.forward({ seconds: ms / 1_000 }) },
      taskScope: { ...app.scopeOf('nobody'), db: app.db, mailer: { send: async () => {} } },
      post: async (headers: Record<string, string>, payload: string) =>
        (await app.raw({ method: 'POST', url: '/api/webhooks/payments', headers, payload })).statusCode,
    };
    const result = await runWebhooks(stage, { actions: 80, seed: 4, businesses: 2, workers: 2 });
    expect(result.after).toEqual([]);
    expect(result.before).not.toEqual([]);
    expect(result.traffic.lost).toBeGreaterThan(0);
    expect(result.traffic.forged + result.traffic.stale).toBeGreaterThan(0);
    expect(await findsACent(stage)).toBe(true);
  });
});
